/** Which sizes of large folios are in use (/sys/kernel/mm/transparent_hugepage). */
import type { Mm } from './mm';

/** Is a folio size taken at faults? */
export function thpEnabled(mm: Mm, order: number): boolean {
  const mode = mm.thpModes[order];
  return mode === 'always' || (mode === 'inherit' && mm.thpGlobal === 'always');
}
