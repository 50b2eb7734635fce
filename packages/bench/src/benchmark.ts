/** One benchmark. It compares the product with a reference that is measured in the same run. */
export interface Benchmark {
  /** Its name on the command line. */
  readonly name: string;
  /** Measures and returns the rows of the table. */
  measure(context: BenchmarkContext): Promise<ResultRow[]>;
}

/** What a run provides to a benchmark. */
export interface BenchmarkContext {
  /** An empty folder on the measured disk; removed afterwards. */
  readonly folder: string;
  /** Where CPU profiles of the server are written; null: none are. */
  readonly profileFolder: string | null;
  /** How many messages the long chat of the benchmark `long-chat` has. */
  readonly longChatMessages: number;
  /** Prints the progress. */
  print(text: string): void;
  /** Registers a clean-up for the end of the benchmark, also if it fails. The last one registered runs first. */
  onEnd(cleanUp: () => Promise<void> | void): void;
}

/** A row of the table of results. */
export interface ResultRow {
  readonly what: string;
  /** The measured value with its unit, for the reader only. */
  readonly product: string;
  readonly reference: string;
  /** What is compared with the limit: a ratio, a difference or a count, never a time. */
  readonly value: number;
  /** The unit of `value`: `x` for a ratio. */
  readonly unit: "x" | "KiB" | "KB" | "%" | "";
  readonly bound: "at most" | "at least";
  readonly limit: number;
  /** The value that we aim for, inside the limit. */
  readonly aim?: number;
}

/** Whether a row is within its limit; NaN is not. */
export function isWithinLimit(row: ResultRow): boolean {
  return row.bound === "at most" ? row.value <= row.limit : row.value >= row.limit;
}
