/** The last lines of the kernel log, or of what programs print: as many as dmesg's buffer would hold and a list can show. */
export class LogTail {
  private held: string[] = [];
  constructor(private readonly capacity = 4000) {}

  /** @param from index of the first line in the whole log; 0 starts anew. @returns whether anything changed. */
  add(lines: readonly string[], from: number): boolean {
    const anew = from === 0 && this.held.length > 0;
    if (lines.length === 0 && !anew) return false;
    this.held = from === 0 ? [...lines] : this.held.concat(lines);
    if (this.held.length > this.capacity) this.held = this.held.slice(-this.capacity);
    return true;
  }
  lines(): readonly string[] { return this.held; }
}
