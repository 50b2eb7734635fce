/** Work that is requested again and again, runs once at a time, and is tried again after a failure. */
export class RepeatedUntilDone {
  readonly #work: () => Promise<void>;
  readonly #inBackground: (work: Promise<void>) => void;
  readonly #onError: (error: unknown) => void;
  #isRequested = false;
  #isRunning = false;

  constructor(
    work: () => Promise<void>,
    options: { inBackground(work: Promise<void>): void; onError(error: unknown): void },
  ) {
    this.#work = work;
    this.#inBackground = options.inBackground;
    this.#onError = options.onError;
  }

  /** Runs the work, or else once more by a `retry` after the present run. */
  request(): void {
    this.#isRequested = true;
    this.retry();
  }

  /** Runs what was requested and has failed or not begun. The owner calls it regularly. */
  retry(): void {
    if (!this.#isRequested || this.#isRunning) return;
    this.#isRequested = false;
    this.#isRunning = true;
    const run = this.#work().catch((error: unknown) => {
      this.#isRequested = true;
      this.#onError(error);
    });
    this.#inBackground(run.finally(() => (this.#isRunning = false)));
  }
}
