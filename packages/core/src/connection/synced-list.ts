import type { Result } from "../model/state.ts";

/**
 * A list of the server that pushes and actions of this client change as well. The newest request wins, and an answer that is older than a
 * change is requested again, because it may lack that change.
 */
export interface SyncedList {
  reload(): Promise<Result<null>>;
  /** A push or an action of this client has changed the list. */
  markChanged(): void;
  /** Returns a check whether the list has been changed since this call. */
  watchChanges(): () => boolean;
}

/** Creates the list. `load` requests it, `apply` takes over its answer, also one that failed. */
export function createSyncedList<Answer>(
  load: () => Promise<Answer>,
  apply: (answer: Answer) => Result<null>,
): SyncedList {
  let changes = 0;
  let newestRequest = 0;

  function watchChanges(): () => boolean {
    const changesAtStart = changes;
    return () => changesAtStart !== changes;
  }

  async function reload(): Promise<Result<null>> {
    const thisRequest = ++newestRequest;
    const hasChanged = watchChanges();
    const answer = await load();
    if (thisRequest !== newestRequest) return { ok: true, value: null };
    return hasChanged() ? reload() : apply(answer);
  }

  return {
    reload,
    markChanged() {
      changes++;
    },
    watchChanges,
  };
}
