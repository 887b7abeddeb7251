/** Steps of a script in words, as one would type them. */
import type { ProgramSpec, Step } from './spec';

const seconds = (s: number): string => `${s} s`;

/** A text as it is typed: without the newline that echo adds, others as escapes. */
const oneLine = (text: string): string => text.replace(/\n$/, '').replace(/\n/g, '\\n').replace(/\t/g, '\\t');

const UNTIL = { touched: 'has touched its memory', done: 'has done its work', ended: 'has ended' } as const;

/** ` -a -s`; ` 100000 accesses, 30 % writes, zipf,` */
const optionsText = ({ churn, access }: ProgramSpec): string => {
  if (access) return ` ${access.count} accesses, ${access.write_percent} % writes, ${access.law},`;
  return `${churn?.aligned ? ' -a' : ''}${churn?.small ? ' -s' : ''}`;
};

export const stepLabel = (step: Step): string => {
  if ('write' in step) return `echo ${oneLine(step.text)} > ${step.write}`.replace('echo  >', 'echo >');
  if ('mkdir' in step) return `mkdir ${step.mkdir}`;
  if ('rmdir' in step) return `rmdir ${step.rmdir}`;
  if ('start' in step) {
    const { name, program, size_pages, fill, cgroup, copies } = step.start;
    const size = size_pages % 262144 === 0 ? `${size_pages / 262144} GiB` : size_pages % 256 === 0 ? `${size_pages / 256} MiB` : `${size_pages} pages`;
    const options = optionsText(step.start);
    return `start ${name}: ${copies === undefined ? '' : `${copies} × `}${program}${options} ${size}, ${fill}${cgroup ? ` in ${cgroup}` : ''}`;
  }
  if ('fork' in step) return `fork ${step.fork} as ${step.as}${step.touch ? `, which ${step.touch}s all its memory` : ''}`;
  if ('wait' in step) return `wait until ${step.wait} ${UNTIL[step.until]}`;
  if ('wait_used' in step) return `wait until ${step.rule === 'at-most' ? 'at most' : 'at least'} ${step.wait_used} pages of swap are in use`;
  if ('kill' in step) return `kill ${step.kill}`;
  if ('sleep' in step) return `sleep ${seconds(step.sleep)}`;
  if ('swapon' in step) return `swapon${step.priority === undefined ? '' : ` -p ${step.priority}`} ${step.swapon}`;
  if ('swapoff' in step) return `swapoff ${step.swapoff}`;
  if ('pageout' in step) return `page out ${step.pageout} until ${step.pages} swap pages are in use`;
  if ('probe' in step) return `probe ${step.probe}`;
  return `${step.repeat} times: ${step.steps.map(stepLabel).join('; ')}`;
};
