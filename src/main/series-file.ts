/**
 * Recorded columns as a file of doubles.
 *
 * | bytes        | what                                                                                  |
 * |--------------|---------------------------------------------------------------------------------------|
 * | 0…7          | `SWAPSER1`                                                                            |
 * | 8…11         | length of the header, unsigned, little-endian                                         |
 * | then         | header: JSON {start, bucketNs, points, metrics}, padded with spaces to 8 bytes        |
 * | then         | for each metric: points doubles of min, of max, of last, little-endian                |
 */
import { z } from 'zod';
import type { StoredSeries } from '../contract/app-api';

const MAGIC = 'SWAPSER1';
const headerSchema = z.strictObject({
  start: z.number().min(0),
  bucketNs: z.number().min(0),
  points: z.number().int().min(0).max(65_536),
  metrics: z.array(z.string().min(1).max(200)).max(512),
});

export function encodeSeries(series: StoredSeries): Uint8Array {
  const points = series.columns[0]?.last.length ?? 0;
  const header = new TextEncoder().encode(
    JSON.stringify({ start: series.start, bucketNs: series.bucketNs, points, metrics: series.columns.map((column) => column.metric) }),
  );
  const headerLength = Math.ceil((header.length + 12) / 8) * 8 - 12;
  const bytes = new Uint8Array(12 + headerLength + series.columns.length * 3 * points * 8);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC), 0);
  view.setUint32(8, headerLength, true);
  bytes.fill(0x20, 12, 12 + headerLength);
  bytes.set(header, 12);
  let offset = 12 + headerLength;
  for (const column of series.columns) {
    for (const values of [column.min, column.max, column.last]) {
      if (values.length !== points) throw new Error(`Column ${column.metric} has ${values.length} points, others ${points}.`);
      for (const value of values) {
        view.setFloat64(offset, value, true);
        offset += 8;
      }
    }
  }
  return bytes;
}

/** @returns undefined when it is no such file, or torn */
export function decodeSeries(bytes: Uint8Array): StoredSeries | undefined {
  if (bytes.length < 12 || new TextDecoder('latin1').decode(bytes.subarray(0, 8)) !== MAGIC) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = view.getUint32(8, true);
  if (headerLength > bytes.length - 12) return undefined;
  const header = parseHeader(bytes.subarray(12, 12 + headerLength));
  if (header === undefined || bytes.length !== 12 + headerLength + header.metrics.length * 3 * header.points * 8) return undefined;
  let offset = 12 + headerLength;
  const read = (): Float64Array => {
    const values = new Float64Array(header.points);
    for (let i = 0; i < values.length; i += 1, offset += 8) values[i] = view.getFloat64(offset, true);
    return values;
  };
  const columns = header.metrics.map((metric) => ({ metric, min: read(), max: read(), last: read() }));
  return { start: header.start, bucketNs: header.bucketNs, columns };
}

function parseHeader(bytes: Uint8Array): z.infer<typeof headerSchema> | undefined {
  try {
    return headerSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
