/** memhog, usemem and hog: store to every page once, in the order of addresses. What they write: kernel/memory/compression.ts. */
import type { Memory } from '../kernel/memory/memory';
import type { Process } from '../kernel/memory/process';
import type { Work } from './program';

export class TouchAll implements Work {
  private page = 0;

  constructor(private readonly process: Process, private readonly memory: Memory) {}

  operation(): boolean {
    return this.memory.touch(this.process, this.page, true) && ++this.page < this.process.sizePages;
  }
}
