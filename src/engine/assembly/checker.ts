/** The invariant checker in a run: it walks everything every so many operations, and its first finding stops the run. */

export class Checker {
  /** Operation at which it is due; Infinity: it is off. */
  due: number;
  /** It has found something. */
  stopped = false;
  /** Walks that were due, and the one at the end. */
  private walks = 0;
  private ended = 0;

  /**
   * @param every operations between two walks; undefined: off
   * @param walk sentences about what is broken
   * @param report `checker.walks`, `checker.violations`, `checker.first`
   */
  constructor(
    private readonly every: number | undefined,
    private readonly walk: () => readonly string[],
    private readonly report: (name: string, value: number | string) => void,
  ) {
    this.due = every ?? Infinity;
  }

  get isOn(): boolean {
    return this.every !== undefined;
  }

  /**
   * To be called whenever operations were carried out. Returns the first finding of a walk, if one was due: every so many operations, and at
   * the end, which counts once however often a change comes after it.
   */
  check(operations: number, over: boolean): string | undefined {
    const isDue = operations >= this.due;
    if (!isDue && !(over && this.isOn)) return undefined;
    if (isDue) {
      this.due += this.every ?? Infinity;
      this.walks++;
    }
    if (over) this.ended = 1;
    const found = this.walk();
    this.report('checker.walks', this.walks + this.ended);
    this.report('checker.violations', found.length);
    if (found.length === 0) return undefined;
    const [first] = found;
    this.report('checker.first', first);
    this.stopped = true;
    return first;
  }
}
