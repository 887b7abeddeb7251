/** What the charts in sight want of the recorder, put together into one subscription. */
export class Subscriptions {
  private readonly wants = new Map<string, { readonly metrics: readonly string[]; readonly points: number }>();
  private scheduled = false;

  constructor(private readonly send: (metrics: readonly string[], points: number) => void) {}

  /** `owner` wants these columns at this many points; an empty list takes the want back. */
  set(owner: string, metrics: readonly string[], points: number): void {
    const had = this.wants.get(owner);
    if (metrics.length === 0) { if (!this.wants.delete(owner)) return; }
    else if (had?.points === points && had.metrics.join('\n') === metrics.join('\n')) return;
    else this.wants.set(owner, { metrics, points });
    this.renew();
  }

  /** All columns that are wanted now. */
  metrics(): string[] { return [...new Set([...this.wants.values()].flatMap((want) => want.metrics))]; }

  /** Sends the subscription (again): a new engine knows nothing of the old one's. Several calls in a row send once. */
  renew(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      const points = [...this.wants.values()].reduce((most, want) => Math.max(most, want.points), 2);
      this.send(this.metrics(), points);
    });
  }
}
