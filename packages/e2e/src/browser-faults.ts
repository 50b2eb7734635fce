import type { JSHandle, Page } from "@playwright/test";
import type { Person } from "./person.ts";

/** Faults that browsers cause in pages and in what pages store. */

/** The ways in which a tab can end. */
export const TAB_ENDINGS = {
  closed: (page: Page) => page.close(),
  /** Its process ends, as when memory runs out. */
  async crashed(page: Page) {
    const session = await page.context().newCDPSession(page);
    const crash = page.waitForEvent("crash");
    // The crashed page cannot answer the command.
    session.send("Page.crash").catch(() => undefined);
    await crash;
    await page.close();
  },
} as const;

/** Makes `loseWrites` possible. Call it before the page opens. */
export async function prepareWriteLoss(person: Person): Promise<void> {
  await person.context.addInitScript(() => {
    const { commit } = IDBTransaction.prototype;
    IDBTransaction.prototype.commit = function commitOrNot(this: IDBTransaction) {
      if ("losesWrites" in window) this.abort();
      else commit.call(this);
    };
  });
}

/** From now on every write to the database of this page fails, as on a full disk, until the page is loaded again. */
export function loseWrites(tab: Person): Promise<void> {
  return tab.page.evaluate(() => void Object.assign(window, { losesWrites: true }));
}

/** Opens the database of the signed-in user beside the page that uses it. With a `version`, upgrades it as a newer program does. */
function openDatabase(tab: Person, version?: number): Promise<JSHandle<IDBDatabase>> {
  return tab.page.evaluateHandle(async (wantedVersion) => {
    const databases = await indexedDB.databases();
    const name = databases.find((database) => database.name?.startsWith("parley-chats:"))?.name;
    if (name === undefined) throw new Error("the page has no database");
    const request = indexedDB.open(name, wantedVersion);
    return new Promise<IDBDatabase>((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(new Error(`cannot open the database ${name}`)));
    });
  }, version);
}

/** The outbox as it is stored in the database. */
export async function storedOutbox(tab: Person): Promise<{ content: string; failed: boolean }[]> {
  const database = await openDatabase(tab);
  return database.evaluate(async (opened) => {
    const request = opened.transaction("outbox").objectStore("outbox").getAll();
    await new Promise((resolve) => request.addEventListener("success", resolve));
    opened.close();
    return (request.result as { content: string; failed: boolean }[]).map(({ content, failed }) => ({
      content,
      failed,
    }));
  });
}

/** The object stores that `corruptDatabase` can fill with invalid values. */
export type Corruption = "messages" | "chats" | "outbox" | "values";

/** Writes invalid values into this object store without the page noticing. */
export async function corruptDatabase(tab: Person, part: Corruption): Promise<void> {
  const database = await openDatabase(tab);
  await database.evaluate(async (opened, name) => {
    const transaction = opened.transaction(name, "readwrite");
    const store = transaction.objectStore(name);
    const request = store.getAllKeys();
    await new Promise((resolve) => request.addEventListener("success", resolve));
    if (name === "outbox") store.put({ tmpId: "nonsense" });
    for (const key of request.result) {
      if (name === "chats") store.put({ key, readId: "nonsense" });
      else if (name !== "outbox") store.put("nonsense", key);
    }
    await new Promise((resolve) => transaction.addEventListener("complete", resolve));
    opened.close();
  }, part);
}

/** Upgrades the database as a newer version of the program in another tab does. */
export async function upgradeInOtherTab(tab: Person): Promise<void> {
  const database = await openDatabase(tab, 1_000);
  await database.evaluate((opened) => opened.close());
}

/** Deletes the database while it is in use, as a browser does that needs the space. */
export async function evictDatabase(tab: Person): Promise<void> {
  await tab.page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined || !name.startsWith("parley-chats:")) continue;
      const request = indexedDB.deleteDatabase(name);
      await new Promise((resolve) => request.addEventListener("success", resolve));
    }
  });
}

/** Grants this browser so many bytes of storage. A page that has written before may notice it only later. */
export async function limitStorage(person: Person, quotaSize: number): Promise<void> {
  const session = await person.context.newCDPSession(person.page);
  const { origin } = new URL(person.url);
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
}

/** Makes a page slower by this factor. */
export async function slowDown(tab: Person, rate: number): Promise<void> {
  const session = await tab.context.newCDPSession(tab.page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/**
 * Stops the script of a page, as browsers do with tabs in the background and as a closed laptop does. Returns a function that wakes it.
 * It uses the debugger because a headless browser freezes no tabs.
 */
export async function freeze(tab: Person): Promise<() => Promise<void>> {
  const session = await tab.context.newCDPSession(tab.page);
  await session.send("Debugger.enable");
  const frozen = new Promise((resolve) => session.once("Debugger.paused", resolve));
  await session.send("Debugger.pause");
  await frozen;
  return async () => {
    await session.send("Debugger.resume");
    await session.detach();
  };
}
