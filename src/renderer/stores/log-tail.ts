/** The last lines of the kernel log, as many as dmesg's buffer would hold and a list can show. */
export class LogTail {
  private held: string[] = [];
  constructor(private readonly capacity = 4000) {}

  /** @returns whether anything was added. */
  add(lines: readonly string[]): boolean {
    if (lines.length === 0) return false;
    this.held = this.held.concat(lines);
    if (this.held.length > this.capacity) this.held = this.held.slice(-this.capacity);
    return true;
  }
  clear(): void { this.held = []; }
  lines(): readonly string[] { return this.held; }
}
