import type { Uploads } from "../model/state.ts";
import type { Clock, Lifetime } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/** The progress of one upload. It also ends with the upload's lifetime. */
export interface UploadProgress {
  report(sentBytes: number, totalBytes: number): void;
  end(): void;
}

const PROGRESS_INTERVAL_MS = 100;

/** Creates what shows the progress of uploads in the state, not too often; the last report is always shown. */
export function createUploadProgress(
  clock: Clock,
  stateStore: StateStore,
): (tmpId: string, totalBytes: number, lifetime: Lifetime) => UploadProgress {
  function showProgress(tmpId: string, progress: Uploads[string] | null): void {
    const { [tmpId]: _before, ...others } = stateStore.get().uploads;
    stateStore.set({ uploads: progress === null ? others : { ...others, [tmpId]: progress } });
  }

  return (tmpId, totalBytes, lifetime) => {
    let latest: Uploads[string] = { sentBytes: 0, totalBytes };
    let cancelTimer: (() => void) | null = null;
    let isEnded = false;
    const show = () => {
      showProgress(tmpId, latest);
      cancelTimer = clock.after(PROGRESS_INTERVAL_MS, () => {
        cancelTimer = null;
        if (latest !== stateStore.get().uploads[tmpId]) show();
      });
    };
    const end = () => {
      if (isEnded) return;
      isEnded = true;
      cancelTimer?.();
      cancelTimer = null;
      showProgress(tmpId, null);
    };
    show();
    lifetime.onEnd(end);
    return {
      report(sentBytes, total) {
        if (isEnded) return;
        latest = { sentBytes, totalBytes: total };
        if (cancelTimer === null) show();
      },
      end,
    };
  };
}
