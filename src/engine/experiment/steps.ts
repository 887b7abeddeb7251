/** Steps of a script in words, as one would type them. */
import type { Step } from './spec';

const seconds = (s: number): string => `${s} s`;

/** A text as it is typed: without the newline that echo adds, others as escapes. */
const oneLine = (text: string): string => text.replace(/\n$/, '').replace(/\n/g, '\\n').replace(/\t/g, '\\t');

export const stepLabel = (step: Step): string => {
  if ('write' in step) return `echo ${oneLine(step.text)} > ${step.write}`.replace('echo  >', 'echo >');
  if ('mkdir' in step) return `mkdir ${step.mkdir}`;
  if ('rmdir' in step) return `rmdir ${step.rmdir}`;
  if ('start' in step) {
    const { name, program, size_pages, fill, cgroup } = step.start;
    const size = size_pages % 262144 === 0 ? `${size_pages / 262144} GiB` : size_pages % 256 === 0 ? `${size_pages / 256} MiB` : `${size_pages} pages`;
    return `start ${name}: ${program} ${size}, ${fill}${cgroup ? ` in ${cgroup}` : ''}`;
  }
  if ('wait' in step) return step.until === 'ended' ? `wait until ${step.wait} has ended` : `wait until ${step.wait} has touched its memory`;
  if ('kill' in step) return `kill ${step.kill}`;
  if ('sleep' in step) return `sleep ${seconds(step.sleep)}`;
  if ('swapon' in step) return `swapon${step.priority === undefined ? '' : ` -p ${step.priority}`} ${step.swapon}`;
  if ('swapoff' in step) return `swapoff ${step.swapoff}`;
  if ('pageout' in step) return `page out ${step.pageout} until ${step.pages} swap pages are in use`;
  if ('probe' in step) return `probe ${step.probe}`;
  return `${step.repeat} times: ${step.steps.map(stepLabel).join('; ')}`;
};
