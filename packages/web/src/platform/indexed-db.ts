/** The browser's own database in promises: what the events of a request, a transaction and an opening say. */

export function requestResult<Value>(request: IDBRequest): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result as Value));
    request.addEventListener("error", () => reject(errorOf(request)));
  });
}

/** Once all of it is written; rejects when all of it was thrown away. */
export function transactionDone(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(errorOf(transaction)));
  });
}

interface OpenOptions {
  readonly version: number;
  upgrade(database: IDBDatabase, oldVersion: number): void;
  /** Another tab that will not let go of an older version is waited for this long. */
  readonly blockedMs?: number;
  /** It was closed: by the browser, or since a newer tab, or somebody who clears site data, waits for this connection. */
  onLost?(): void;
}

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
      reject(new Error("another tab keeps an older database open"));
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

function errorOf({ error }: IDBRequest | IDBTransaction): Error {
  return error ?? new DOMException("the transaction was thrown away", "AbortError");
}
