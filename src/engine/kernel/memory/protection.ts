/**
 * memory.min and memory.low as reclaim sees them: what a cgroup may keep of its own setting, given what its parent keeps.
 * Source: effective_protection, page_counter_calculate_protection (mm/page_counter.c), with memory_recursiveprot, as systemd
 * mounts the hierarchy.
 */
import type { Memcg } from './memcg';

type Kind = 'minPages' | 'lowPages';

/** Pages of a cgroup that its setting covers. */
const covered = (memcg: Memcg, kind: Kind): number => Math.min(memcg.currentPages, memcg[kind]);

/** Pages of `memcg` that reclaim on behalf of `top`, at or above it, spares. The target itself and the root are not spared. */
export function effectiveProtection(top: Memcg, memcg: Memcg, kind: Kind): number {
  const { parent } = memcg;
  if (memcg === top || parent === null || memcg.currentPages === 0) return 0;
  if (parent === top) return memcg[kind];
  const ofParent = effectiveProtection(top, parent, kind);
  if (ofParent === 0) return 0;
  let siblings = 0;
  for (const child of parent.children) siblings += covered(child, kind);
  const own = covered(memcg, kind);
  if (siblings > ofParent) return Math.floor((own * ofParent) / siblings);
  if (parent.currentPages <= siblings || memcg.currentPages <= own) return own;
  // What nobody claims is shared out by what lies beyond the claims.
  return own + Math.floor(((ofParent - siblings) * (memcg.currentPages - own)) / (parent.currentPages - siblings));
}
