import { describe, expect, it } from 'vitest';
import { readReport as readPlaywright } from './end-to-end.mjs';
import { counts, judge, oneCheck, sum } from './stage.mjs';
import { readReport as readVitest } from './unit.mjs';

describe('a stage', () => {
  it('in which nothing ran has failed', () => {
    expect(judge({ passed: 0, failed: 0, skipped: 3 })).toMatchObject({ passed: 0, failed: 1, skipped: 3 });
  });

  it('that is a program passes with code 0 only', () => {
    expect(oneCheck({ code: 0, out: 'x', err: '' })).toEqual({ passed: 1, failed: 0 });
    expect(oneCheck({ code: 2, out: 'x', err: 'y' })).toEqual({ passed: 0, failed: 1, details: 'xy' });
  });

  it('counts into the last line', () => {
    const total = sum([judge({ passed: 3, failed: 0 }), judge({ passed: 4, failed: 1, skipped: 2 })]);
    expect(counts(total)).toBe('7 passed, 1 failed, 2 skipped');
    expect(counts({ passed: 7, failed: 0, skipped: 0 })).toBe('7 passed, 0 failed');
  });
});

describe('the report of vitest', () => {
  const root = '/repo';
  const groups = ['src/engine', 'scripts'];
  const file = (name, status, tests) => ({
    name: `${root}/${name}`, status, message: 'did not load',
    assertionResults: tests.map((result) => ({ status: result, fullName: 'a test', failureMessages: ['why'] })),
  });

  it('is counted', () => {
    const report = {
      testResults: [file('src/engine/a.test.ts', 'passed', ['passed', 'passed', 'pending']), file('scripts/b.test.mjs', 'failed', ['failed'])],
    };
    expect(readVitest(report, { root, groups })).toEqual({
      passed: 2, failed: 1, skipped: 1, details: 'scripts/b.test.mjs: a test\nwhy', groups: { 'src/engine': 2, scripts: 1 },
    });
  });

  it('with a file that did not load is a failure', () => {
    const report = {
      testResults: [
        file('src/engine/a.test.ts', 'passed', ['passed']),
        file('scripts/b.test.mjs', 'passed', ['passed']),
        file('scripts/c.test.mjs', 'failed', []),
      ],
    };
    expect(readVitest(report, { root, groups })).toMatchObject({ passed: 2, failed: 1, details: 'scripts/c.test.mjs: did not load' });
  });

  it('with a folder in which no test ran is a failure', () => {
    const report = {
      testResults: [file('src/engine/a.test.ts', 'passed', ['passed']), file('scripts/b.test.mjs', 'passed', ['skipped'])],
    };
    expect(readVitest(report, { root, groups })).toMatchObject({ passed: 1, failed: 1, skipped: 1, details: 'No test ran in scripts.' });
  });
});

describe('the report of Playwright', () => {
  const spec = (title, status, extra = {}) => ({ title, tests: [{ status, results: [{ errors: [{ message: 'why' }] }], ...extra }] });

  it('is counted, with the reasons of skips', () => {
    const report = {
      errors: [],
      suites: [{
        title: 'a.test.ts',
        specs: [spec('one', 'expected'), spec('two', 'skipped', { annotations: [{ type: 'skip', description: 'no Chromium here' }] })],
        suites: [{ title: 'inner', specs: [spec('three', 'unexpected'), spec('four', 'flaky')] }],
      }],
    };
    expect(readPlaywright(report)).toEqual({
      passed: 1, failed: 2, skipped: 1,
      details: 'a.test.ts › inner › three\nwhy\n\na.test.ts › inner › four\nwhy',
      skips: ['a.test.ts › two: no Chromium here'],
    });
  });

  it('with an error outside of a test is a failure', () => {
    expect(readPlaywright({ suites: [], errors: [{ message: 'no tests found' }] }))
      .toMatchObject({ passed: 0, failed: 1, details: 'no tests found' });
  });
});
