import { describe, expect, it } from 'vitest';
import { canonicalText } from './canonical';
import { experimentJsonSchema, resultJsonSchema } from './json-schema';

describe('JSON Schemas', () => {
  // `npx vitest run src/contract/files.test.ts -u` writes them anew after a change of the zod schemas.
  it('in resources/schema are those of the zod schemas', async () => {
    await expect(experimentJsonSchema()).toMatchFileSnapshot('../../resources/schema/experiment.schema.json');
    await expect(resultJsonSchema()).toMatchFileSnapshot('../../resources/schema/result.schema.json');
  });
});

describe('the canonical writer', () => {
  it('orders known keys as the format does, keeps the order of writes, and puts one field on a line', () => {
    const text = canonicalText({
      claims: [], seeds: [1, 2], title: 't', version: 1, format: 'swaplab/experiment', kernel: undefined,
      machine: { cgroups: [{ set: { 'memory.swap.max': '1', 'memory.max': '2' }, path: '/a' }], ram_pages: 1 },
      metrics: { b: 1, a: NaN, c: new Float64Array([1, NaN]) },
    });
    expect(text).toBe(`{
  "format": "swaplab/experiment",
  "version": 1,
  "title": "t",
  "machine": {
    "ram_pages": 1,
    "cgroups": [
      {
        "path": "/a",
        "set": {
          "memory.swap.max": "1",
          "memory.max": "2"
        }
      }
    ]
  },
  "seeds": [1, 2],
  "claims": [],
  "metrics": {
    "a": null,
    "b": 1,
    "c": [1, null]
  }
}
`);
    expect(canonicalText(JSON.parse(text))).toBe(text);
  });
});
