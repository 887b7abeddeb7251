import type { EventMark, SeriesFrame } from '../../contract/engine-api';
import type { ChartSeries } from './contract';
import { readPalette } from './palette';

/** What an export says of itself: experiment, kernel, arm, seed, version. */
export interface ExportStamp {
  readonly experiment: string;
  readonly kernel: string;
  readonly arm: string;
  readonly seed: number;
  readonly version: string;
}

export const stampText = (stamp: ExportStamp): string => (
  `Swaplab ${stamp.version} · ${stamp.experiment} · kernel ${stamp.kernel}${stamp.arm ? ` · arm ${stamp.arm}` : ''} · seed ${stamp.seed}`
);

const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Columns as CSV: comment lines with where they come from, a header with units (the metric's own name ends in its unit),
 * then a line a bucket with minimum, maximum and last value at full precision. Nothing recorded: an empty cell.
 */
export function toCsv(frame: SeriesFrame, stamp: ExportStamp): string {
  const head = ['time_s', ...frame.columns.flatMap((c) => [`${c.metric}.min`, `${c.metric}.max`, `${c.metric}.last`])];
  const lines = [
    `# ${stampText(stamp)}`,
    `# buckets of ${frame.bucketNs / 1e9} s of simulated time; time_s is the start of a bucket`,
    head.map(cell).join(','),
  ];
  const length = frame.columns.reduce((most, column) => Math.max(most, column.last.length), 0);
  const text = (value: number | undefined): string => (value === undefined || Number.isNaN(value) ? '' : String(value));
  for (let i = 0; i < length; i += 1) {
    const time = String((frame.start + i * frame.bucketNs) / 1e9);
    lines.push([time, ...frame.columns.flatMap((c) => [text(c.min[i]), text(c.max[i]), text(c.last[i])])].join(','));
  }
  return `${lines.join('\n')}\n`;
}

const HEAD_PX = 44;
const FOOT_PX = 20;

/** The drawing with title, legend, marks and a line that says where it comes from, as PNG. @throws Error when the browser makes none. */
export async function toPng(
  drawing: HTMLCanvasElement, title: string, series: readonly ChartSeries[], stamp: ExportStamp,
  marks: readonly { readonly x: number; readonly source: EventMark['source']; readonly label?: string }[], plotLeft: number,
): Promise<Uint8Array> {
  const palette = readPalette();
  const scale = 2;
  const canvas = document.createElement('canvas');
  canvas.width = drawing.width;
  canvas.height = drawing.height + (HEAD_PX + FOOT_PX) * scale;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws no pictures.');
  pen.fillStyle = palette.panel;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(drawing, 0, HEAD_PX * scale);
  pen.scale(scale, scale);
  pen.font = `600 13px ${palette.font}`;
  pen.fillStyle = palette.ink;
  pen.fillText(title, 12, 18);
  pen.font = `11px ${palette.font}`;
  let x = 12;
  for (const line of series) {
    pen.fillStyle = palette.series[line.colour - 1] ?? palette.ink;
    pen.fillRect(x, 27, 10, 10);
    pen.fillStyle = palette.ink;
    pen.fillText(line.name, x + 14, 36);
    x += 28 + pen.measureText(line.name).width;
  }
  const bottom = canvas.height / scale - FOOT_PX;
  pen.setLineDash([3, 3]);
  for (const mark of marks) {
    const colour = mark.source === 'live' ? palette.accent : mark.source === 'kernel' ? palette.bad : palette.text;
    pen.strokeStyle = colour;
    pen.beginPath();
    pen.moveTo(plotLeft + mark.x, HEAD_PX + 8);
    pen.lineTo(plotLeft + mark.x, bottom - 20);
    pen.stroke();
    pen.fillStyle = colour;
    if (mark.label) pen.fillText(mark.label, plotLeft + mark.x + 4, HEAD_PX + 17);
  }
  pen.fillStyle = palette.text;
  pen.fillText(stampText(stamp), 12, canvas.height / scale - 7);
  const blob = await new Promise<Blob | null>((resolve) => { canvas.toBlob(resolve, 'image/png'); });
  if (!blob) throw new Error('The picture could not be made.');
  return new Uint8Array(await blob.arrayBuffer());
}
