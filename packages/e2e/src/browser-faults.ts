import type { JSHandle, Page } from "@playwright/test";
import type { Person } from "./person.ts";

/** What browsers do to pages, and to what pages keep. */

/** How a tab can end. */
export const TAB_ENDINGS = {
  closed: (page: Page) => page.close(),
  /** The end of its process, as when memory runs out. */
  async crashed(page: Page) {
    const session = await page.context().newCDPSession(page);
    const crash = page.waitForEvent("crash");
    // Nobody is left to answer.
    session.send("Page.crash").catch(() => undefined);
    await crash;
    await page.close();
  },
} as const;

/** From `loseWrites` on nothing reaches the disk any more, as when it is full, until the page is loaded again. Before it opens. */
export async function prepareWriteLoss(person: Person): Promise<void> {
  await person.context.addInitScript(() => {
    const { commit } = IDBTransaction.prototype;
    IDBTransaction.prototype.commit = function commitOrNot(this: IDBTransaction) {
      if ("losesWrites" in window) this.abort();
      else commit.call(this);
    };
  });
}

export function loseWrites(tab: Person): Promise<void> {
  return tab.page.evaluate(() => void Object.assign(window, { losesWrites: true }));
}

/** Opens the database of the person who is signed in, beside the page that uses it; `version`: as a newer program does. */
function openDatabase(tab: Person, version?: number): Promise<JSHandle<IDBDatabase>> {
  return tab.page.evaluateHandle(async (wanted) => {
    const databases = await indexedDB.databases();
    const name = databases.find((known) => known.name?.startsWith("parley:"))?.name;
    if (name === undefined) throw new Error("there is no database");
    const opening = indexedDB.open(name, wanted);
    return new Promise<IDBDatabase>((resolve, reject) => {
      opening.addEventListener("success", () => resolve(opening.result));
      opening.addEventListener("error", () => reject(new Error(name)));
    });
  }, version);
}

/** What waits to be sent, as it lies on the disk. */
export async function storedOutbox(tab: Person): Promise<{ content: string; failed: boolean }[]> {
  const database = await openDatabase(tab);
  return database.evaluate(async (opened) => {
    const reading = opened.transaction("outbox").objectStore("outbox").getAll();
    await new Promise((resolve) => reading.addEventListener("success", resolve));
    opened.close();
    return (reading.result as { content: string; failed: boolean }[]).map(({ content, failed }) => ({
      content,
      failed,
    }));
  });
}

export type Corruption = "messages" | "chats" | "outbox" | "values";

/** Puts nonsense into this part of the database, behind the back of the page that uses it. */
export async function corruptDatabase(tab: Person, part: Corruption): Promise<void> {
  const database = await openDatabase(tab);
  await database.evaluate(async (opened, name) => {
    const transaction = opened.transaction(name, "readwrite");
    const store = transaction.objectStore(name);
    const reading = store.getAllKeys();
    await new Promise((resolve) => reading.addEventListener("success", resolve));
    if (name === "outbox") store.put({ tmpId: "nonsense" });
    for (const key of reading.result) {
      if (name === "chats") store.put({ key, readId: "nonsense" });
      else if (name !== "outbox") store.put("nonsense", key);
    }
    await new Promise((resolve) => transaction.addEventListener("complete", resolve));
    opened.close();
  }, part);
}

/** A newer version of the program takes the database in another tab. Ends once it has it. */
export async function upgradeInOtherTab(tab: Person): Promise<void> {
  const database = await openDatabase(tab, 1_000);
  await database.evaluate((opened) => opened.close());
}

/** Throws the database away while it is in use, as a browser that needs the space. Ends once it is gone. */
export async function evictDatabase(tab: Person): Promise<void> {
  await tab.page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined || !name.startsWith("parley:")) continue;
      const deleting = indexedDB.deleteDatabase(name);
      await new Promise((resolve) => deleting.addEventListener("success", resolve));
    }
  });
}

/** Grants this browser so many bytes of disk. Only what has not written yet notices it at once. */
export async function limitStorage(person: Person, quotaSize: number): Promise<void> {
  const session = await person.context.newCDPSession(person.page);
  const { origin } = new URL(person.url);
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
}

/** Makes a page so many times slower than it is. */
export async function slowDown(tab: Person, rate: number): Promise<void> {
  const session = await tab.context.newCDPSession(tab.page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/**
 * Stops a page's script as browsers do with tabs that nobody has looked at for long, and as a lid that is shut does; the answer wakes it. A
 * debugger does it, since a browser without a screen freezes nothing.
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
