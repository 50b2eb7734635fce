import { readFileSync } from "node:fs";
import { Terminal } from "@parley/protocol/codes";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import type { Benchmark, ResultRow } from "../benchmark.ts";
import {
  befriend,
  type BenchmarkPerson,
  call,
  clientHeaders,
  createPerson,
  inParallel,
} from "../benchmark-person.ts";
import { median, medianRatio } from "../median.ts";
import { startProduct } from "../process/server-process.ts";
import { subfolder } from "./setup.ts";
import { logInByForm, MESSAGE_ROW, openBrowser, openProfile, SAVE_MS } from "./web-page.ts";

const MESSAGES = 500;
const ROUNDS = 3;
/** Pixels for each frame: a quick turn of a wheel. */
const STEP_PX = 120;
const SAMPLE_MS = 1_000;
const MIB = 1_048_576;

interface Scroll {
  framesPerSecond: number;
  /** How many pictures were loaded during the scrolling. */
  pictures: number;
  /** How much more memory the browser took than before, in bytes: at its peak, and after it was asked to free what it can. */
  peak: number;
  kept: number;
}

interface Chat {
  friendId: number;
  firstId: number;
}

/** Scrolling through a chat of pictures against a chat of texts: frames, and the memory of what was decoded. */
export const webScroll: Benchmark = {
  name: "scroll",
  async measure(context): Promise<ResultRow[]> {
    const server = await startProduct(subfolder(context, "product"), { UPLOAD_DAILY_MB: "1000000" });
    context.onEnd(() => server.stop());
    const { origin } = server;
    const me = await createPerson(origin, "reader");
    context.print(`scroll: sending ${MESSAGES} pictures and ${MESSAGES} texts`);
    const pictures = await createChat(origin, me, "painter", (headers, n) =>
      uploadPicture(origin, headers, n),
    );
    const texts = await createChat(origin, me, "writer", (_, n) =>
      Promise.resolve({
        type: 0,
        content: `Message ${n}: ${"说了很多话 and a few words more. ".repeat(1 + (n % 9))}`,
      }),
    );
    const browser = await openBrowser();
    context.onEnd(() => browser.close());
    const { browserStorage } = await logInByForm(browser, origin, me);
    const measureChat = async ({ friendId, firstId }: Chat) => {
      const profile = await openProfile(browser, browserStorage);
      const page = await profile.newPage();
      await page.goto(`${origin}/home/chat/PRIVATE:${friendId}`);
      await page.locator(MESSAGE_ROW).first().waitFor();
      await page.waitForTimeout(SAVE_MS);
      const scroll = await measureScroll(browser, page, firstId);
      await profile.close();
      return scroll;
    };
    const rounds: { pictures: Scroll; texts: Scroll }[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const both = { texts: await measureChat(texts), pictures: await measureChat(pictures) };
      rounds.push(both);
      context.print(
        `scroll, round ${round} of ${ROUNDS}: ${describe(both.pictures)} against ${describe(both.texts)}`,
      );
    }
    return rowsOf(
      rounds.map((round) => round.pictures),
      rounds.map((round) => round.texts),
    );
  },
};

/** A chat with messages of both sides in turn, so that pictures are no grids. */
async function createChat(
  origin: string,
  me: BenchmarkPerson,
  name: string,
  contentOf: (headers: Record<string, string>, n: number) => Promise<{ type: number; content: string }>,
): Promise<Chat> {
  const friend = await createPerson(origin, name);
  await befriend(origin, friend, me);
  const sides = [
    { headers: clientHeaders(friend.login, Terminal.WEB), recvId: me.id },
    { headers: clientHeaders(me.login, Terminal.WEB), recvId: friend.id },
  ] as const;
  const sideOf = (n: number) => sides[n % 2 === 0 ? 0 : 1];
  const contents = await inParallel(MESSAGES, 4, (n) => contentOf(sideOf(n).headers, n));
  const ids: number[] = [];
  for (const [n, content] of contents.entries()) {
    const { headers, recvId } = sideOf(n);
    const { id } = await call<{ id: number }>(origin, "POST", "/message/private/send", headers, {
      ...content,
      recvId,
      tmpId: `${name}-${n}`,
    });
    ids.push(id);
  }
  // A chat with unread messages opens at the first of them.
  await call(
    origin,
    "PUT",
    `/message/private/readed?friendId=${friend.id}&messageId=${ids.at(-1)}`,
    clientHeaders(me.login, Terminal.WEB),
  );
  return { friendId: friend.id, firstId: ids[0] ?? NaN };
}

/** Uploads a picture that no other one looks like, so that a browser can share nothing between them. */
async function uploadPicture(origin: string, headers: Record<string, string>, n: number) {
  const spots = sharp({
    create: {
      width: 40,
      height: 30,
      channels: 3,
      background: { r: n % 256, g: (n * 7) % 256, b: 128 },
      noise: { type: "gaussian", mean: 120, sigma: 40 },
    },
  });
  const small = await spots.png().toBuffer();
  const bytes = await sharp(small).resize(960, 720).jpeg().toBuffer();
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), "picture.jpg");
  const response = await fetch(`${origin}/api/image/upload`, { method: "POST", headers, body: form });
  const { data } = (await response.json()) as { data: object };
  return { type: 1, content: JSON.stringify(data) };
}

async function measureScroll(browser: Browser, page: Page, firstId: number): Promise<Scroll> {
  const before = await memoryOf(browser);
  let peak = before;
  let isScrolling = true;
  const sample = async () => {
    while (isScrolling) {
      peak = Math.max(peak, await memoryOf(browser));
      await page.waitForTimeout(SAMPLE_MS);
    }
  };
  const sampling = sample();
  const scrolled = await page.evaluate(scrollToFirst, { firstId, step: STEP_PX }).finally(() => {
    isScrolling = false;
    return sampling;
  });
  peak = Math.max(peak, await memoryOf(browser));
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Memory.simulatePressureNotification", { level: "critical" });
  await page.waitForTimeout(SAVE_MS);
  return { ...scrolled, peak: peak - before, kept: (await memoryOf(browser)) - before };
}

/** Runs in the page: scrolls up until the first message is there. Returns what happened during it. */
async function scrollToFirst({ firstId, step }: { firstId: number; step: number }) {
  performance.setResourceTimingBufferSize(10_000);
  performance.clearResourceTimings();
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const log = document.querySelector('[role="log"]');
  const scroller = [...document.querySelectorAll("*")].find(
    (one) =>
      (one === log || one.contains(log) || log?.contains(one) === true) &&
      one.scrollHeight > one.clientHeight + 1 &&
      /auto|scroll/.test(getComputedStyle(one).overflowY),
  );
  if (scroller === undefined) throw new Error("nothing can be scrolled");
  if (document.querySelector(`[data-mid="${firstId}"]`) !== null)
    throw new Error("the chat begins at its end");
  const start = await nextFrame();
  for (let frames = 1; frames < 20_000; frames++) {
    scroller.scrollBy(0, -step);
    const now = await nextFrame();
    if (scroller.scrollTop <= 0 && document.querySelector(`[data-mid="${firstId}"]`) !== null)
      return {
        framesPerSecond: (frames * 1_000) / (now - start),
        pictures: performance
          .getEntriesByType("resource")
          .filter((entry) => (entry as PerformanceResourceTiming).initiatorType === "img").length,
      };
  }
  throw new Error("the first message was not reached");
}

/** The memory of all processes of the browser, what they share counted once, in bytes. Only Linux tells it. */
async function memoryOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const sizes = processInfo.map(({ id }) => {
    try {
      return (
        Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1_024
      );
    } catch (error) {
      // It has ended by then.
      if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
        return 0;
      throw error;
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

const describe = ({ framesPerSecond, pictures, peak, kept }: Scroll) =>
  `${framesPerSecond.toFixed(1)} frames per second, ${(peak / MIB).toFixed(0)} MiB more at the peak, ${(kept / MIB).toFixed(0)} MiB kept, ${pictures} pictures loaded`;

function rowsOf(pictures: readonly Scroll[], texts: readonly Scroll[]): ResultRow[] {
  const framesOf = (rounds: readonly Scroll[]) => rounds.map(({ framesPerSecond }) => framesPerSecond);
  const bytesOf = (rounds: readonly Scroll[], part: "peak" | "kept") =>
    median(rounds.map((one) => one[part]));
  const mib = (bytes: number) => `${(bytes / MIB).toFixed(0)} MiB`;
  const memoryRow = (when: string, part: "peak" | "kept", limitMib: number): ResultRow => ({
    what: `memory of the browser for ${MESSAGES} pictures ${when}: more than for ${MESSAGES} texts`,
    product: mib(bytesOf(pictures, part)),
    reference: `${mib(bytesOf(texts, part))} (texts)`,
    value: (bytesOf(pictures, part) - bytesOf(texts, part)) / 1_024,
    unit: "KiB",
    bound: "at most",
    limit: limitMib * 1_024,
  });
  return [
    {
      what: `frames per second while scrolling through ${MESSAGES} pictures : ${MESSAGES} texts`,
      product: median(framesOf(pictures)).toFixed(1),
      reference: `${median(framesOf(texts)).toFixed(1)} (texts)`,
      value: medianRatio(framesOf(pictures), framesOf(texts)),
      unit: "x",
      bound: "at least",
      limit: 0.7,
      aim: 1,
    },
    memoryRow("at the peak", "peak", 256),
    memoryRow("after the browser was asked to free memory", "kept", 64),
  ];
}
