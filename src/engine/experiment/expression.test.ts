import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkExpression, evaluateExpression } from './expression';

const METRICS: Record<string, number | string> = {
  a: 7, b: 2, 'end.meminfo.SwapFree_kB': 860, 'x.memcg./app.oom_kill': 1, 'linux-6.18:vmstat.pswpout': 12, 'swapon.show': 'NAME',
};
const value = (text: string): number | readonly string[] => {
  const outcome = evaluateExpression(text, (name) => METRICS[name]);
  return outcome.ok ? outcome.value : outcome.missing;
};

describe('expressions', () => {
  it.each<[string, number]>([
    ['1', 1], ['1 + 2 * 3', 7], ['(1+2)*3', 9], ['8 - 3 - 2', 3], ['16 / 4 / 2', 2], ['-a + 1', -6], ['2 * -3', -6], ['1e3+.5', 1000.5],
    ['a - b', 5], ['a-b', 5], ['a/b', 3.5], ['a*b-1', 13], ['min(a, b, 5) + max(a, b)', 9], ['end.meminfo.SwapFree_kB/4', 215],
    ['x.memcg./app.oom_kill + 1', 2], ['"x.memcg./app.oom_kill"-1', 0], ['linux-6.18:vmstat.pswpout/ 3', 4], ['min(3,max(1,2))', 2],
  ])('%s = %d', (text, expected) => {
    expect(checkExpression(text)).toBeUndefined();
    expect(value(text)).toBe(expected);
  });

  it('names the metrics that are not there or are texts', () => {
    expect(value('a + nothing.here')).toEqual(['nothing.here']);
    expect(value('swapon.show + 1')).toEqual(['swapon.show']);
  });

  it.each<[string, string]>([
    ['', 'expected a number, a metric or "(" at character 1, got the end'],
    ['1 +', 'got the end'], ['(1', 'expected ")"'], ['1 2', 'expected an operator or the end at character 3, got "2"'],
    ['a; b', 'unexpected ";" at character 2'], ['alert(1)', 'got "("'], ['`x`', 'unexpected "`"'], ['a ** b', 'got "*"'], ['"a', 'does not end'],
    ['('.repeat(40) + '1' + ')'.repeat(40), 'nests more than 32 deep'], ['1+'.repeat(600) + '1', 'more than 1024 characters'],
    ['1x', 'unexpected "1"'],
  ])('refuses %j', (text, problem) => {
    expect(checkExpression(text)).toContain(problem);
  });

  it('never throws on a text and agrees with a direct evaluation of what it builds', { timeout: 20_000 }, () => {
    fc.assert(fc.property(fc.string({ maxLength: 40 }), (text) => {
      const problem = checkExpression(text);
      if (problem === undefined) evaluateExpression(text, () => 1);
    }), { numRuns: 2000 });
    const { tree } = fc.letrec<{ tree: { text: string; value: number } }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.integer({ min: 0, max: 99 }).map((n) => ({ text: String(n), value: n })),
        fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/'), tie('tree')).map(([l, op, r]) => ({
          text: `(${l.text} ${op} ${r.text})`,
          value: op === '+' ? l.value + r.value : op === '-' ? l.value - r.value : op === '*' ? l.value * r.value : l.value / r.value,
        })),
        fc.tuple(tie('tree'), tie('tree')).map(([l, r]) => ({ text: `min(${l.text},${r.text})`, value: Math.min(l.value, r.value) })),
      ),
    }));
    fc.assert(fc.property(tree, (sample) => {
      if (checkExpression(sample.text) === undefined) expect(value(sample.text)).toEqual(sample.value);
    }), { numRuns: 500 });
  });
});
