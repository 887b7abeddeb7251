import { describe, expect, it } from 'vitest';
import { explainLimit, highestLimit, inUnit, limitText } from './limit';

// RAM of the xswap v3 cover letter.
const RAM = 2_034_976;

describe('limit', () => {
  it('is at most twice RAM in whole clusters, less the header slot (seed step 5: 4069887)', () => {
    expect(highestLimit(RAM)).toBe(4_069_887);
  });
  it('goes to the kernel as typed in pages, so that the kernel judges it', () => {
    for (const text of ['3052543', '12x', '', ' 5 ', '-1', '0x10']) expect(limitText(text, 'pages')).toEqual({ text });
  });
  it('is turned into pages from MiB, and refused when it is no number of MiB', () => {
    expect(limitText('4096', 'MiB')).toEqual({ text: '1048576' });
    expect(limitText('0.5', 'MiB')).toEqual({ text: '128' });
    for (const text of ['4G', '', '-1', '1e3']) expect(limitText(text, 'MiB')).toHaveProperty('refused');
    expect(inUnit(1_048_576, 'MiB')).toBe('4096');
    expect(inUnit(2_035_199, 'pages')).toBe('2035199');
  });
  it('says why the file reads what it reads', () => {
    const facts = { usedPages: 2_426_664, ramPages: RAM };
    // Seed step 4.
    expect(explainLimit({ ...facts, written: 1_000_000, readsBack: 2_426_879 })).toBe('raised to the clusters that cover the 2426664 pages in use');
    expect(explainLimit({ ...facts, written: 3_052_543, readsBack: 3_052_543 })).toBe('taken as written');
    expect(explainLimit({ ...facts, written: 9e9, readsBack: 4_069_887 })).toBe('lowered to the address space, twice RAM');
    expect(explainLimit({ ...facts, usedPages: 0, written: 3_052_600, readsBack: 3_052_543 })).toContain('rounded down to whole clusters');
    expect(explainLimit({ ...facts, usedPages: 0, written: 3_052_500, readsBack: 3_052_543 })).toContain('rounded up to whole clusters');
  });
});
