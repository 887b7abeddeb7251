/** Colours of the page for what draws on a canvas, which knows no CSS variables. */
export interface Palette {
  readonly series: readonly string[];
  readonly line: string;
  readonly text: string;
  readonly ink: string;
  readonly panel: string;
  readonly accent: string;
  readonly bad: string;
  readonly font: string;
}

/** Read anew after each change of theme. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    series: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => token(`c${n}`)),
    line: token('line'), text: token('ink-3'), ink: token('ink'), panel: token('panel'), accent: token('accent'), bad: token('bad'),
    font: token('font-ui') || 'sans-serif',
  };
}
