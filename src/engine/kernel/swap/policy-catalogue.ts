/**
 * Every swap policy in words: what it decides, and one paragraph and a source a value. The registry reads the names from here, so
 * a value that is not described does not exist.
 */

export interface ValueText {
  readonly what: string;
  readonly source: string;
}

const PRIQ = 'RFC v2 "mm/swap: introduce per-priority allocation queues"';
const MTHP = '"mTHP swap allocator base on swap cluster order" v5';

/** Policies with named values. */
export const POLICY_CHOICES = {
  allocator: {
    what: 'Slot allocator: where a request looks for slots, in which order, and what CPUs remember.',
    values: {
      'free-cluster-scan': {
        what: 'A CPU takes the cluster at the head of the free list and fills it. With no free cluster left, order 0 scans the device '
          + 'slot by slot from two past its last slot; a larger order fails.',
        source: 'mm/swapfile.c of 6.1 and 6.10; kernel traces of 6.1.176',
      },
      'cluster-lists': {
        what: 'A pointer a device, CPU and order; then the head of the free list, the nonfull clusters of the order, its frag clusters, and '
          + 'for order 0 those of larger orders. A free cluster is nonfull from its first slot on.',
        source: `mm/swapfile.c of 6.12; patch 3 of ${MTHP}; kernel traces of 6.12.117`,
      },
      'percpu-cluster': {
        what: 'A pointer a CPU and order, shared by all devices and followed before any device is selected, so that a device is left when its '
          + 'cluster is done. Clusters are off all lists while they are scanned and go to frag afterwards.',
        source: 'mm/swapfile.c of 6.18; kernel traces of 6.18, 7.2, 7.3',
      },
      'device-percpu-cluster': {
        what: 'As percpu-cluster, with a pointer a device, CPU and order: each request selects a device first, so that with a list every '
          + 'allocation rotates.',
        source: `patch 8 of ${PRIQ}`,
      },
    },
  },
  clusterPreference: {
    what: 'Partly used or free clusters first, when the pointer has nothing (percpu-cluster and device-percpu-cluster; free-cluster-scan and '
      + 'cluster-lists take free clusters first by their nature). Devices with page discard always take free clusters first.',
    values: {
      'nonfull-first': { what: 'Holes are filled before a free cluster is begun.', source: 'commit 9a42aed48421; kernel traces of 6.18' },
      'free-first-nonsync': {
        what: 'Free clusters first on devices that are not synchronous, where neighbouring slots merge into one request; holes first on zram.',
        source: '"mm, swap: only prefer nonfull clusters on synchronous devices"',
      },
      'free-first': { what: 'Free clusters first on every device.', source: 'before commit 9a42aed48421' },
    },
  },
  clusterOrder: {
    what: 'Order of the free list at swapon.',
    values: {
      natural: { what: '0, 1, 2, …', source: 'setup_clusters of 6.18; kernel traces' },
      'columns-32': {
        what: 'In 32 columns: 0, 32, 64, …, 1, 33, …, so that clusters that follow each other share no swap address space.',
        source: 'setup_swap_map_and_extents of 6.1 and 6.12; kernel traces',
      },
    },
  },
  largeFolios: {
    what: 'Orders that can be swapped out whole.',
    values: {
      pmd: { what: 'Order 9 alone; it takes a whole free cluster.', source: '6.1; kernel traces' },
      all: { what: 'Orders 0 to 9 (mTHP).', source: 'commit 845982eb264b (6.10)' },
    },
  },
  largeRetry: {
    what: 'What a large folio does when the first device has no run for it.',
    values: {
      'first-device': { what: 'It gives up and is split.', source: '6.1 to 7.3; kernel traces' },
      'all-peers': {
        what: 'It tries every device of that priority once, and never a lower priority because one device is fragmented.',
        source: `v2 of ${PRIQ}`,
      },
    },
  },
  slotCache: {
    what: 'Caches of order-0 slots, one a CPU (free-cluster-scan and cluster-lists fill them).',
    values: {
      none: { what: 'Slots are taken and freed one request at a time.', source: '6.14 and later' },
      'per-cpu-64': {
        what: 'Slots are taken 64 at a time; single frees collect until a 65th comes. On above 320 free slots a CPU, off below 128.',
        source: 'mm/swap_slots.c of 6.1 and 6.12; kernel traces',
      },
    },
  },
  freeOrder: {
    what: 'Order in which a batch of cached frees is given back once more than one swap type has existed: the kernel sorts by type with a heap '
      + 'sort, which is not stable.',
    values: {
      'heap-sort': { what: 'One element a round.', source: 'lib/sort.c up to 6.9; kernel traces of 6.1' },
      'heap-sort-double-pop': { what: 'Two elements a round.', source: 'lib/sort.c from 6.10 on; kernel traces of 6.12' },
    },
  },
  freeing: {
    what: 'Which frees pass the slot cache, where there is one.',
    values: {
      direct: { what: 'None: there is no cache.', source: '6.14 and later' },
      singles: { what: 'Every slot, but for a whole cluster that leaves the swap cache.', source: '6.1, 6.10; kernel traces of 6.1' },
      'folios-direct': {
        what: 'A large folio that leaves the swap cache is freed at once, and so is what an allocation drops from it.',
        source: `patches 5 and 6 of ${MTHP}`,
      },
      'runs-direct': {
        what: 'So are slots in a row that a process drops together, within one cluster; a swap-in frees them singly.',
        source: '6.12; kernel traces',
      },
    },
  },
  rotational: {
    what: 'Rotational devices (percpu-cluster and device-percpu-cluster have clusters on them whatever is set).',
    values: {
      clusters: { what: 'The same clusters, with one pointer an order for all CPUs.', source: '6.14 and later; kernel traces' },
      'next-fit': {
        what: 'No clusters and no large folios: next fit, and after 512 slots a search for 512 free ones in a row.',
        source: '6.1 and 6.12; kernel traces',
      },
    },
  },
  allocationDiscard: {
    what: 'Waiting discards that an allocation carries out when nothing else is free.',
    values: {
      all: { what: 'All of the device.', source: '6.1 to 7.3; kernel traces' },
      one: { what: 'One cluster; the worker goes on with the others.', source: `patch 11 of ${PRIQ}` },
    },
  },
  selection: {
    what: 'How a request finds its device.',
    values: {
      'node-lists': {
        what: 'A list a node by priority; a device with a default priority comes first on the list of its own node. A visited device moves '
          + 'behind its equals.',
        source: 'commit a2468cc9bfdf (4.14); the kernel\'s swap_numa document; kernel traces',
      },
      'one-list': { what: 'One list by priority; a visited device moves behind its equals.', source: '7.2; kernel traces' },
      'priority-queues': {
        what: 'A ring a priority, a reader a CPU that goes on after a quota of slots; full and disabled devices are tagged entries.',
        source: PRIQ,
      },
    },
  },
  defaultPriority: {
    what: 'Priority of a device for which swapon names none.',
    values: {
      'one-by-one': { what: '-1, -2, -3, … in order of swapon: one after the other.', source: 'before commit a2468cc9bfdf (4.14)' },
      descending: { what: '-2, -3, … in order of swapon: one after the other, own node first.', source: '4.14 to 6.18; kernel traces' },
      equal: { what: '-1 for all: they take turns.', source: '"select swap device with default priority round robin"; kernel traces of 7.2' },
    },
  },
  writeFault: {
    what: 'The slot at an exclusive write fault.',
    values: {
      freed: { what: 'It is freed and leaves a hole.', source: 'up to 6.19; commit 3cedb745d354 (7.3)' },
      retained: { what: 'It stays with the page until swap is more than half full.', source: 'commit 4b34f1d82c65 (7.0 to 7.2)' },
    },
  },
  largeSwapin: {
    what: 'Swap-in of large folios from a synchronous device.',
    values: {
      whole: { what: 'An enabled size whose slots lie in a row, aligned, comes back as one folio.', source: '6.12 and later; kernel-churn files' },
      'page-by-page': { what: 'One page a fault.', source: '6.1, 6.10' },
    },
  },
  zswapLoad: {
    what: 'What a swap-in leaves in zswap.',
    values: {
      kept: {
        what: 'The entry stays with the slot: the page is clean, and goes again without being compressed anew until it is written to.',
        source: '6.1; up to 6.8 with zswap.exclusive_loads off, as by default',
      },
      exclusive: {
        what: 'Nothing: the entry goes as the page comes, and the page is dirty.',
        source: 'commits b9c91c43412f (6.5, a switch) and c2e2ba770200 (6.9, always)',
      },
    },
  },
} as const;

type Choices = typeof POLICY_CHOICES;

/** One value for each policy with named values. */
export type PolicyChoices = { readonly [Name in keyof Choices]: keyof Choices[Name]['values'] };

/** Policies that are switches, numbers or lists of names. */
export const POLICY_SETTINGS: Readonly<Record<string, ValueText>> = {
  queueQuota: {
    what: 'priority-queues: slots after which a reader goes on to the next device; 512 is assumed, the series names none.',
    source: PRIQ,
  },
  queueFastPath: { what: 'priority-queues, open question 1: a ring of one returns its device without a reader.', source: PRIQ },
  queueAvailability: { what: 'priority-queues, open question 2: a ring knows how many of its devices can serve.', source: PRIQ },
  nonfullLists: {
    what: 'A cluster comes on the nonfull list of its order when a slot of it is freed (free-cluster-scan).',
    source: `patch 2 of ${MTHP}`,
  },
  fragLists: { what: 'A nonfull cluster moves to frag as it is scanned (cluster-lists).', source: `patch 7 of ${MTHP}` },
  scanReclaim: {
    what: 'While swap is more than half full, slots held by the swap cache alone count as free in the search of a cluster and are reclaimed '
      + 'first. (A scan slot by slot does that on every kernel that has one.)',
    source: `patch 8 of ${MTHP}`,
  },
  fullClusterReclaim: {
    what: 'While swap is more than half full, an allocation that finds no free cluster reclaims the cached slots of one full cluster.',
    source: `patch 9 of ${MTHP}`,
  },
  defects: {
    what: 'Known defects to switch on, for the invariant checker to find: discard-of-full-cluster, nr-pages-zero, or none.',
    source: `review of ${MTHP}`,
  },
  xswap: {
    what: 'Extendable swap devices without backing store, through /sys/kernel/mm/xswap (percpu-cluster and device-percpu-cluster).',
    source: 'xswap v3, Baoquan He',
  },
  maxSwapfiles: { what: 'Most swap types at a time (MAX_SWAPFILES).', source: 'include/linux/swap.h' },
};
