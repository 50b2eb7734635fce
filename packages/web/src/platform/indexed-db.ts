/** IndexedDB with promises: for requests, transactions and opening a database. */

/** Resolves with the result of a request. */
export function requestResult<Value>(request: IDBRequest): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result as Value));
    request.addEventListener("error", () => reject(errorOf(request)));
  });
}

/** Resolves when the transaction is complete; rejects when it was aborted. */
export function transactionDone(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(errorOf(transaction)));
  });
}

interface OpenOptions {
  readonly version: number;
  upgrade(database: IDBDatabase, oldVersion: number): void;
  /** How long to wait for another tab that keeps an older version open. */
  readonly blockedMs?: number;
  /** The database was closed: by the browser, by an upgrade in another tab, or because site data is being cleared. */
  onLost?(): void;
}

/** Opens a database; rejects if the browser refuses or another tab blocks the upgrade. */
export function openIndexedDb(
  name: string,
  { version, upgrade, blockedMs, onLost }: OpenOptions,
): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGivenUp = false;
    const giveUp = () => {
      isGivenUp = true;
      reject(new Error("another tab keeps an older version of the database open"));
    };
    request.addEventListener("upgradeneeded", ({ oldVersion }) => upgrade(request.result, oldVersion));
    request.addEventListener("blocked", () => {
      if (blockedMs !== undefined) timer = setTimeout(giveUp, blockedMs);
    });
    request.addEventListener("error", () => {
      clearTimeout(timer);
      reject(errorOf(request));
    });
    request.addEventListener("success", () => {
      clearTimeout(timer);
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
 * browser refuses.
 */
export function deleteIndexedDb(name: string): Promise<void> {
  const request = indexedDB.deleteDatabase(name);
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve());
    request.addEventListener("blocked", () => resolve());
    request.addEventListener("error", () => reject(errorOf(request)));
  });
}

function errorOf({ error }: IDBRequest | IDBTransaction): Error {
  return error ?? new DOMException("the transaction was aborted", "AbortError");
}
