import { Terminal } from "@parley/protocol/codes";
import type { Browser, Page } from "playwright-core";
import type { Benchmark, BenchmarkContext, ResultRow } from "../benchmark.ts";
import {
  befriend,
  type BenchmarkPerson,
  call,
  clientHeaders,
  createPerson,
  inParallel,
} from "../benchmark-person.ts";
import { median, medianRatio, percentile } from "../median.ts";
import { startProduct } from "../process/server-process.ts";
import { subfolder } from "./setup.ts";
import * as web from "./web-page.ts";

const CHATS = 2_000;
/** More than a window shows, so that both lists are full. */
const REFERENCE_CHATS = 40;
const ROUNDS = 20;
/** A round of switches goes through the filters and back to all. */
const FILTERS = ["Unread", "Groups", "People", "All"] as const;
const RATIO_MAX = 1.5;

/** Switching the filter of the chat list with very many chats, against a list that is only a little longer than the window. */
export const chatFilter: Benchmark = {
  name: "chat-filter",
  async measure(context): Promise<ResultRow[]> {
    const server = await startProduct(subfolder(context, "product"));
    context.onEnd(() => server.stop());
    const browser = await web.openBrowser();
    context.onEnd(() => browser.close());
    const product = await openList(context, browser, server.origin, "many", CHATS);
    const reference = await openList(context, browser, server.origin, "few", REFERENCE_CHATS);
    const times = { product: [] as number[], reference: [] as number[] };
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const isProductFirst = round % 2 === 0;
      const early = await switchFilters(isProductFirst ? product : reference);
      const late = await switchFilters(isProductFirst ? reference : product);
      if (round === 0) continue;
      times.product.push(...(isProductFirst ? early : late));
      times.reference.push(...(isProductFirst ? late : early));
    }
    context.print(`chat-filter: ${describe(times.product)} against ${describe(times.reference)}`);
    return [
      {
        what: `switching the filter of the list with ${CHATS.toLocaleString("en-US")} : ${REFERENCE_CHATS} chats`,
        product: describe(times.product),
        reference: describe(times.reference),
        value: medianRatio(times.product, times.reference),
        unit: "x",
        bound: "at most",
        limit: RATIO_MAX,
        aim: 1,
      },
    ];
  },
};

const describe = (times: readonly number[]) =>
  `${median(times).toFixed(1)} ms (p95 ${percentile(times, 0.95).toFixed(1)})`;

/** Somebody with this many chats, half of them groups and half of them unread, at a page that shows their list. */
async function openList(
  context: BenchmarkContext,
  browser: Browser,
  origin: string,
  name: string,
  chats: number,
): Promise<Page> {
  context.print(`chat-filter: creating ${chats} chats`);
  const me = await createPerson(origin, `${name}Reader`);
  const host = await createPerson(origin, `${name}Host`);
  await befriend(origin, host, me);
  await inParallel(chats, 8, (index) =>
    index % 2 === 0
      ? createPrivateChat(origin, me, `${name}${index}`, index)
      : createGroupChat(origin, me, host, index),
  );
  const { browserStorage } = await web.logInByForm(browser, origin, me);
  const profile = await web.openProfile(browser, browserStorage);
  const page = await profile.newPage();
  await page.goto(`${origin}/home/friend`);
  await page.locator('nav a[href="/home/chat"]').click();
  await web.waitUntilSaved(page);
  return page;
}

const isUnread = (index: number) => Math.floor(index / 2) % 2 === 0;

async function createPrivateChat(
  origin: string,
  me: BenchmarkPerson,
  name: string,
  index: number,
): Promise<void> {
  const friend = await createPerson(origin, name);
  await befriend(origin, friend, me);
  const [from, to] = isUnread(index) ? [friend, me] : [me, friend];
  await call(origin, "POST", "/message/private/send", clientHeaders(from.login, Terminal.WEB), {
    recvId: to.id,
    content: `Message ${index}`,
    type: 0,
    tmpId: `f-${name}`,
  });
}

async function createGroupChat(
  origin: string,
  me: BenchmarkPerson,
  host: BenchmarkPerson,
  index: number,
): Promise<void> {
  const headers = clientHeaders(host.login, Terminal.WEB);
  const group = { name: `Group ${index}`, memberIds: [me.id] };
  const { id } = await call<{ id: number }>(origin, "POST", "/group/create", headers, group);
  await call(
    origin,
    "POST",
    "/message/group/send",
    clientHeaders((isUnread(index) ? host : me).login, Terminal.WEB),
    {
      groupId: id,
      content: `Message ${index}`,
      type: 0,
      tmpId: `f-${me.userName}-${index}`,
    },
  );
}

/**
 * Switches through the filters. Returns the milliseconds of each, from the press at the beginning of a frame until that frame is painted:
 * the time until a frame begins is left out.
 */
async function switchFilters(page: Page): Promise<number[]> {
  const switches = await page.evaluate(async (names) => {
    const chips = [...document.querySelectorAll<HTMLElement>('[role="radio"]')];
    const chats = () => Number(document.querySelector("[data-chat]")?.getAttribute("aria-setsize") ?? 0);
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    // A task that is queued in an animation frame runs after that frame was painted.
    const painted = () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => {
          port1.close();
          resolve();
        });
        port1.start();
        port2.postMessage(null);
      });
    const measured: { ms: number; chats: number; isChosen: boolean }[] = [];
    for (const name of names) {
      // What the last switch left to be done is over.
      for (let frames = 0; frames < 5; frames++) await frame();
      const chip = chips.find(({ textContent }) => textContent === name);
      await frame();
      const start = performance.now();
      chip?.click();
      await painted();
      const ms = performance.now() - start;
      measured.push({ ms, chats: chats(), isChosen: chip?.ariaChecked === "true" });
    }
    return measured;
  }, FILTERS);
  const all = Math.max(...switches.map(({ chats }) => chats));
  const shows = (index: number) => switches[index]?.chats ?? 0;
  const hasFiltered = FILTERS.every(
    (name, index) => (name === "All") === (shows(index) === all) && shows(index) > 0,
  );
  if (!hasFiltered || switches.some(({ isChosen }) => !isChosen))
    throw new Error(`a filter has not shown its chats in the same frame: ${JSON.stringify(switches)}`);
  return switches.map(({ ms }) => ms);
}
