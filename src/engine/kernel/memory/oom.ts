/**
 * The OOM killer and its report. Source: mm/oom_kill.c, mm/memcontrol.c (guests of 6.18 and 7.3, state 7).
 * The report leaves out registers and call trace, which no model can have.
 */
import { MEMCG_STAT, MEMCG_STAT_618, sinceLinux7 } from './counters';
import { exitProcess } from './exit';
import type { Memcg } from './memcg';
import { memcgStatValue } from './memcg-stat';
import type { Mm } from './mm';
import type { Process } from './process';

/** Pages of program text, data and stack that a task has besides the memory it asked for. */
const BASE_VM_PAGES = 248;

/** oom_badness without oom_score_adj: pages it would give back. */
function badness(task: Process): number {
  return task.rssAnonPages + task.swapEntries + task.tablePages;
}

/**
 * In the order in which the kernel looks at them: of the machine as they were started (for_each_process), of a cgroup group by
 * group, parents first, as they came into it (mem_cgroup_scan_tasks).
 */
function tasksOf(mm: Mm, memcg: Memcg | null): Process[] {
  const alive = mm.tasks.filter((task): task is Process => task !== undefined && task.alive).sort((a, b) => a.pid - b.pid);
  if (memcg === null) return alive;
  const byPid = new Map(alive.map((task) => [task.pid, task]));
  const tasks: Process[] = [];
  memcg.walk((at) => {
    for (const pid of at.pids) {
      const task = byPid.get(pid);
      if (task !== undefined) tasks.push(task);
    }
  });
  return tasks;
}

/** Why the killer is called: a charge, the charge of a page read from swap, an allocation of a task, or a write to memory.max. */
export type OomCause = 'charge' | 'swapin' | 'alloc' | 'memory.max';

const GFP: Readonly<Record<OomCause, string>> = {
  charge: '0xcc0(GFP_KERNEL)',
  swapin: '0x100cca(GFP_HIGHUSER_MOVABLE)',
  alloc: '0x140dca(GFP_HIGHUSER_MOVABLE|__GFP_ZERO|__GFP_COMP)',
  'memory.max': '0xcc0(GFP_KERNEL)',
};

/** The shell that runs the script: no process of the machine, started before all of them. */
const SHELL_PID = 1000;

/** out_of_memory: kills the worst task below `memcg` (null: of the machine). False: there is none. */
export function outOfMemory(mm: Mm, memcg: Memcg | null, cause: OomCause): boolean {
  const tasks = tasksOf(mm, memcg);
  // Swapoff is the origin of the shortage (set_current_oom_origin): it gives up, nobody is killed for it.
  if (memcg === null && mm.inSwapoff) return false;
  let victim: Process | undefined;
  // Of equally bad ones the last that is looked at (oom_evaluate_task).
  for (const task of tasks) if (victim === undefined || badness(task) >= badness(victim)) victim = task;
  report(mm, memcg, cause, tasks);
  if (victim === undefined) {
    mm.printk('Out of memory and no killable processes...');
    return false;
  }
  printVictim(mm, memcg, victim);
  const group = killGroup(memcg, victim);
  if (group === null) {
    kill(mm, memcg, victim, true);
    return true;
  }
  kill(mm, memcg, victim, true);
  mm.printk(`Tasks in ${group.path} are going to be killed due to memory.oom.group set`);
  for (const task of tasksOf(mm, group)) kill(mm, memcg, task, false);
  group.raise('oom_group_kill');
  return true;
}

/** mem_cgroup_get_oom_group: the topmost cgroup up to the one that is out of memory with memory.oom.group set. */
function killGroup(memcg: Memcg | null, victim: Process): Memcg | null {
  let group: Memcg | null = null;
  for (let at: Memcg | null = victim.cgroup; at !== null && at.parent !== null; at = at.parent) {
    if (at.oomGroup) group = at;
    if (at === memcg) break;
  }
  return group;
}

function kill(mm: Mm, memcg: Memcg | null, victim: Process, first: boolean): void {
  if (!victim.alive) return;
  const kB = (pages: number): number => pages * 4;
  const kind = first ? (memcg === null ? 'Out of memory' : 'Memory cgroup out of memory') : 'memory.oom.group set';
  mm.printk(
    `${kind}: Killed process ${victim.pid} (${victim.name}) total-vm:${kB(victim.sizePages + BASE_VM_PAGES)}kB, ` +
    `anon-rss:${kB(victim.rssAnonPages)}kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:${kB(victim.tablePages)}kB oom_score_adj:0`,
  );
  mm.events.oom_kill++;
  victim.cgroup.raise('oom_kill');
  mm.listener.onOomKill?.(victim, memcg);
  exitProcess(mm, victim, true);
}

function report(mm: Mm, memcg: Memcg | null, cause: OomCause, tasks: readonly Process[]): void {
  const current = cause === 'memory.max' ? undefined : mm.current;
  const comm = current?.name ?? (mm.inSwapoff ? 'swapoff' : 'sh');
  mm.printk(`${comm} invoked oom-killer: gfp_mask=${GFP[cause]}, order=0, oom_score_adj=0`);
  mm.printk(`CPU: ${mm.cpu} UID: 0 PID: ${current?.pid ?? SHELL_PID} Comm: ${comm} Not tainted ${mm.config.release} #1 PREEMPT(lazy) `);
  if (memcg !== null) {
    mm.printk(`memory: usage ${memcg.currentPages * 4}kB, limit ${memcg.maxPages * 4}kB, failcnt ${memcg.failcnt}`);
    mm.printk(`swap: usage ${memcg.swapCurrentPages * 4}kB, limit ${memcg.swapMaxPages * 4}kB, failcnt ${memcg.swapFailcnt}`);
    mm.printk(`Memory cgroup stats for ${memcg.path}:`);
    const since7 = sinceLinux7(mm.config.release);
    for (const name of since7 ? MEMCG_STAT : MEMCG_STAT_618) mm.printk(`${name} ${memcgStatValue(mm, memcg, name)}`);
    if (since7) mm.printk(`Memory cgroup min protection ${memcg.minPages * 4}kB -- low protection ${memcg.lowPages * 4}kB`);
  } else {
    // Of the memory report (__show_mem) the lines about what is modelled.
    mm.printk(`${mm.swapCachePages} total pagecache pages`);
    mm.printk(`${mm.swapCachePages} pages in swap cache`);
    mm.printk(`Free swap  = ${mm.swap.freePages * 4}kB`);
    mm.printk(`Total swap = ${mm.swap.totalPages * 4}kB`);
    mm.printk(`${mm.totalPages} pages RAM`);
  }
  mm.printk('Tasks state (memory values in pages):');
  mm.printk('[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name');
  for (const task of tasks) {
    const column = (value: number, width: number): string => String(value).padStart(width);
    mm.printk(
      `[${column(task.pid, 7)}] ${column(0, 5)} ${column(task.pid, 5)} ${column(task.sizePages + BASE_VM_PAGES, 8)} ` +
      `${column(task.rssAnonPages, 8)} ${column(task.rssAnonPages, 8)} ${column(0, 8)} ${column(0, 9)} ` +
      `${column(task.pageTableBytes, 8)} ${column(task.swapEntries, 8)}         ${column(0, 5)} ${task.name}`,
    );
  }
}

function printVictim(mm: Mm, memcg: Memcg | null, victim: Process): void {
  const constraint = memcg === null ? 'CONSTRAINT_NONE' : 'CONSTRAINT_MEMCG';
  const nodes = mm.config.machine.nodes;
  const allowed = nodes > 1 ? `0-${nodes - 1}` : '0';
  const scope = memcg === null ? 'global_oom' : `oom_memcg=${memcg.path}`;
  mm.printk(
    `oom-kill:constraint=${constraint},nodemask=(null),cpuset=/,mems_allowed=${allowed},${scope},` +
    `task_memcg=${victim.cgroup.path},task=${victim.name},pid=${victim.pid},uid=0`,
  );
}
