/** The invariant checker in a run: it walks everything every so many operations, and its first finding stops the run. */

export class Checker {
  /** Operation at which it is due; Infinity: it is off. */
  due: number;
  /** It has found something. */
  stopped = false;
  private walks = 0;

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

  /** Returns the first finding. */
  check(): string | undefined {
    this.due += this.every ?? Infinity;
    const found = this.walk();
    this.walks++;
    this.report('checker.walks', this.walks);
    this.report('checker.violations', found.length);
    if (found.length === 0) return undefined;
    const [first] = found;
    this.report('checker.first', first);
    this.stopped = true;
    return first;
  }
}
