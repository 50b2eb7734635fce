import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type BenchmarkPerson, PASSWORD } from "../benchmark-person.ts";

/** When things happened on a page, in milliseconds since its navigation began. */
export interface PageTimings {
  login?: number;
  /** The server has accepted the password. */
  session?: number;
  list?: number;
  message?: number;
  socket?: number;
}

/** 1.6 Mbit/s. */
export const SLOW_BYTES_PER_S = 200_000;

/** Makes a page as slow as on a cheap phone with a weak connection, as it is common for such measurements. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: SLOW_BYTES_PER_S,
    uploadThroughput: SLOW_BYTES_PER_S / 2,
  });
}

/** Local and session storage of a page. */
export interface BrowserStorage {
  local: Record<string, string>;
  session: Record<string, string>;
}

/** What a page has loaded. */
export interface Assets {
  /** Requests other than API calls, including the page itself. */
  requests: number;
  /** Bytes of scripts and styles after gzip. */
  gzipped: number;
}

/** A chat list that the pulls have filled. */
const COMPLETE_LIST = '[data-landmark="list"]:not([data-partial])';
/** Time for the page to save its state. */
export const SAVE_MS = 2_500;
/** A person types a password in no less time. */
const TYPING_MS = 1_000;
const LIST_ROW = "[data-chat]";
/** Selector of a message. */
export const MESSAGE_ROW = "[data-mid]";
/** Selector of the password field of the login screen. */
const PASSWORD_FIELD = 'input[type="password"]';

/** Starts the browser that `npm run bench` has found or installed, by default the one that Playwright downloads. */
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

/** Opens a new profile whose pages record their timings. `browserStorage` is in their storage before their first script runs. */
export async function openProfile(
  browser: Browser,
  browserStorage?: BrowserStorage,
): Promise<BrowserContext> {
  const profile = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1440, height: 900 },
    // It is installed in the middle of longer measurements.
    serviceWorkers: "block",
  });
  if (browserStorage !== undefined) await profile.addInitScript(restore, browserStorage);
  await profile.addInitScript(recordTimings, { login: PASSWORD_FIELD, list: LIST_ROW, message: MESSAGE_ROW });
  return profile;
}

/** Runs in the page: restores its storage, once per profile. The new profile has no local database, so it must not say that it has one. */
function restore(browserStorage: BrowserStorage): void {
  if (sessionStorage.length > 0) return;
  for (const [name, value] of Object.entries(browserStorage.local))
    if (!name.startsWith("parley.pulled:")) localStorage.setItem(name, value);
  for (const [name, value] of Object.entries(browserStorage.session)) sessionStorage.setItem(name, value);
}

/**
 * Runs in the page: records when an element of each selector was first painted, when a login was answered, and when a socket first opened. On
 * a first visit the client does not know the last open chat, so this opens the first chat as soon as the list is there, unless the address names
 * one.
 */
function recordTimings(selectors: Record<string, string>): void {
  const timings: Record<string, number> = {};
  (globalThis as unknown as { benchTimings: object }).benchTimings = timings;
  const waiting = new Map(Object.entries(selectors));
  const navigation = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;
  const observer = new MutationObserver(() => {
    for (const [name, selector] of waiting) {
      const element = document.querySelector<HTMLElement>(selector);
      if (element === null) continue;
      waiting.delete(name);
      const hasChat = location.pathname.includes("PRIVATE:");
      if (name === "list" && !hasChat && navigation?.type !== "reload") element.click();
      // A task that is queued in an animation frame runs after that frame was painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => {
          timings[name] = performance.now();
          port1.close();
        });
        port1.start();
        port2.postMessage(null);
      });
    }
  });
  observer.observe(document, { childList: true, subtree: true });
  globalThis.XMLHttpRequest = class extends XMLHttpRequest {
    override open(method: string, url: string | URL): void {
      if (String(url).endsWith("/login"))
        this.addEventListener("load", () => (timings["session"] ??= performance.now()));
      super.open(method, url);
    }
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("open", () => (timings["socket"] ??= performance.now()));
    }
  };
}

/** Reads the storage of a page. */
async function storageOf(page: Page): Promise<BrowserStorage> {
  return await page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage } }));
}

/** Waits until the page has recorded all of these timings. */
export async function timingsOf(page: Page, names: readonly (keyof PageTimings)[]): Promise<PageTimings> {
  const found = await page.waitForFunction((expected) => {
    const timings = (globalThis as unknown as { benchTimings?: Record<string, number> }).benchTimings;
    return timings !== undefined && expected.every((name) => name in timings) ? timings : false;
  }, names);
  return (await found.jsonValue()) as PageTimings;
}

/** What the page had loaded at the time `until`. Scripts and styles are fetched again to measure their size. */
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
  const sizesAfterGzip = assets
    .filter((url) => /\.(?:js|css)$/.test(new URL(url).pathname))
    .map(async (url) => {
      const response = await page.request.get(url);
      if (!response.ok()) throw new Error(`${url} returned status ${response.status()}`);
      return gzipSync(await response.body(), { level: 9 }).length;
    });
  const sizes = await Promise.all(sizesAfterGzip);
  return { requests: assets.length + 1, gzipped: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

/** Logs in with the form. Returns what the login screen loaded, and the storage of the tab afterwards. */
export async function logInByForm(
  browser: Browser,
  origin: string,
  me: Pick<BenchmarkPerson, "userName">,
  password = PASSWORD,
): Promise<{ browserStorage: BrowserStorage; assets: Assets }> {
  const profile = await openProfile(browser);
  const page = await profile.newPage();
  await openLogin(page, origin);
  const { login = NaN } = await timingsOf(page, ["login"]);
  const assets = await assetsOf(page, login);
  await submitLogin(page, me, password);
  await page.locator(MESSAGE_ROW).first().waitFor();
  await page.waitForTimeout(SAVE_MS);
  const browserStorage = await storageOf(page);
  await profile.close();
  return { browserStorage, assets };
}

/** Opens the login screen and waits until all of it is loaded. */
export async function openLogin(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/login`);
  await timingsOf(page, ["login"]);
  await page.waitForLoadState("networkidle");
}

/** Fills in the form as slowly as a person, at least for what the page loads meanwhile, and submits it. */
export async function submitLogin(
  page: Page,
  me: Pick<BenchmarkPerson, "userName">,
  password = PASSWORD,
): Promise<void> {
  await page.locator('input[autocomplete="username"]').fill(me.userName);
  await page.locator(PASSWORD_FIELD).fill(password);
  await page.waitForTimeout(TYPING_MS);
  await page.locator(PASSWORD_FIELD).press("Enter");
}

/** Waits until the page has pulled all messages and saved them. */
export async function waitUntilSaved(page: Page): Promise<void> {
  await page.locator(COMPLETE_LIST).waitFor();
  await page.waitForTimeout(SAVE_MS);
}
