/** Texts for people: numbers with their units. What the kernel prints is formatted by the engine, never here. */

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Bytes with a binary unit and three significant digits: 8140796 kB → "7.76 GiB". */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return '–';
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= 1024 && unit < BINARY.length - 1) { value /= 1024; unit += 1; }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${bytes < 0 ? '−' : ''}${value.toFixed(digits)} ${BINARY[unit]}`;
}

/** Pages of 4 KiB as bytes with a unit. */
export const formatPages = (pages: number): string => formatBytes(pages * 4096);

/** Whole number with thin spaces between groups of three: 2 034 976. */
export function formatCount(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Math.trunc(value).toString().replace('-', '−').replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

/** Simulated nanoseconds as the clock shows them: "42.180 s", "1:02:03.450". */
export function formatClock(ns: number): string {
  const ms = Math.floor(ns / 1e6);
  const s = Math.floor(ms / 1000);
  const frac = String(ms % 1000).padStart(3, '0');
  if (s < 600) return `${s}.${frac} s`;
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}.${frac}`;
}

/** Wall-clock seconds left: "8 s", "3 min", "1.5 h". */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–';
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** 3,100,000 → "3.1 M". */
export function formatShort(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const abs = Math.abs(value);
  for (const [limit, unit] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    if (abs >= limit) return `${(value / limit).toFixed(abs >= limit * 100 ? 0 : abs >= limit * 10 ? 1 : 2)} ${unit}`;
  }
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}
