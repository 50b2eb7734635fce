import type { Page } from "@playwright/test";

/** Everything that the browser stores for the page's origin, as text: databases, local and session storage, and caches. */
export function storedData(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const resultOf = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error));
      });
    const parts: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name));
      parts.push(name);
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        parts.push(store, await resultOf(objects.getAllKeys()), await resultOf(objects.getAll()));
      }
      database.close();
    }
    if ("caches" in globalThis) {
      for (const name of await caches.keys())
        parts.push(
          name,
          (await (await caches.open(name)).keys()).map(({ url }) => url),
        );
    }
    return JSON.stringify(parts);
  });
}
