/**
 * SOAK: a page that lies open while people write to it must hold no more after half an hour than after five minutes, and so must the server.
 * Everything is counted after a collection of garbage and in the same state: all chats read, the first one open.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type CDPSession, expect } from "@playwright/test";
import type { Report } from "@parley/server/testing/faults/report";
import { type ResourceUsage, INSPECTOR_ENV, resourceUsageOf } from "@parley/server/testing/process-inspector";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type Account, befriend, createAccount, logIn, sendText } from "./api.ts";
import { Person } from "./person.ts";

/** How much more a heap may hold at the end, and how many more bytes the server may take. */
const HEAP_GROWTH_MAX = 1.3;
const RSS_GROWTH_MAX = 1.1;
/** Of what must not grow at all: what comes and goes with a menu or a connection that is kept for a while. */
const FLAT = 1.05;
const SLACK = 5;
const SAMPLE_TRIES = 3;
/** Every so many messages one is typed into the page instead of sent to it. */
const OWN_EVERY = 10;
/** After so many another chat is opened. */
const SWITCH_EVERY = 25;
const MEBIBYTE = 1_048_576;
/** All rows of the list of chats are on it. */
const VIEWPORT = { width: 1440, height: 1_700 };
/** The machine may be busy with something else. */
const PATIENCE_MS = 60_000;
const STEP_MS = 1_000;
const patient = expect.configure({ timeout: PATIENCE_MS });

export interface SoakOptions {
  dataDir: string;
  chats: number;
  /** Messages of each chat before the page opens: a chat must be longer than what is mounted of it. */
  filled: number;
}

/** What page and server hold. */
export interface Sample {
  /** Messages so far. */
  messages: number;
  heap: number;
  listeners: number;
  nodes: number;
  /** Nodes that are in no document. */
  detached: number;
  server: ResourceUsage;
}

export class Soak {
  readonly lin: Person;
  readonly #server: ServerProcess;
  readonly #cdp: CDPSession;
  readonly #account: Account;
  #friends: readonly Account[];
  /** What was said last in each friend's chat. */
  readonly #last: string[];
  #open = 0;
  #messages = 0;

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
    this.#last = parts.friends.map(() => "");
  }

  /** A server of its own, and a page with so many friends. */
  static async start(browser: Browser, { dataDir, chats, filled }: SoakOptions): Promise<Soak> {
    const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off", ...INSPECTOR_ENV });
    try {
      const account = await createAccount(server.url, "lin", "Lin");
      const friends: Account[] = [];
      for (let i = 0; i < chats; i++) {
        const friend = await createAccount(server.url, `friend${i}`, `Friend ${i}`);
        await befriend(account, friend);
        for (let n = 0; n < filled; n++) await sendText(friend, account, `Before ${n}, as long as any other`);
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
      // What is fetched behind the first screen stays: its last part is that menu.
      await lin.page.waitForFunction(
        () => performance.getEntriesByType("resource").some(({ name }) => name.includes("/rail-menu-")),
        null,
        { timeout: PATIENCE_MS },
      );
      return soak;
    } catch (error) {
      server.kill("SIGKILL");
      throw error;
    }
  }

  /** So many messages, one each `everyMs` by the clock; 0: as fast as they are taken. */
  async exchangeMessages(count: number, everyMs = 0): Promise<void> {
    // Their tokens are good for half an hour.
    this.#friends = await Promise.all(this.#friends.map(({ userName }) => logIn(this.#server.url, userName)));
    const began = Date.now();
    const chats = this.#friends.length;
    for (let i = 0; i < count; i++) {
      if (everyMs > 0) await sleep(Math.max(0, began + i * everyMs - Date.now()));
      if (this.#messages % SWITCH_EVERY === 0) await this.#openChat((this.#open + 1) % chats);
      if (this.#messages % OWN_EVERY === 0) await this.#send();
      else await this.#receive((this.#messages + Math.floor(this.#messages / chats)) % chats);
    }
  }

  /** Reads all chats, which must end with what was said last, and counts; a few times, since what is about to go is counted too. */
  async sample(): Promise<Sample> {
    const looks: Sample[] = [];
    for (let i = 0; i < SAMPLE_TRIES; i++) looks.push(await this.#sampleOnce());
    const least = (of: (sample: Sample) => number) => Math.min(...looks.map(of));
    return {
      messages: this.#messages,
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

  async #sampleOnce(): Promise<Sample> {
    for (let i = this.#friends.length - 1; i >= 0; i--) {
      await this.#openChat(i);
      await this.#scrollToText(this.#last[i] ?? "");
    }
    await this.lin.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await this.#cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await this.#cdp.send("Performance.getMetrics");
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
    const attached = await this.lin.page.evaluate(() => {
      const walk = document.createTreeWalker(document);
      let count = 1;
      while (walk.nextNode()) count++;
      return count;
    });
    return {
      messages: this.#messages,
      heap: metric("JSHeapUsedSize"),
      listeners: metric("JSEventListeners"),
      nodes: metric("Nodes"),
      detached: metric("Nodes") - attached,
      server: await resourceUsageOf(this.#server),
    };
  }

  async close(): Promise<readonly string[]> {
    await this.lin.context.close();
    this.#server.kill("SIGTERM");
    await this.#server.exited;
    return this.lin.console.unexpectedErrors();
  }

  async #receive(index: number): Promise<void> {
    const friend = this.#friends[index];
    if (friend === undefined) throw new Error(`there is no friend ${index}`);
    const text = this.#next();
    this.#last[index] = text;
    await sendText(friend, this.#account, text);
  }

  async #send(): Promise<void> {
    const text = this.#next();
    this.#last[this.#open] = text;
    const stored = this.lin.page.waitForResponse(/\/message\/private\/send$/);
    await this.lin.send(text);
    // What is sent from now on stands below it.
    await stored;
    await patient(this.lin.messages().filter({ hasText: text })).toHaveCount(1);
  }

  #next(): string {
    return `Message ${String(this.#messages++).padStart(6, "0")}, as long as any other`;
  }

  /** To the end of the open chat, which must be this text. */
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
    this.#open = index;
    const { nickName = "" } = this.#friends[index] ?? {};
    await this.lin.row(nickName).click();
    await patient(this.lin.page.locator("main header").getByRole("heading")).toHaveText(nickName);
  }
}

/** What the last sample holds more than the first, and may not. */
export function excessiveGrowth(first: Sample, last: Sample): string[] {
  const grown: string[] = [];
  const limit = (what: string, before: number, after: number, max: number) => {
    if (!(after <= max)) grown.push(`${what}: ${before} became ${after}`);
  };
  const flat = (what: string, before: number, after: number) =>
    limit(what, before, after, before * FLAT + SLACK);
  limit("heap of the page", first.heap, last.heap, first.heap * HEAP_GROWTH_MAX);
  flat("listeners", first.listeners, last.listeners);
  flat("detached nodes", first.detached, last.detached);
  flat("nodes", first.nodes, last.nodes);
  limit("heap of the server", first.server.heap, last.server.heap, first.server.heap * HEAP_GROWTH_MAX);
  limit("RSS of the server", first.server.rss, last.server.rss, first.server.rss * RSS_GROWTH_MAX);
  flat("handles of the server", first.server.handles, last.server.handles);
  flat("files of the server", first.server.files, last.server.files);
  return grown;
}

/** One message a second for so long; what is held after the first sixth is the measure. */
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
  if (first === undefined || last === undefined) throw new Error("nothing was measured");
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
