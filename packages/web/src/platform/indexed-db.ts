/**
 * IndexedDB with promises: for requests, transactions and opening a database. A browser may leave a request without an answer for ever: its
 * disk hangs, or its storage process has died. So each of these promises rejects when no request of the page was answered for some seconds.
 */

/** How often it is looked whether there was an answer. A page that was suspended counts one look, not the time that it slept. */
const LOOK_MS = 2_000;
/** Looks without any answer, after which a request, a transaction or a deletion is given up. */
const LOOKS = 8;
/** The same for opening a database. Nothing of the product is usable before, so it is shorter. */
const LOOKS_OPENING = 3;
/** The same while a database gets a newer schema: requests of an upgrade give no answers in between. */
const LOOKS_UPGRADING = 60;

/** What waits for the browser. */
interface Waiting {
  /** How many more looks may pass without an answer. */
  looksLeft: number;
  readonly looks: number;
  readonly giveUp: (error: Error) => void;
}

const waiting = new Set<Waiting>();
let timer: ReturnType<typeof setTimeout> | undefined;

function look(): void {
  for (const one of waiting) {
    one.looksLeft--;
    if (one.looksLeft > 0) continue;
    waiting.delete(one);
    one.giveUp(new DOMException("the database does not answer", "TimeoutError"));
  }
  timer = waiting.size > 0 ? setTimeout(look, LOOK_MS) : undefined;
}

/** The browser has answered, so all that waits may wait again as long. */
function noteAnswer(): void {
  for (const one of waiting) one.looksLeft = one.looks;
}

/** Begins to wait. Returns a function that ends it. */
function watch(looks: number, giveUp: (error: Error) => void): () => void {
  const one: Waiting = { looksLeft: looks, looks, giveUp };
  waiting.add(one);
  timer ??= setTimeout(look, LOOK_MS);
  return () => {
    waiting.delete(one);
    noteAnswer();
    if (waiting.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

/** Resolves with the result of a request. */
export function requestResult<Value>(request: IDBRequest): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = watch(LOOKS, reject);
    request.addEventListener("success", () => {
      end();
      resolve(request.result as Value);
    });
    request.addEventListener("error", () => {
      end();
      reject(errorOf(request));
    });
  });
}

/** Resolves when the transaction is complete; rejects when it was aborted. */
export function transactionDone(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = watch(LOOKS, (error) => {
      reject(error);
      abort(transaction);
    });
    transaction.addEventListener("complete", () => {
      end();
      resolve();
    });
    transaction.addEventListener("abort", () => {
      end();
      reject(errorOf(transaction));
    });
  });
}

/** Calls `next` after the success of a request that is part of a longer write. */
export function afterRequest(request: IDBRequest, next: () => void): void {
  request.addEventListener("success", () => {
    noteAnswer();
    next();
  });
}

/** A write that was given up must not be stored later, after a newer one. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It is being committed, which cannot be stopped.
  }
}

interface OpenOptions {
  readonly version: number;
  upgrade(database: IDBDatabase, oldVersion: number): void;
  /** How long to wait for another tab that keeps an older version open. */
  readonly blockedMs?: number;
  /** The database was closed: by the browser, by an upgrade in another tab, or because site data is being cleared. */
  onLost?(): void;
}

/** Opens a database; rejects if the browser refuses or does not answer, or if another tab blocks the upgrade. */
export function openIndexedDb(
  name: string,
  { version, upgrade, blockedMs, onLost }: OpenOptions,
): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  return new Promise((resolve, reject) => {
    let blockedTimer: ReturnType<typeof setTimeout> | undefined;
    let isGivenUp = false;
    const giveUp = (error: Error) => {
      isGivenUp = true;
      clearTimeout(blockedTimer);
      reject(error);
    };
    let end = watch(LOOKS_OPENING, giveUp);
    request.addEventListener("upgradeneeded", ({ oldVersion }) => {
      end();
      end = watch(LOOKS_UPGRADING, giveUp);
      upgrade(request.result, oldVersion);
    });
    request.addEventListener("blocked", () => {
      if (blockedMs === undefined) return;
      end();
      blockedTimer = setTimeout(
        () => giveUp(new Error("another tab keeps an older version of the database open")),
        blockedMs,
      );
    });
    request.addEventListener("error", () => {
      clearTimeout(blockedTimer);
      end();
      reject(errorOf(request));
    });
    request.addEventListener("success", () => {
      clearTimeout(blockedTimer);
      end();
      const database = request.result;
      if (isGivenUp) return database.close();
      database.addEventListener("versionchange", () => {
        database.close();
        onLost?.();
      });
      database.addEventListener("close", () => onLost?.());
      resolve(database);
    });
  });
}

/**
 * Deletes a database. If another tab keeps it open, the browser deletes it when that tab has closed it, which nobody waits for. Rejects if the
 * browser refuses or does not answer.
 */
export function deleteIndexedDb(name: string): Promise<void> {
  const request = indexedDB.deleteDatabase(name);
  return new Promise((resolve, reject) => {
    const end = watch(LOOKS, reject);
    const finish = () => {
      end();
      resolve();
    };
    request.addEventListener("success", finish);
    request.addEventListener("blocked", finish);
    request.addEventListener("error", () => {
      end();
      reject(errorOf(request));
    });
  });
}

function errorOf({ error }: IDBRequest | IDBTransaction): Error {
  return error ?? new DOMException("the transaction was aborted", "AbortError");
}
