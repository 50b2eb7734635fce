import type { Page } from "playwright-core";
import { MESSAGE_ROW, SAVE_MS } from "./web-page.ts";

/** How many messages are scrolled up and down again: several pages of the history. */
const SCROLLED_MESSAGES = 240;
/** Pixels for each frame. */
const STEP_PX = 400;
/** How many years the calendar goes back before the next older day with messages is chosen. */
const YEARS_BACK = 1;
const MONTHS_MAX = 24;
const MARKED_DAY = '[data-day][aria-label$=", has messages"]';
const STORED_WITHIN_MS = 60_000;

interface FrameHelpers {
  /** Resolves with the time of the frame after the first one in which the condition holds. `step` runs in each frame before. */
  until(what: string, isDone: () => boolean, step?: () => void): Promise<number>;
}

/** The helpers that `installFrameHelpers` has put into the page; only for functions that run there. */
declare const benchFrames: FrameHelpers;

/** Runs in the page before its first script: what the measurements wait with. */
export function installFrameHelpers(): void {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const helpers: FrameHelpers = {
    async until(what, isDone, step) {
      const end = performance.now() + 60_000;
      while (!isDone()) {
        if (performance.now() > end) throw new Error(`waited too long for ${what}`);
        step?.();
        await frame();
      }
      await frame();
      return performance.now();
    },
  };
  Object.assign(globalThis, { benchFrames: helpers });
}

/** Waits until the messages of the first pull are in the local database. */
export async function waitUntilStored(page: Page): Promise<void> {
  await page.locator(MESSAGE_ROW).first().waitFor();
  const end = Date.now() + STORED_WITHIN_MS;
  let before = 0;
  for (;;) {
    await page.waitForTimeout(SAVE_MS);
    const { storedMessages } = await storageOf(page);
    if (storedMessages > 0 && storedMessages === before) return;
    if (Date.now() > end) throw new Error("the messages of the first pull are still being stored");
    before = storedMessages;
  }
}

/** Closes the open chat and opens it from the list. Returns the time from the click until its last message is painted. */
export async function openChat(page: Page): Promise<number> {
  await page.locator('nav a[href="/home/chat"]').click();
  await page.getByRole("log").waitFor({ state: "detached" });
  await page.waitForTimeout(SAVE_MS);
  return await page.evaluate(async () => {
    const isAtEnd = () => {
      const log = document.querySelector<HTMLElement>('[role="log"]');
      if (log === null || log.querySelector("[data-mid]") === null) return false;
      return log.scrollHeight - log.clientHeight - log.scrollTop <= 1;
    };
    const start = performance.now();
    document.querySelector<HTMLElement>("[data-chat]")?.click();
    return (await benchFrames.until("the end of the chat", isAtEnd)) - start;
  });
}

/** Opens the calendar, goes back, and chooses a day. Returns the time from that click until a message of the day is painted. */
export async function jumpToDay(page: Page): Promise<number> {
  // The button is shown while somebody scrolls.
  await page.getByRole("log").hover();
  await page.mouse.wheel(0, -300);
  await page.getByRole("button", { name: /Go to a date/ }).click();
  await page.locator(MARKED_DAY).first().waitFor();
  for (let year = 0; year < YEARS_BACK; year++) await page.keyboard.press("Shift+PageUp");
  for (let months = 0; ; months++) {
    if (months > MONTHS_MAX) throw new Error("no month with messages was found");
    const answer = page.waitForResponse(/\/message\/private\/days/);
    await page.keyboard.press("PageUp");
    await answer;
    await page.waitForTimeout(100);
    if ((await page.locator(MARKED_DAY).count()) > 0) break;
  }
  const elapsed = await page.evaluate(async (day) => {
    const isThere = () => document.querySelector('[role="log"] [data-flash]') !== null;
    const start = performance.now();
    document.querySelector<HTMLElement>(day)?.click();
    return (await benchFrames.until("a message of the day", isThere)) - start;
  }, MARKED_DAY);
  await page.waitForTimeout(SAVE_MS);
  return elapsed;
}

/**
 * Searches in the chat for a word of a message that is not on the device. Returns the time from the request until the hit is painted; before
 * it, the search waits for more keys.
 */
export async function searchAndOpen(page: Page, word: string): Promise<number> {
  await page.keyboard.press("Control+f");
  const field = page.getByRole("searchbox", { name: "Search in this chat" });
  await field.waitFor();
  await page.waitForTimeout(SAVE_MS);
  await page.evaluate(() => performance.clearResourceTimings());
  const painted = page.evaluate(async (text) => {
    const isHit = () =>
      [...document.querySelectorAll('[role="log"] [data-flash]')].some((row) =>
        row.textContent.includes(`message ${text}.`),
      );
    const end = await benchFrames.until("the hit", isHit);
    const requests = performance
      .getEntriesByType("resource")
      .map(({ name, startTime }) => ({ url: new URL(name), startTime }));
    if (!requests.some(({ url }) => url.pathname.endsWith("/history")))
      throw new Error("the hit was on the device already, which takes less time");
    const search = requests.find(({ url }) => url.searchParams.get("q") === text);
    return end - (search?.startTime ?? NaN);
  }, word);
  await field.fill(word);
  const elapsed = await painted;
  await page.waitForTimeout(SAVE_MS);
  return elapsed;
}

/** Scrolls up over many messages and down again. Returns the time that it took, in milliseconds. */
export async function scrollUpAndDown(page: Page): Promise<number> {
  return await page.evaluate(
    async ({ count, step }) => {
      const log = document.querySelector<HTMLElement>('[role="log"]');
      if (log === null) throw new Error("no chat is open");
      const mounted = () =>
        [...log.querySelectorAll<HTMLElement>("[data-mid]")].map((row) => Number(row.dataset["mid"]));
      const scroll = (direction: number) => () => (log.scrollTop += direction * step);
      const first = Math.min(...mounted());
      const start = performance.now();
      await benchFrames.until("older messages", () => Math.min(...mounted()) <= first - count, scroll(-1));
      const end = await benchFrames.until("newer messages", () => Math.max(...mounted()) > first, scroll(1));
      return end - start;
    },
    { count: SCROLLED_MESSAGES, step: STEP_PX },
  );
}

/** The mounted rows, the messages in the local database, and its size as the browser estimates it. */
export async function storageOf(
  page: Page,
): Promise<{ rows: number; storedMessages: number; storedBytes: number }> {
  return await page.evaluate(async () => {
    const answerOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("no answer")));
      });
    let storedMessages = 0;
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const database = await answerOf(indexedDB.open(name));
      if (database.objectStoreNames.contains("messages"))
        storedMessages += await answerOf(database.transaction("messages").objectStore("messages").count());
      database.close();
    }
    const { usage = NaN } = await navigator.storage.estimate();
    return { rows: document.querySelectorAll("[data-mid]").length, storedMessages, storedBytes: usage };
  });
}
