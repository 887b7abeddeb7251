import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(resolve('src/renderer/styles/tokens.css'), 'utf8');
const block = (start: string): Map<string, string> => {
  const from = css.indexOf('{', css.indexOf(start)) + 1;
  return new Map([...css.slice(from, css.indexOf('}', from)).matchAll(/--([\w-]+):\s*([^;]+);/g)].map((match) => [match[1]!, match[2]!]));
};
const light = block(':root {');
const dark = block(':root[data-theme="dark"]');

function luminance(hex: string): number {
  const channel = (at: number): number => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high! + 0.05) / (low! + 0.05);
}

describe('tokens', () => {
  it('are the same for the system’s dark and the chosen dark', () => {
    expect(block(':root:not([data-theme="light"])')).toEqual(dark);
  });
  for (const [name, theme] of [['light', light], ['dark', dark]] as const) {
    it(`${name}: text has a contrast of 4.5 on every surface it stands on`, () => {
      const weak: string[] = [];
      for (const ink of ['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'warn', 'bad']) {
        for (const surface of ['bg', 'panel', 'raised']) {
          const ratio = contrast(theme.get(ink)!, theme.get(surface)!);
          if (ratio < 4.5) weak.push(`${ink} on ${surface}: ${ratio.toFixed(2)}`);
        }
      }
      for (const tone of ['ok', 'warn', 'bad', 'accent']) {
        const ratio = contrast(theme.get(tone)!, theme.get(`${tone}-soft`)!);
        if (ratio < 4.5) weak.push(`${tone} on ${tone}-soft: ${ratio.toFixed(2)}`);
      }
      expect(contrast(theme.get('accent-ink')!, theme.get('accent')!)).toBeGreaterThanOrEqual(4.5);
      expect(weak).toEqual([]);
    });
    it(`${name}: lines of charts have a contrast of 3 on a panel`, () => {
      const weak = [1, 2, 3, 4, 5, 6, 7, 8].filter((n) => contrast(theme.get(`c${n}`)!, theme.get('panel')!) < 3);
      expect(weak).toEqual([]);
    });
  }
});
