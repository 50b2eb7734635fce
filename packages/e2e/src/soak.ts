/**
 * SOAK: an open page that receives messages must hold no more memory after half an hour than after five minutes, and so must the server.
 * Everything is counted after a garbage collection and in the same state: all chats read, the first one open.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type CDPSession, expect } from "@playwright/test";
import type { Report } from "@parley/reliability/faults/report";
import { type ResourceUsage, INSPECTOR_ENV, resourceUsageOf } from "@parley/reliability/process-inspector";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type Account, befriend, createAccount, logIn, sendText } from "./api.ts";
import { Person } from "./person.ts";

/** The factors by which the heaps and the server's RSS may grow. */
const HEAP_GROWTH_MAX = 1.3;
const RSS_GROWTH_MAX = 1.1;
/** Tolerance for counts that must not grow: a menu or an idle connection may add a few for a while. */
const FLAT_GROWTH_MAX = 1.05;
const FLAT_TOLERANCE = 5;
const MEASUREMENTS_PER_SAMPLE = 3;
/** Of so many messages one is typed into the page; the others are sent to it. */
const OWN_EVERY = 10;
/** After so many messages another chat is opened. */
const SWITCH_EVERY = 25;
const MEBIBYTE = 1_048_576;
/** High enough to show all rows of the chat list. */
const VIEWPORT = { width: 1440, height: 1_700 };
/** Long timeouts, since the machine may be busy with something else. */
const PATIENCE_MS = 60_000;
const STEP_MS = 1_000;
const patient = expect.configure({ timeout: PATIENCE_MS });

/** The server and the chats of a soak test. */
export interface SoakOptions {
  dataDir: string;
  chats: number;
  /** Messages of each chat before the page opens. A chat must be longer than the part of it that is mounted. */
  messagesPerChat: number;
}

/** The resources that page and server hold. */
export interface Sample {
  /** How many messages were sent so far. */
  messages: number;
  heap: number;
  listeners: number;
  nodes: number;
  /** DOM nodes that are in no document. */
  detached: number;
  server: ResourceUsage;
}

/** A page and a server that exchange messages for a long time. */
export class Soak {
  readonly lin: Person;
  readonly #server: ServerProcess;
  readonly #cdp: CDPSession;
  readonly #account: Account;
  #friends: readonly Account[];
  /** The last text of each friend's chat. */
  readonly #lastTexts: string[];
  #openIndex = 0;
  #messageCount = 0;

  private constructor(parts: {
    server: ServerProcess;
    lin: Person;
    cdp: CDPSession;
    account: Account;
    friends: readonly Account[];
  }) {
    this.lin = parts.lin;
    this.#server = parts.server;
    this.#cdp = parts.cdp;
    this.#account = parts.account;
    this.#friends = parts.friends;
    this.#lastTexts = parts.friends.map(() => "");
  }

  /** Starts a server, and opens a page with so many friends. */
  static async start(browser: Browser, { dataDir, chats, messagesPerChat }: SoakOptions): Promise<Soak> {
    const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off", ...INSPECTOR_ENV });
    try {
      const account = await createAccount(server.url, "lin", "Lin");
      const friends: Account[] = [];
      for (let i = 0; i < chats; i++) {
        const friend = await createAccount(server.url, `friend${i}`, `Friend ${i}`);
        await befriend(account, friend);
        for (let n = 0; n < messagesPerChat; n++) {
          await sendText(friend, account, `Before ${n}, as long as any other`);
        }
        friends.push(friend);
      }
      const lin = await Person.create(browser, server.url, {
        language: "en-US",
        userName: "lin",
        nickName: "Lin",
        viewport: VIEWPORT,
      });
      await lin.open();
      await lin.logIn();
      const cdp = await lin.context.newCDPSession(lin.page);
      await cdp.send("Performance.enable");
      const soak = new Soak({ server, lin, cdp, account, friends });
      for (let i = 0; i < chats; i++) await soak.#receive(i);
      await soak.#openChat(0);
      // Chunks that are prefetched after the first screen stay in memory. This one is the last of them.
      await lin.page.waitForFunction(
        () => performance.getEntriesByType("resource").some(({ name }) => name.includes("/chat-more-")),
        null,
        { timeout: PATIENCE_MS },
      );
      return soak;
    } catch (error) {
      server.kill("SIGKILL");
      throw error;
    }
  }

  /** Sends and receives so many messages, one each `everyMs`. With 0, as fast as possible. */
  async exchangeMessages(count: number, everyMs = 0): Promise<void> {
    // Access tokens are valid for half an hour.
    this.#friends = await Promise.all(this.#friends.map(({ userName }) => logIn(this.#server.url, userName)));
    const startedAt = Date.now();
    const chats = this.#friends.length;
    for (let i = 0; i < count; i++) {
      if (everyMs > 0) await sleep(Math.max(0, startedAt + i * everyMs - Date.now()));
      if (this.#messageCount % SWITCH_EVERY === 0) await this.#openChat((this.#openIndex + 1) % chats);
      if (this.#messageCount % OWN_EVERY === 0) await this.#send();
      else await this.#receive((this.#messageCount + Math.floor(this.#messageCount / chats)) % chats);
    }
  }

  /** Measures a few times and takes the least of each, since a measurement may include what is about to be freed. */
  async sample(): Promise<Sample> {
    const samples: Sample[] = [];
    for (let i = 0; i < MEASUREMENTS_PER_SAMPLE; i++) samples.push(await this.#sampleOnce());
    const least = (value: (sample: Sample) => number) => Math.min(...samples.map(value));
    return {
      messages: this.#messageCount,
      heap: least(({ heap }) => heap),
      listeners: least(({ listeners }) => listeners),
      nodes: least(({ nodes }) => nodes),
      detached: least(({ detached }) => detached),
      server: {
        heap: least(({ server }) => server.heap),
        external: least(({ server }) => server.external),
        rss: least(({ server }) => server.rss),
        files: least(({ server }) => server.files),
        handles: least(({ server }) => server.handles),
      },
    };
  }

  /** Reads all chats, which must end with their last texts, and measures. */
  async #sampleOnce(): Promise<Sample> {
    for (let i = this.#friends.length - 1; i >= 0; i--) {
      await this.#openChat(i);
      await this.#scrollToText(this.#lastTexts[i] ?? "");
    }
    await this.lin.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await this.#cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await this.#cdp.send("Performance.getMetrics");
    const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    const attached = await this.lin.page.evaluate(() => {
      const walker = document.createTreeWalker(document);
      let count = 1;
      while (walker.nextNode()) count++;
      return count;
    });
    return {
      messages: this.#messageCount,
      heap: valueOf("JSHeapUsedSize"),
      listeners: valueOf("JSEventListeners"),
      nodes: valueOf("Nodes"),
      detached: valueOf("Nodes") - attached,
      server: await resourceUsageOf(this.#server),
    };
  }

  /** Closes page and server. Returns the errors of the page's console. */
  async close(): Promise<readonly string[]> {
    await this.lin.context.close();
    this.#server.kill("SIGTERM");
    await this.#server.exited;
    return this.lin.console.unexpectedErrors();
  }

  async #receive(index: number): Promise<void> {
    const friend = this.#friends[index];
    if (friend === undefined) throw new Error(`there is no friend ${index}`);
    const text = this.#nextText();
    this.#lastTexts[index] = text;
    await sendText(friend, this.#account, text);
  }

  async #send(): Promise<void> {
    const text = this.#nextText();
    this.#lastTexts[this.#openIndex] = text;
    const stored = this.lin.page.waitForResponse(/\/message\/private\/send$/);
    await this.lin.send(text);
    // Once the server has stored it, later messages are below it.
    await stored;
    await patient(this.lin.messages().filter({ hasText: text })).toHaveCount(1);
  }

  #nextText(): string {
    return `Message ${String(this.#messageCount++).padStart(6, "0")}, as long as any other`;
  }

  /** Scrolls to the end of the open chat, which must be this text. */
  async #scrollToText(text: string): Promise<void> {
    const down = this.lin.page
      .getByRole("main")
      .getByRole("button", { name: /latest message|unread message/ });
    await expect(async () => {
      if (await down.isVisible()) await down.click({ timeout: STEP_MS });
      await expect(this.lin.messages().last()).toContainText(text, { timeout: STEP_MS });
    }).toPass({ timeout: PATIENCE_MS });
  }

  async #openChat(index: number): Promise<void> {
    this.#openIndex = index;
    const { nickName = "" } = this.#friends[index] ?? {};
    await this.lin.row(nickName).click();
    await patient(this.lin.page.locator("main header").getByRole("heading")).toHaveText(nickName);
  }
}

/** Describes each resource that grew more than it may between two samples. */
export function excessiveGrowth(first: Sample, last: Sample): string[] {
  const grown: string[] = [];
  const limit = (what: string, before: number, after: number, max: number) => {
    if (!(after <= max)) grown.push(`${what}: ${before} became ${after}`);
  };
  const expectFlat = (what: string, before: number, after: number) =>
    limit(what, before, after, before * FLAT_GROWTH_MAX + FLAT_TOLERANCE);
  limit("heap of the page", first.heap, last.heap, first.heap * HEAP_GROWTH_MAX);
  expectFlat("listeners", first.listeners, last.listeners);
  expectFlat("detached nodes", first.detached, last.detached);
  expectFlat("nodes", first.nodes, last.nodes);
  limit("heap of the server", first.server.heap, last.server.heap, first.server.heap * HEAP_GROWTH_MAX);
  limit("RSS of the server", first.server.rss, last.server.rss, first.server.rss * RSS_GROWTH_MAX);
  expectFlat("handles of the server", first.server.handles, last.server.handles);
  expectFlat("files of the server", first.server.files, last.server.files);
  return grown;
}

/** Exchanges one message a second for so many minutes. Compares the last sample with that of the first sixth. */
export async function runSoak(
  browser: Browser,
  { minutes, ...options }: SoakOptions & { minutes: number },
): Promise<Report> {
  const soak = await Soak.start(browser, options);
  const violations: string[] = [];
  const samples: Sample[] = [];
  try {
    for (let i = 0; i < 6; i++) {
      await soak.exchangeMessages(minutes * 10, 1_000);
      const sample = await soak.sample();
      samples.push(sample);
      process.stdout.write(`${sampleText(sample)}\n`);
    }
  } finally {
    violations.push(...(await soak.close()));
  }
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) throw new Error("the soak test took no sample");
  violations.push(...excessiveGrowth(first, last));
  return {
    name: "SOAK one message a second",
    done: `${minutes} minutes, ${options.chats} chats: ${sampleText(first)}; ${sampleText(last)}`,
    violations,
  };
}

function sampleText({ messages, heap, listeners, nodes, detached, server }: Sample): string {
  const mb = (bytes: number) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
  return (
    `after ${messages} messages: page ${mb(heap)}, ${listeners} listeners, ${nodes} nodes of which ${detached} detached; ` +
    `server ${mb(server.heap)}, RSS ${mb(server.rss)}, ${server.handles} handles, ${server.files} files`
  );
}
