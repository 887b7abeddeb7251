/**
 * The order in which clusters stand on the free list at swapon, and which clusters stand on it.
 * Source: setup_swap_map_and_extents in mm/swapfile.c of 6.1 and 6.12, setup_clusters of 6.18; the kernel traces.
 */

/** Clusters of one swap address space of 2^14 slots: CPUs that take neighbours from the list share no address space. */
export const CLUSTER_COLUMNS = 32;

/** Calls back with each cluster in the order of the initial lists. */
export type ClusterOrder = (clusters: number, visit: (index: number) => void) => void;

/** 0, 1, 2, … (6.18 and later) */
export const naturalOrder: ClusterOrder = (clusters, visit) => {
  for (let index = 0; index < clusters; index++) visit(index);
};

/** In 32 columns: 0, 32, 64, …, 1, 33, … (up to 6.13) */
export const columnOrder: ClusterOrder = (clusters, visit) => {
  for (let column = 0; column < CLUSTER_COLUMNS; column++) {
    for (let index = column; index < clusters; index += CLUSTER_COLUMNS) visit(index);
  }
};
