/**
 * memhog, usemem and hog: store to every page once, in the order of addresses; a child of fork may read them instead. What they
 * write: kernel/memory/compression.ts.
 */
import type { Memory } from '../kernel/memory/memory';
import type { Process } from '../kernel/memory/process';
import type { Work } from './program';

export class TouchAll implements Work {
  private page = 0;

  constructor(private readonly process: Process, private readonly memory: Memory, private readonly write = true) {}

  operation(): boolean {
    return this.memory.touch(this.process, this.page, this.write) && ++this.page < this.process.sizePages;
  }
}
