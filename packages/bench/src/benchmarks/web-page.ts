import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";

/** Moments of a page, in milliseconds since its navigation began. */
export interface PageTimings {
  login?: number;
  list?: number;
  message?: number;
  socket?: number;
}

/** Local and session storage of a page. */
export interface BrowserStorage {
  local: Record<string, string>;
  session: Record<string, string>;
}

export interface Assets {
  /** Everything fetched that is no API call, the page itself included. */
  requests: number;
  /** Bytes of scripts and styles after gzip. */
  gzipped: number;
}

const LIST_ROW = "[data-chat]";
export const MESSAGE_ROW = "[data-mid]";
export const PASSWORD_FIELD = 'input[type="password"]';

/** The browser that `npm run bench` has found or brought; without a name Playwright's own download. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  const executablePath = process.env["PARLEY_CHROMIUM"];
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
    ],
  });
}

/** A fresh profile whose pages note their moments, with `kept` in their storage before their first script. */
export async function openProfile(
  browser: Browser,
  browserStorage?: BrowserStorage,
): Promise<BrowserContext> {
  const profile = await browser.newContext({ locale: "en-US", viewport: { width: 1440, height: 900 } });
  if (browserStorage !== undefined) await profile.addInitScript(restore, browserStorage);
  await profile.addInitScript(watch, { login: PASSWORD_FIELD, list: LIST_ROW, message: MESSAGE_ROW });
  return profile;
}

/** Runs in the page: puts storage back, once a profile. */
function restore(browserStorage: BrowserStorage): void {
  if (sessionStorage.length > 0) return;
  for (const [name, value] of Object.entries(browserStorage.local)) localStorage.setItem(name, value);
  for (const [name, value] of Object.entries(browserStorage.session)) sessionStorage.setItem(name, value);
}

/**
 * Runs in the page: notes when an element that fits was painted first, and when a socket opened first. On a first visit no chat is
 * known to be the last one, so it opens the first as soon as there is a list.
 */
function watch(selectors: Record<string, string>): void {
  const marks: Record<string, number> = {};
  (globalThis as unknown as { benchMarks: object }).benchMarks = marks;
  const waiting = new Map(Object.entries(selectors));
  const visit = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;
  const observer = new MutationObserver(() => {
    for (const [name, selector] of waiting) {
      const element = document.querySelector<HTMLElement>(selector);
      if (element === null) continue;
      waiting.delete(name);
      if (name === "list" && visit?.type !== "reload") element.click();
      // A task queued in a frame's callback runs after that frame was painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => {
          marks[name] = performance.now();
          port1.close();
        });
        port1.start();
        port2.postMessage(null);
      });
    }
  });
  observer.observe(document, { childList: true, subtree: true });
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("open", () => (marks["socket"] ??= performance.now()));
    }
  };
}

export async function storageOf(page: Page): Promise<BrowserStorage> {
  return await page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage } }));
}

/** Waits until the page has noted all of these moments. */
export async function timingsOf(page: Page, names: readonly (keyof PageTimings)[]): Promise<PageTimings> {
  const found = await page.waitForFunction((wanted) => {
    const marks = (globalThis as unknown as { benchMarks?: Record<string, number> }).benchMarks;
    return marks !== undefined && wanted.every((name) => name in marks) ? marks : false;
  }, names);
  return (await found.jsonValue()) as PageTimings;
}

/** What the page had fetched when it noted `until`. The server is asked for scripts and styles once more, to weigh them. */
export async function assetsOf(page: Page, until: number): Promise<Assets> {
  const urls = await page.evaluate(
    (end) =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => entry.startTime <= end)
        .map((entry) => entry.name),
    until,
  );
  const assets = [...new Set(urls)].filter((url) => !new URL(url).pathname.startsWith("/api"));
  const weighed = assets
    .filter((url) => /\.(?:js|css)$/.test(new URL(url).pathname))
    .map(async (url) => {
      const response = await page.request.get(url);
      if (!response.ok()) throw new Error(`${url} is answered with ${response.status()}`);
      return gzipSync(await response.body(), { level: 9 }).length;
    });
  const sizes = await Promise.all(weighed);
  return { requests: assets.length + 1, gzipped: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}
