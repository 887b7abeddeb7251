import { describe, expect, it } from 'vitest';
import { offsetOf } from '../swap/types';
import type { Memory } from './memory';
import { folioOf, type Process } from './process';
import { kindOf, SLOT } from './slots';
import { machineOf, POLICIES_6_18, touchAll } from './testing/guest';
import type { MemoryPolicies } from './types';

/** A program of 256 pages on a disk behind zswap, all of it written and paged out. */
function pagedOut(policies: Partial<MemoryPolicies>, orders: readonly number[] = []): { memory: Memory; process: Process } {
  const memory = machineOf(
    { ram_pages: 16384, cpus: 1, nodes: 1, swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 4096 }], page_cluster: 0 },
    { ...POLICIES_6_18, ...policies }, 'linux-6.18', '6.18.15',
  );
  memory.createMemcg('/app');
  memory.swapon('/dev/vdc');
  memory.setZswapEnabled(true);
  for (const order of orders) memory.setThpMode(order, 'always');
  const process = memory.spawn({ name: 'p', sizePages: 256, fill: 'pattern', memcg: memory.memcg('/app'), cpu: 0 });
  touchAll(memory, process);
  memory.pageout(process, 0, 256);
  return { memory, process };
}

const stat = (memory: Memory, name: 'zswpin' | 'zswpout' | 'pswpout'): number => memory.memcgStat(memory.memcg('/app'), name);

describe.each(['kept', 'exclusive'] as const)('zswapLoad %s', (zswapLoad) => {
  const kept = zswapLoad === 'kept';

  it(`a page that is read ${kept ? 'leaves its entry, and goes again for nothing' : 'takes its entry along, and is compressed anew'}`, () => {
    const { memory, process } = pagedOut({ zswapLoad });
    expect([memory.zswap.storedPages, stat(memory, 'zswpout')]).toEqual([256, 256]);
    touchAll(memory, process, 0, 100, false);
    expect(stat(memory, 'zswpin')).toBe(100);
    expect(memory.zswap.storedPages).toBe(kept ? 256 : 156);
    expect(memory.checkInvariants()).toEqual([]);
    expect(memory.pageout(process, 0, 256)).toBe(100);
    expect([memory.zswap.storedPages, stat(memory, 'zswpout')]).toEqual([256, kept ? 256 : 356]);
    // Each page has kept its slot.
    expect(memory.swap.view(0).inUse).toBe(256);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('a page that is written to loses slot and entry, or with its slot retained is stored anew', () => {
    for (const exclusiveWriteFreesSlot of [true, false]) {
      const { memory, process } = pagedOut({ zswapLoad, exclusiveWriteFreesSlot });
      touchAll(memory, process, 0, 100, false);
      touchAll(memory, process, 0, 100, true);
      expect(memory.swap.view(0).inUse).toBe(exclusiveWriteFreesSlot ? 156 : 256);
      expect(memory.zswap.storedPages).toBe(kept && !exclusiveWriteFreesSlot ? 256 : 156);
      memory.pageout(process, 0, 256);
      expect([memory.zswap.storedPages, stat(memory, 'zswpout')]).toEqual([256, 356]);
      expect(memory.checkInvariants()).toEqual([]);
    }
  });

  it('an entry whose page is in memory is not written back', () => {
    const { memory, process } = pagedOut({ zswapLoad });
    touchAll(memory, process, 0, 100, false);
    const app = memory.memcg('/app');
    // Nothing more is taken: each further page makes zswap write one back.
    memory.setZswapMax(app, Math.floor(app.zswapCurrentBytes / 4096));
    const more = memory.spawn({ name: 'q', sizePages: 200, fill: 'pattern', memcg: app, cpu: 0 });
    touchAll(memory, more);
    memory.pageout(more, 0, 200);
    expect(memory.zswap.writtenBackPages).toBeGreaterThan(0);
    expect(memory.zswap.writtenBackPages).toBeLessThanOrEqual(kept ? 356 : 256);
    expect(memory.checkInvariants()).toEqual([]);
    const { folios, slots } = memory.mm;
    for (let page = 0; page < 100; page++) {
      const info = slots[0]?.info(offsetOf(folios.swap[folioOf(process.pte[page])])) ?? 0;
      expect(kindOf(info), `page ${page}`).toBe(kept ? SLOT.zswap : SLOT.cacheOnly);
    }
  });

  it('all of it goes with the process', () => {
    const { memory, process } = pagedOut({ zswapLoad });
    touchAll(memory, process, 0, 100, false);
    memory.exit(process.pid, false);
    expect([memory.zswap.storedPages, memory.zswap.poolPages, memory.swap.view(0).inUse]).toEqual([0, 0, 0]);
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('large folios and zswap', () => {
  it('go into zswap whole from 6.13 on, and past it to the device before', () => {
    const late = pagedOut({}, [4]).memory;
    expect([late.thpStat(4, 'zswpout'), late.thpStat(4, 'swpout'), stat(late, 'zswpout'), stat(late, 'pswpout')]).toEqual([16, 0, 256, 0]);
    const early = pagedOut({ zswapTakesLargeFolios: false }, [4]).memory;
    expect([early.thpStat(4, 'zswpout'), early.thpStat(4, 'swpout'), stat(early, 'zswpout'), stat(early, 'pswpout')]).toEqual([0, 16, 0, 256]);
    expect(early.checkInvariants()).toEqual([]);
  });
});
