/** One thing that is measured, always against a reference of the same run. */
export interface Benchmark {
  /** For `--only`. */
  readonly name: string;
  /** Measures and answers one row per figure of the table. */
  measure(benchmarkContext: BenchmarkContext): Promise<ResultRow[]>;
}

/** What a figure gets from the run it is part of. */
export interface BenchmarkContext {
  /** An empty folder of its own on the disk that is measured; removed afterwards. */
  readonly folder: string;
  /** Writes CPU profiles of the product's server here; null: none. */
  readonly profileFolder: string | null;
  /** Tells the person who waits what is going on. */
  print(text: string): void;
  /** Runs at the end of the figure, also of one that failed, last one first. */
  onEnd(cleanUp: () => Promise<void> | void): void;
}

export interface ResultRow {
  readonly what: string;
  /** What was measured, in words of its own unit; it decides nothing. */
  readonly product: string;
  readonly reference: string;
  /** What is held to the limit: a ratio, a difference or a count, never a time. */
  readonly value: number;
  /** Stands behind the value: `x` for a ratio. */
  readonly unit: "x" | "KiB" | "KB" | "";
  readonly bound: "at most" | "at least";
  readonly limit: number;
  /** Where the figure should come to rest, inside the limit. */
  readonly aim?: number;
}

/** Whether a row keeps its limit; a value that is no number does not. */
export function isWithinLimit(row: ResultRow): boolean {
  return row.bound === "at most" ? row.value <= row.limit : row.value >= row.limit;
}
