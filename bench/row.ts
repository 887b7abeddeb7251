/** One figure of the bench. */
export interface Row {
  readonly id: string;
  readonly ours: number;
  readonly theirs: number;
  readonly unit: string;
  /** ours / theirs */
  readonly ratio: number;
  readonly what: string;
}
