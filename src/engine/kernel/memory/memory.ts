/**
 * The memory layer as the rest of the machine sees it: MemorySystem over the state in Mm. Each mechanism has a file of its
 * own (README.md lists them); this one joins them and keeps the processes.
 */
import { KernelError } from '../../errno';
import type { Timeline } from '../../simulation/actor';
import type { SwapSystem } from '../swap/swap-system';
import { entryOf, type SwapHost, type SwapWork } from '../swap/types';
import { handleOverHigh } from './charge';
import { COMPRESSORS, contentOf, type Content } from './compression';
import { THP_STAT, type MemcgStatName, type ThpStatName } from './counters';
import type { Zram } from './devices';
import { exitProcess, splitOnLru, zapRange } from './exit';
import { chargeBase, touchPage } from './fault';
import { FOLIO } from './folios';
import { childOf, copyMemory } from './fork';
import { checkMemory } from './invariants';
import type { Memcg } from './memcg';
import { memcgStatValue } from './memcg-stat';
import { createMemcg, findMemcg, removeMemcg, setMemoryHigh, setMemoryMax } from './memcg-tree';
import { Mm } from './mm';
import { folioOf, isResident, Process } from './process';
import { pageOutFolio, tryToFreePages } from './reclaim';
import { isCached } from './slots';
import { SwapDevices } from './swap-devices';
import { thpEnabled } from './thp';
import type {
  BlockView, ForkArgs, LogLine, Meminfo, MemcgView, MemoryConfig, MemoryListener, MemorySystem, ProcessView, SpawnArgs, ThpMode, ZramView,
} from './types';
import { meminfoOf, vmstatReaders } from './vmstat';
import { startWorkers, type Workers } from './workers';

/** Slots of the process table: the folios keep them in 16 bits. */
const MAX_TASKS = 65535;

export class Memory implements MemorySystem, SwapHost {
  readonly config: MemoryConfig;
  readonly timeline: Timeline;
  readonly swap: SwapSystem;
  /** The state itself; other layers read it through the methods here. */
  readonly mm: Mm;
  private readonly devices: SwapDevices;
  private readonly workers: Workers;
  private readonly readers: Map<string, () => number>;

  constructor(config: MemoryConfig, createSwap: (host: SwapHost) => SwapSystem, timeline: Timeline) {
    this.config = config;
    this.timeline = timeline;
    const mm = new Mm(config, timeline);
    this.mm = mm;
    mm.swap = createSwap(this);
    this.swap = mm.swap;
    mm.losesZswapEntries = mm.swap.policies.defects.includes('nr-pages-zero') && mm.swap.reclaimsDirectly;
    const { machine } = config;
    if (machine.swappiness !== undefined) mm.swappiness = machine.swappiness;
    if (machine.page_cluster !== undefined) mm.pageCluster = machine.page_cluster;
    this.devices = new SwapDevices(mm);
    this.workers = startWorkers(mm, timeline);
    this.readers = vmstatReaders(mm);
  }

  // ---- SwapHost ------------------------------------------------------------------------------------------------

  isCacheOnly(type: number, offset: number): boolean {
    const table = this.mm.slots[type];
    if (table === undefined || !isCached(table.info(offset))) return false;
    const folio = this.mm.swapCache.get(entryOf(type, offset)) ?? 0;
    if (folio === 0 || table.users(offset) > 0) return false;
    return (this.mm.folios.flags[folio] & (FOLIO.mapped | FOLIO.writeback)) === FOLIO.mapped;
  }

  reclaimCacheOnly(type: number, offset: number): boolean {
    if (!this.isCacheOnly(type, offset)) return false;
    this.mm.freeSwapOf(this.mm.swapCache.get(entryOf(type, offset)) as number, true);
    return true;
  }

  cacheOnlySlots(): number {
    return this.mm.cacheOnlySlots;
  }

  scheduleWork(kind: SwapWork, type: number): void {
    this.workers.scheduleSwapWork(kind, type);
  }

  // ---- views ---------------------------------------------------------------------------------------------------

  get listener(): MemoryListener {
    return this.mm.listener;
  }

  set listener(listener: MemoryListener) {
    this.mm.listener = listener;
  }

  get root(): Memcg {
    return this.mm.root;
  }

  get zswap(): Mm['zswap'] {
    return this.mm.zswap;
  }

  get zrams(): readonly Zram[] {
    return this.mm.zrams;
  }

  get blocks(): readonly BlockView[] {
    return [...this.devices.disks.map((disk) => disk.counters), ...this.mm.zrams.map((zram) => zram.counters)];
  }

  get processes(): readonly Process[] {
    return this.mm.tasks.filter((task): task is Process => task !== undefined).sort((a, b) => a.pid - b.pid);
  }

  get log(): readonly LogLine[] {
    return this.mm.log;
  }

  get reclaimBatches(): Mm['reclaimBatches'] {
    return this.mm.reclaimBatches;
  }

  get spent(): number {
    return this.mm.spent;
  }

  set spent(ns: number) {
    this.mm.spent = ns;
  }

  meminfo(): Meminfo {
    return meminfoOf(this.mm);
  }

  vmstat(name: string): number | undefined {
    return this.readers.get(name)?.();
  }

  vmstatReader(name: string): (() => number) | undefined {
    return this.readers.get(name);
  }

  memcgStat(memcg: MemcgView, name: MemcgStatName): number {
    return memcgStatValue(this.mm, memcg as Memcg, name);
  }

  thpStat(order: number, name: ThpStatName): number {
    return this.mm.thpStats[order * THP_STAT.length + THP_STAT.indexOf(name)];
  }

  // ---- cgroups -------------------------------------------------------------------------------------------------

  memcg(path: string): Memcg {
    const memcg = findMemcg(this.mm, path);
    if (memcg === undefined) throw new KernelError('ENOENT', `no cgroup ${path}`);
    return memcg;
  }

  hasMemcg(path: string): boolean {
    return findMemcg(this.mm, path) !== undefined;
  }

  createMemcg(path: string): Memcg {
    return createMemcg(this.mm, path);
  }

  removeMemcg(path: string): void {
    removeMemcg(this.mm, path);
  }

  attach(pid: number, memcg: MemcgView): void {
    const task = this.task(pid);
    if (!task.alive) throw new KernelError('ESRCH', `process ${pid} has ended`);
    if (task.cgroup === memcg) return;
    const from = task.cgroup.pids;
    from.splice(from.indexOf(pid), 1);
    task.cgroup = memcg as Memcg;
    task.cgroup.pids.push(pid);
  }

  setMemoryMax(memcg: MemcgView, pages: number): void {
    this.asScript(() => setMemoryMax(this.mm, memcg as Memcg, pages));
  }

  setMemoryHigh(memcg: MemcgView, pages: number): void {
    this.asScript(() => setMemoryHigh(this.mm, memcg as Memcg, pages));
  }

  setMemoryLow(memcg: MemcgView, pages: number): void {
    (memcg as Memcg).lowPages = pages;
  }

  setMemoryMin(memcg: MemcgView, pages: number): void {
    (memcg as Memcg).minPages = pages;
  }

  setSwapMax(memcg: MemcgView, pages: number): void {
    (memcg as Memcg).swapMaxPages = pages;
  }

  setSwapHigh(memcg: MemcgView, pages: number): void {
    (memcg as Memcg).swapHighPages = pages;
  }

  setZswapMax(memcg: MemcgView, pages: number): void {
    (memcg as Memcg).zswapMaxPages = pages;
  }

  setZswapWriteback(memcg: MemcgView, on: boolean): void {
    (memcg as Memcg).zswapWriteback = on;
  }

  setOomGroup(memcg: MemcgView, on: boolean): void {
    (memcg as Memcg).oomGroup = on;
  }

  reclaim(memcg: MemcgView, pages: number): void {
    this.asScript(() => {
      let missing = pages;
      for (let retries = 16; missing > 0 && retries > 0;) {
        this.mm.reclaimer = 'proactive';
        const reclaimed = tryToFreePages(this.mm, memcg as Memcg, missing);
        missing -= reclaimed;
        if (reclaimed === 0) retries--;
      }
      this.mm.reclaimer = 'direct';
      if (missing > 0) throw new KernelError('EBUSY', `${missing} of ${pages} pages could not be reclaimed`);
    });
  }

  resetPeak(memcg: MemcgView): void {
    (memcg as Memcg).peakPages = memcg.currentPages;
  }

  // ---- knobs ---------------------------------------------------------------------------------------------------

  get swappiness(): number {
    return this.mm.swappiness;
  }

  set swappiness(value: number) {
    this.mm.swappiness = value;
  }

  get pageCluster(): number {
    return this.mm.pageCluster;
  }

  set pageCluster(value: number) {
    this.mm.pageCluster = value;
  }

  get thpGlobal(): 'always' | 'madvise' | 'never' {
    return this.mm.thpGlobal;
  }

  set thpGlobal(mode: 'always' | 'madvise' | 'never') {
    this.mm.thpGlobal = mode;
    this.refreshThp();
  }

  thpMode(order: number): ThpMode {
    return this.mm.thpModes[order];
  }

  setThpMode(order: number, mode: ThpMode): void {
    this.mm.thpModes[order] = mode;
    this.refreshThp();
  }

  private refreshThp(): void {
    this.mm.anyLarge = false;
    for (let order = 2; order < 10; order++) this.mm.anyLarge = this.mm.anyLarge || thpEnabled(this.mm, order);
  }

  setZswapEnabled(on: boolean): void {
    if (on && !this.mm.zswap.enabled) this.mm.printk(`zswap: loaded using pool ${this.mm.zswap.compressor}`);
    this.mm.zswap.enabled = on;
    if (on) this.mm.zswap.everEnabled = true;
  }

  setZswapCompressor(name: string): void {
    if (!COMPRESSORS.includes(name)) {
      this.mm.printk(`zswap: compressor ${name} not available`);
      throw new KernelError('ENOENT', `no compressor ${name}: there are ${COMPRESSORS.join(', ')}`);
    }
    this.mm.zswap.compressor = name;
  }

  setZswapMaxPoolPercent(percent: number): void {
    this.mm.zswap.maxPoolPercent = percent;
  }

  setZswapAcceptThreshold(percent: number): void {
    this.mm.zswap.acceptThresholdPercent = percent;
  }

  // ---- devices -------------------------------------------------------------------------------------------------

  setZramDisksize(zram: ZramView, bytes: number): void {
    this.devices.setDisksize(zram as Zram, bytes);
  }

  resetZram(zram: ZramView): void {
    this.devices.reset(zram as Zram);
  }

  setZramCompressor(zram: ZramView, name: string): void {
    this.devices.setCompressor(zram as Zram, name);
  }

  hotAddZram(): number {
    return this.devices.hotAdd();
  }

  hotRemoveZram(index: number): void {
    this.devices.hotRemove(index);
  }

  swapon(name: string, priority?: number): number {
    this.mm.spent += this.mm.costs.systemCall;
    return this.devices.swapon(name, priority);
  }

  swapoff(name: string): void {
    this.asScript(() => this.devices.swapoff(name));
  }

  createXswap(priority?: number): number {
    return this.devices.createXswap(priority);
  }

  destroyXswap(type: number): void {
    this.asScript(() => this.devices.destroyXswap(type));
  }

  // ---- processes -----------------------------------------------------------------------------------------------

  spawn(args: SpawnArgs): Process {
    const { mm } = this;
    const slot = freeTaskSlot(mm);
    const now = this.timeline.now + mm.spent;
    const content = contentFor(args);
    const memcg = args.memcg as Memcg;
    const task = new Process(mm.nextPid++, slot, args.name.slice(0, 15), args.sizePages, content, memcg, args.cpu, now);
    if (args.smallFoliosFrom !== undefined) task.smallFoliosFrom = args.smallFoliosFrom;
    mm.tasks[slot] = task;
    memcg.pids.push(task.pid);
    this.asTask(task, () => {
      chargeBase(mm, task);
      for (let page = task.sizePages; page < task.pte.length && touchPage(mm, task, page, true); page++);
    });
    return task;
  }

  fork(process: ProcessView, args: ForkArgs): Process {
    const parent = process as Process;
    if (!parent.alive) throw new KernelError('ESRCH', `process ${parent.pid} has ended`);
    const child = childOf(this.mm, parent, freeTaskSlot(this.mm), args, this.timeline.now + this.mm.spent);
    let done = false;
    this.asTask(parent, () => {
      done = copyMemory(this.mm, parent, child);
      if (parent.alive && parent.overHighPages > 0) handleOverHigh(this.mm, parent);
    });
    if (!done) throw new KernelError('ENOMEM', `no memory for the page tables of a child of ${parent.name}`);
    return child;
  }

  exit(pid: number, killed: boolean): void {
    const task = this.task(pid);
    if (!task.alive) return;
    exitProcess(this.mm, task, killed);
  }

  forget(pid: number): void {
    const task = this.task(pid);
    if (!task.alive) this.mm.tasks[task.slot] = undefined;
  }

  touch(process: ProcessView, page: number, write: boolean): boolean {
    const { mm } = this;
    const task = process as Process;
    mm.cpu = task.cpu;
    mm.current = task;
    const alive = touchPage(mm, task, page, write);
    mm.current = undefined;
    if (!alive && task.alive) {
      // VM_FAULT_OOM without a victim: the fault is tried again for ever on a real machine; here the process ends.
      mm.printk(`${task.name}[${task.pid}]: out of memory in a page fault, nothing to kill`);
      exitProcess(mm, task, true);
    }
    return alive;
  }

  pageout(process: ProcessView, from: number, to: number, usedSlots = Infinity): number {
    const { mm } = this;
    const task = process as Process;
    let written = 0;
    this.asTask(task, () => {
      for (let page = from; page < to; page++) {
        if (this.swap.totalPages - this.swap.freePages >= usedSlots) break;
        if (!isResident(task.pte[page])) continue;
        let folio = folioOf(task.pte[page]);
        // Nor is a page taken that others map too (folio_mapcount).
        if ((mm.folios.flags[folio] & FOLIO.writeback) !== 0 || mm.extraMappers.has(folio)) continue;
        const first = mm.folios.page[folio];
        // madvise_cold_or_pageout_pte_range: of a folio that sticks out, only the pages asked for go.
        if (first < from || first + (1 << mm.folios.order[folio]) > to) {
          splitOnLru(mm, folio);
          folio = folioOf(task.pte[page]);
        }
        const memcg = mm.memcgs[mm.folios.memcg[folio]] as Memcg;
        written += pageOutFolio(mm, memcg, folio);
      }
      mm.flushDevices();
    });
    return written;
  }

  drop(process: ProcessView, from: number, to: number): void {
    this.asTask(process as Process, () => zapRange(this.mm, process as Process, from, to));
  }

  private task(pid: number): Process {
    const task = this.mm.tasks.find((candidate) => candidate?.pid === pid);
    if (task === undefined) throw new KernelError('ESRCH', `no process ${pid}`);
    return task;
  }

  /** Runs `work` on behalf of a process, on its CPU. */
  private asTask(task: Process, work: () => void): void {
    const { mm } = this;
    const { cpu, current } = mm;
    mm.cpu = task.cpu;
    mm.current = task;
    work();
    mm.cpu = cpu;
    mm.current = current;
  }

  /** Runs `work` on behalf of the shell that runs the script, on CPU 0. */
  private asScript(work: () => void): void {
    const { mm } = this;
    mm.cpu = 0;
    mm.current = undefined;
    mm.spent += mm.costs.systemCall;
    work();
  }

  // ---- upkeep --------------------------------------------------------------------------------------------------

  checkInvariants(): string[] {
    return checkMemory(this.mm);
  }

  digestState(feed: (part: ArrayBufferView | number | string) => void): void {
    const { mm } = this;
    const { folios, lru } = mm;
    for (const column of [folios.flags, folios.order, folios.memcg, folios.owner, folios.page, folios.swap, folios.next, folios.prev]) {
      feed(column);
    }
    for (const column of [lru.head, lru.tail, lru.pages, mm.thpStats]) feed(column);
    mm.root.walk((memcg) => {
      feed(memcg.path);
      for (const part of [memcg.stat, memcg.stock, memcg.objectStock]) feed(part);
      for (const part of [memcg.currentPages, memcg.peakPages, memcg.maxPages, memcg.swapCurrentPages, memcg.failcnt, memcg.age]) feed(part);
    });
    for (const task of mm.tasks) {
      if (task === undefined) continue;
      feed(task.name);
      for (const part of [task.pid, task.touchedPages, task.rssAnonPages, task.swapEntries]) feed(part);
      feed(task.pte);
      if (task.cow !== null) feed(task.cow);
    }
    for (const table of mm.slots) if (table !== undefined) for (const column of table.columns()) feed(column);
    for (const name of Object.keys(mm.events) as (keyof Mm['events'])[]) feed(mm.events[name]);
    for (const part of [mm.freePages, mm.anonPages, mm.swapCachePages, mm.zswap.pool.pages, mm.zswap.storedBytes]) feed(part);
    for (const line of mm.log) feed(line.text);
  }

  liveObjects(): number {
    const { mm } = this;
    let objects = mm.folios.live + mm.zswap.pool.zspages + mm.swapCache.size + mm.zswap.oldest.size + mm.zswap.stale.size + mm.writeback.pending;
    objects += mm.extraMappers.size;
    for (const zram of mm.zrams) objects += 1 + zram.pool.zspages;
    for (const table of mm.slots) if (table !== undefined) objects += 1 + table.count;
    for (const memcg of mm.memcgs) if (memcg !== undefined) objects++;
    for (const task of mm.tasks) if (task !== undefined) objects++;
    return objects;
  }

  get bytes(): number {
    const { mm } = this;
    let bytes = mm.folios.bytes + mm.zswap.pool.bytes + mm.swapCache.size * 32 + mm.zswap.oldest.size * 24;
    for (const zram of mm.zrams) bytes += zram.pool.bytes;
    for (const table of mm.slots) if (table !== undefined) bytes += table.bytes;
    for (const task of mm.tasks) if (task !== undefined) bytes += task.pte.byteLength + task.populated.byteLength + (task.cow?.byteLength ?? 0);
    return bytes;
  }
}

function freeTaskSlot(mm: Mm): number {
  let slot = 0;
  while (mm.tasks[slot] !== undefined) slot++;
  if (slot > MAX_TASKS) throw new KernelError('ENOMEM', `there are ${MAX_TASKS} processes already`);
  return slot;
}

/** Content of a new process, by program and fill. */
function contentFor(args: SpawnArgs): Content {
  return args.fill === 'hog-pattern' ? 'hog' : contentOf(args.program ?? 'memhog', args.fill);
}
