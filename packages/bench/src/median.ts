/** The middle value; for an even number of values the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("the median of nothing does not exist");
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

/** The median of the ratios of the rounds: a disturbance affects a product round and the reference round next to it alike. */
export function medianRatio(product: readonly number[], reference: readonly number[]): number {
  return median(product.map((value, round) => value / (reference[round] ?? NaN)));
}

/** What this share of the values, such as 0.95, is not above. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
