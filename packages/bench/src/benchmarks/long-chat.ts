import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import type { Benchmark, BenchmarkContext, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";
import { startProduct } from "../process/server-process.ts";
import * as actions from "./long-chat-page.ts";
import { subfolder } from "./setup.ts";
import { type BrowserStorage, logInByForm, openBrowser, openProfile } from "./web-page.ts";

/** The messages of the long chat, if the command line does not say otherwise. */
export const LONG_CHAT_MESSAGES = 1_000_000;
/** The messages of the chat that it is compared with. */
export const REFERENCE_MESSAGES = 2_000;
const ROUNDS = 5;
const RATIO_MAX = 1.5;
/** What the local database keeps of a chat (`docs/spec/search.md`, R8). */
const KEPT_OF_CHAT = 2_000;
/** Rows that a window of this size mounts at most, as in the browser tests. */
const ROWS_MAX = 120;
const HEAP_DIFFERENCE_MAX_KIB = 16 * 1_024;
/** Until the local database has been cut to its limits for the first time after a start, and a little longer. */
const EVICTION_MS = 130_000;
const MIB = 1_048_576;

const run = promisify(execFile);
const seed = fileURLToPath(new URL("../../../server/src/cli/seed.ts", import.meta.url));

/** A server with one chat, and somebody who has it. */
interface Target {
  readonly origin: string;
  readonly browserStorage: BrowserStorage;
  /** A number that only one message of the chat contains. */
  readonly rareWord: string;
}

/** What one round measured: times in milliseconds. */
type Times = Record<(typeof ACTIONS)[number]["name"], number>;

/** What the browser holds at the end of a round. */
interface Holdings {
  readonly rows: number;
  readonly heapBytes: number;
  readonly storedMessages: number;
  readonly storedBytes: number;
}

const ACTIONS = [
  { name: "open", what: "opening the chat" },
  { name: "scrollEnd", what: "scrolling 240 messages up and down at its end" },
  { name: "jump", what: "jumping to a day more than a year ago" },
  { name: "scrollFar", what: "scrolling 240 messages up and down there" },
  { name: "search", what: "searching for a rare word and opening the hit" },
] as const;

/** A chat of very many messages against one of few: nothing that a person does in it may depend on its length. */
export const longChat: Benchmark = {
  name: "long-chat",
  async measure(context): Promise<ResultRow[]> {
    const { longChatMessages } = context;
    const browser = await openBrowser();
    context.onEnd(() => browser.close());
    const reference = await setUp(context, browser, REFERENCE_MESSAGES);
    const product = await setUp(context, browser, longChatMessages);
    const rounds: { product: Round; reference: Round }[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      // Which one comes first alternates, because the browser is warmer for the second.
      const isProductFirst = round % 2 === 0;
      const early = await measureRound(browser, isProductFirst ? product : reference);
      const late = await measureRound(browser, isProductFirst ? reference : product);
      const both = isProductFirst ? { product: early, reference: late } : { product: late, reference: early };
      rounds.push(both);
      context.print(
        `long-chat, round ${round} of ${ROUNDS}: ${describe(both.product)} against ${describe(both.reference)}`,
      );
    }
    context.print("long-chat: waiting until the local database has been cut to its limits");
    const kept = await measureKept(browser, product);
    context.print(`long-chat: ${kept.storedMessages} messages in ${mib(kept.storedBytes)} are left`);
    return rowsOf(
      longChatMessages,
      rounds.map((round) => round.product),
      rounds.map((round) => round.reference),
      kept,
    );
  },
};

interface Round {
  readonly times: Times;
  readonly holdings: Holdings;
}

/** Starts a server whose data folder was filled as administrators fill it, and logs in. */
async function setUp(context: BenchmarkContext, browser: Browser, messages: number): Promise<Target> {
  const folder = subfolder(context, `product-${messages}`);
  context.print(`long-chat: seeding ${messages} messages`);
  const { stdout } = await run(process.execPath, [seed, "--messages", String(messages)], {
    env: { ...process.env, DATA_DIR: folder, PASSWORD_COST: "low", LOG_LEVEL: "warn" },
  });
  const [, userName, password] = /^ {2}(\w+) +(\S+)$/m.exec(stdout) ?? [];
  if (userName === undefined || password === undefined)
    throw new Error(`the seed printed no login\n${stdout}`);
  context.print(`long-chat: ${stdout.split("Log in")[0]?.trim().replaceAll("\n", " ")}`);
  const server = await startProduct(folder);
  context.onEnd(() => server.stop());
  const { browserStorage } = await logInByForm(browser, server.origin, { userName }, password);
  // Every 500th message contains its number. This one is far from the day that the benchmark jumps to, and not on the device.
  const rareWord = String(Math.floor(messages / REFERENCE_MESSAGES) * 500);
  return { origin: server.origin, browserStorage, rareWord };
}

/** Opens the chat in a new browser profile and waits until everything that was pulled is stored. */
async function openPage(browser: Browser, { origin, browserStorage }: Target): Promise<Page> {
  const profile = await openProfile(browser, browserStorage);
  await profile.addInitScript(actions.installFrameHelpers);
  const page = await profile.newPage();
  await page.goto(`${origin}/home/chat`);
  await actions.waitUntilStored(page);
  return page;
}

async function measureRound(browser: Browser, target: Target): Promise<Round> {
  const page = await openPage(browser, target);
  const times: Times = {
    open: await actions.openChat(page),
    scrollEnd: await actions.scrollUpAndDown(page),
    jump: await actions.jumpToDay(page),
    scrollFar: await actions.scrollUpAndDown(page),
    search: await actions.searchAndOpen(page, target.rareWord),
  };
  const holdings = await holdingsOf(page);
  await page.context().close();
  return { times, holdings };
}

/** What the browser holds after the local database was cut to its limits. */
async function measureKept(browser: Browser, target: Target): Promise<Holdings> {
  const page = await openPage(browser, target);
  await page.waitForTimeout(EVICTION_MS);
  const holdings = await holdingsOf(page);
  await page.context().close();
  return holdings;
}

async function holdingsOf(page: Page): Promise<Holdings> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  const heapBytes = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? NaN;
  return { heapBytes, ...(await actions.storageOf(page)) };
}

const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;

function describe({ times, holdings }: Round): string {
  const list = ACTIONS.map(({ name }) => `${name} ${times[name].toFixed(0)}`).join(", ");
  return `${list} ms (${holdings.rows} rows, heap ${mib(holdings.heapBytes)}, ${holdings.storedMessages} messages in ${mib(holdings.storedBytes)})`;
}

function rowsOf(
  messages: number,
  product: readonly Round[],
  reference: readonly Round[],
  kept: Holdings,
): ResultRow[] {
  const chats = `a chat of ${messages.toLocaleString("en-US")} : ${REFERENCE_MESSAGES.toLocaleString("en-US")} messages`;
  const ratioRow = ({ name, what }: (typeof ACTIONS)[number]): ResultRow => {
    const timesOf = (rounds: readonly Round[]) => rounds.map(({ times }) => times[name]);
    return {
      what: `${chats}: ${what}`,
      product: `${median(timesOf(product)).toFixed(0)} ms`,
      reference: `${median(timesOf(reference)).toFixed(0)} ms`,
      value: medianRatio(timesOf(product), timesOf(reference)),
      unit: "x",
      bound: "at most",
      limit: RATIO_MAX,
      aim: 1,
    };
  };
  const heapOf = (rounds: readonly Round[]) => median(rounds.map(({ holdings }) => holdings.heapBytes));
  const rows = Math.max(...product.map(({ holdings }) => holdings.rows));
  return [
    ...ACTIONS.map(ratioRow),
    {
      what: "the long chat: rows mounted at the end",
      product: String(rows),
      reference: String(Math.max(...reference.map(({ holdings }) => holdings.rows))),
      value: rows,
      unit: "",
      bound: "at most",
      limit: ROWS_MAX,
    },
    {
      what: "the long chat: JS heap at the end, more than with the short one",
      product: mib(heapOf(product)),
      reference: mib(heapOf(reference)),
      value: (heapOf(product) - heapOf(reference)) / 1_024,
      unit: "KiB",
      bound: "at most",
      limit: HEAP_DIFFERENCE_MAX_KIB,
    },
    {
      what: "the long chat: messages that the browser keeps",
      product: `${kept.storedMessages} in ${mib(kept.storedBytes)}`,
      reference: "",
      value: kept.storedMessages,
      unit: "",
      bound: "at most",
      limit: KEPT_OF_CHAT,
    },
  ];
}
