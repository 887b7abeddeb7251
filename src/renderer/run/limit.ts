/** The xswap limit: what is typed, what is written to the kernel, and why it reads back as it does. */

export type LimitUnit = 'pages' | 'MiB';

const PAGES_A_MIB = 256;
export const CLUSTER_PAGES = 512;

/** The highest limit that reads back: twice RAM in whole clusters, without the header slot. */
export const highestLimit = (ramPages: number): number => Math.floor((2 * ramPages) / CLUSTER_PAGES) * CLUSTER_PAGES - 1;

export const inUnit = (pages: number, unit: LimitUnit): string => (
  unit === 'pages' ? String(pages) : String(Number((pages / PAGES_A_MIB).toFixed(3)))
);

/**
 * The text for the file. In pages the text goes to the kernel as typed, so that the kernel judges it; MiB are ours, so a text that
 * is no number of MiB is refused here.
 */
export function limitText(typed: string, unit: LimitUnit): { text: string } | { refused: string } {
  if (unit === 'pages') return { text: typed };
  const trimmed = typed.trim();
  if (!/^\d+(\.\d+)?$/.test(trimmed)) return { refused: 'Expected a number of MiB, such as 4096 or 512.5' };
  return { text: String(Math.round(Number(trimmed) * PAGES_A_MIB)) };
}

/** Why the file reads what it reads, in one sentence. */
export function explainLimit(facts: { written: number; readsBack: number; usedPages: number; ramPages: number }): string {
  const { written, readsBack, usedPages, ramPages } = facts;
  if (!Number.isFinite(written) || written === readsBack) return 'taken as written';
  const covering = Math.ceil((usedPages + 1) / CLUSTER_PAGES) * CLUSTER_PAGES - 1;
  if (readsBack > written && readsBack >= covering && written <= usedPages) {
    return `raised to the clusters that cover the ${usedPages} pages in use`;
  }
  if (readsBack < written && readsBack === highestLimit(ramPages)) return 'lowered to the address space, twice RAM';
  return `rounded ${readsBack < written ? 'down' : 'up'} to whole clusters of ${CLUSTER_PAGES} pages, less the header slot`;
}
