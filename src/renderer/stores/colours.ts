/** One colour, one thing: a device or an arm keeps its colour everywhere, in the order in which it was first seen. */
export const COLOURS = 8;

export class ColourBook {
  private readonly known = new Map<string, number>();

  /** Forgets all and gives out colours to these names first. */
  reset(names: readonly string[]): void {
    this.known.clear();
    for (const name of names) this.of(name);
  }
  /** 1 … 8. */
  of(name: string): number {
    const key = shortName(name);
    const had = this.known.get(key);
    if (had !== undefined) return had;
    const next = (this.known.size % COLOURS) + 1;
    this.known.set(key, next);
    return next;
  }
}

/** `/dev/zram0` and `zram0` are the same device. */
export const shortName = (name: string): string => name.replace(/^\/dev\//, '').replace(/^\//, '');
