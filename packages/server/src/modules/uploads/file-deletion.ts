/** Runs the deletion of files one at a time. */
export interface FileDeletion {
  /**
   * Deletes what is marked at this moment. Calls during a run wait for one more run, because the running one may have missed what they
   * are about.
   */
  run(): Promise<void>;
}

/** `deleteFiles` does one run. */
export function createFileDeletion(deleteFiles: () => Promise<void>): FileDeletion {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    run() {
      next ??= running
        // The error of an earlier run belongs to its own caller.
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return deleteFiles();
        });
      running = next;
      return next;
    },
  };
}
