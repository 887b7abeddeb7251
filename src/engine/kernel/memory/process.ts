/**
 * A process with anonymous memory. Its page table is one Uint32 a page:
 *
 * | value                     | meaning |
 * |---------------------------|---------|
 * | 0                         | never touched, or dropped |
 * | 0x00000001 … 0xF7FFFFFF   | swap entry (types 0 … 30) |
 * | 0xF8000000 + folio        | resident in this folio |
 */
import { CONTENTS, type Content } from './compression';
import type { Memcg } from './memcg';
import type { ProcessState, ProcessView } from './types';

export const PTE_RESIDENT = 0xf8000000;
const PTE_FOLIO = 0x07ffffff;
export const isResident = (pte: number): boolean => pte >= PTE_RESIDENT;
export const isSwapEntry = (pte: number): boolean => pte !== 0 && pte < PTE_RESIDENT;
export const folioOf = (pte: number): number => pte & PTE_FOLIO;
export const residentPte = (folio: number): number => (PTE_RESIDENT | folio) >>> 0;

/** Large folios of a process end here at the latest: behind are small ones by advice, its stack and its data. */
export const largeFolioEnd = (task: Process): number => Math.min(task.sizePages, task.smallFoliosFrom);

/** Pages that one page of a page table maps. */
export const TABLE_PAGES = 512;

/**
 * What a small static program has besides the memory it asks for: stack and data, 13 anonymous pages; 12 pages of upper
 * page tables and tables for text, data and stack; 2 pages of slab. From the hog of the captures: anon less what its own
 * memory explains, pagetables less one for each 2 MiB, kernel less pagetables (7.3, states 2 and 4).
 */
export const BASE_ANON_PAGES = 13;
export const BASE_TABLE_PAGES = 12;
export const BASE_SLAB_PAGES = 2;

export class Process implements ProcessView {
  readonly pid: number;
  readonly name: string;
  /** Index in Mm.tasks, kept in the folios. */
  readonly slot: number;
  cgroup: Memcg;
  state: ProcessState = 'running';
  readonly sizePages: number;
  readonly content: Content;
  /** Its place in CONTENTS, kept in slots. */
  readonly contentIndex: number;
  readonly cpu: number;
  readonly startedAt: number;
  /** Pages from here on take small folios only. */
  smallFoliosFrom = Infinity;
  touchedPages = 0;
  rssAnonPages = 0;
  swapEntries = 0;
  /** The sizePages asked for, then BASE_ANON_PAGES of stack and data. */
  pte: Uint32Array;
  /** Page table entries that are not empty, by page table. */
  populated: Uint16Array;
  /** 1: the page table exists. */
  tables: Uint8Array;
  /** By page, 1: write-protected because it was shared when it was mapped or forked. Null: the process has no relatives. */
  cow: Uint8Array | null = null;
  /** This process and its relatives by fork, ended ones left out; one array for all of them. */
  family: Process[] | null = null;
  /** Readahead of this mapping (vma->swap_readahead_info): page of the last swap fault, window then, hits since. */
  raPage = -2;
  raWindow = 0;
  raHits = 0;
  /** 1: the last fault came right behind the one before it, -1: right in front of it, 0: elsewhere. */
  raDirection: -1 | 0 | 1 = 0;
  /** Pages charged while a cgroup was above memory.high or memory.swap.high, not yet worked off (memcg_nr_pages_over_high). */
  overHighPages = 0;
  /** Page tables charged, and the cgroup that pays for them. */
  tablePages = 0;
  slabPages = 0;
  readonly tableMemcg: Memcg;

  constructor(pid: number, slot: number, name: string, sizePages: number, content: Content, memcg: Memcg, cpu: number, now: number) {
    this.pid = pid;
    this.slot = slot;
    this.name = name;
    this.sizePages = sizePages;
    this.content = content;
    this.contentIndex = CONTENTS.indexOf(content);
    this.cgroup = memcg;
    this.tableMemcg = memcg;
    this.cpu = cpu;
    this.startedAt = now;
    const pages = sizePages + BASE_ANON_PAGES;
    this.pte = new Uint32Array(pages);
    this.populated = new Uint16Array(Math.ceil(pages / TABLE_PAGES));
    this.tables = new Uint8Array(this.populated.length);
  }

  get pageTableBytes(): number {
    return this.tablePages * 4096;
  }

  /** Its page table is gone. */
  release(): void {
    this.pte = new Uint32Array(0);
    this.populated = new Uint16Array(0);
    this.tables = new Uint8Array(0);
    this.cow = null;
  }

  get alive(): boolean {
    return this.state === 'running' || this.state === 'holding';
  }
}
