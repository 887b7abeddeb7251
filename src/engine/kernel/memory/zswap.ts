/**
 * zswap: compressed pages in a zsmalloc pool in front of the swap devices. Source: mm/zswap.c (6.18, 7.3).
 * Stored pages are charged to their cgroup by compressed length; the pool's pages themselves are the machine's.
 */
import { compressedBytes, type Content } from './compression';
import type { Memcg } from './memcg';
import { PAGES_MAX, type ZswapView } from './types';
import type { Entry } from '../swap/types';
import { ZsPool } from './zsmalloc';

/** An object of the pool that no slot refers to; `info`: what the slot said of it (slots.ts). */
export interface StaleEntry {
  readonly zspage: number;
  readonly info: number;
}

export class Zswap implements ZswapView {
  enabled = false;
  /** It has been on since the start (zswap_never_enabled). */
  everEnabled = false;
  compressor = 'lzo';
  maxPoolPercent = 20;
  acceptThresholdPercent = 90;
  shrinkerEnabled = false;
  storedBytes = 0;
  storedPages = 0;
  storedIncompressiblePages = 0;
  poolLimitHit = 0;
  writtenBackPages = 0;
  rejectReclaimFail = 0;
  rejectAllocFail = 0;
  rejectKmemcacheFail = 0;
  rejectCompressFail = 0;
  rejectCompressPoor = 0;
  decompressFail = 0;
  /** The pool was full and has not yet come below the accept threshold. */
  reachedFull = false;
  readonly pool = new ZsPool();
  /** Defect nr-pages-zero: entries whose slot was freed without them, by slot. */
  readonly stale = new Map<Entry, StaleEntry>();
  /** Entries that could be written back to a device, oldest first. */
  readonly oldest = new Set<Entry>();

  get poolPages(): number {
    return this.pool.pages;
  }

  limitPages(ramPages: number): number {
    return Math.floor((ramPages * this.maxPoolPercent) / 100);
  }

  thresholdPages(ramPages: number): number {
    return Math.floor((this.limitPages(ramPages) * this.acceptThresholdPercent) / 100);
  }

  /** zswap_check_limits: true when nothing more is taken in now. */
  isFull(ramPages: number): boolean {
    if (this.pool.pages >= this.limitPages(ramPages)) {
      this.poolLimitHit++;
      this.reachedFull = true;
    } else if (this.reachedFull && this.pool.pages <= this.thresholdPages(ramPages)) {
      this.reachedFull = false;
    }
    return this.reachedFull;
  }

  lengthOf(content: Content): number {
    return compressedBytes(this.compressor, content);
  }

  /** Stores an object; returns its zspage. The caller has made sure that the machine has the pages. */
  add(length: number): number {
    this.storedPages++;
    this.storedBytes += length;
    if (length === 4096) this.storedIncompressiblePages++;
    return this.pool.alloc(length);
  }

  /** Drops an object; returns the pages that became free. */
  remove(zspage: number, length: number): number {
    this.storedPages--;
    this.storedBytes -= length;
    if (length === 4096) this.storedIncompressiblePages--;
    return this.pool.free(zspage);
  }
}

/** obj_cgroup_may_zswap: is every ancestor below its memory.zswap.max? Compared in pages. */
export function mayZswap(memcg: Memcg): boolean {
  for (let at: Memcg | null = memcg; at !== null && at.parent !== null; at = at.parent) {
    if (at.zswapMaxPages === PAGES_MAX) continue;
    if (at.zswapMaxPages === 0) return false;
    if (Math.floor(at.zswapCurrentBytes / 4096) >= at.zswapMaxPages) return false;
  }
  return true;
}

/** mem_cgroup_zswap_writeback_enabled: every ancestor allows it. */
export function writebackEnabled(memcg: Memcg): boolean {
  for (let at: Memcg | null = memcg; at !== null; at = at.parent) if (!at.zswapWriteback) return false;
  return true;
}
