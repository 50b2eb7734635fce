import { Terminal } from "@parley/protocol/codes";
import type { Page } from "playwright-core";
import type { Benchmark, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";
import {
  befriend,
  call,
  clientHeaders,
  inParallel,
  createPerson,
  type BenchmarkPerson,
} from "../benchmark-person.ts";
import { startProduct } from "../process/server-process.ts";
import { subfolder } from "./setup.ts";
import * as web from "./web-page.ts";

const CHATS = 200;
const MESSAGES_EACH = 50;
const ROUNDS = 5;
const KB = 1_000;

interface Start {
  timings: Required<Omit<web.PageTimings, "login">>;
  assets: web.Assets;
}

/** How much the web client loads for its first screens, and how soon a new device paints, against one with a local database. */
export const webStart: Benchmark = {
  name: "web",
  async measure(context): Promise<ResultRow[]> {
    const server = await startProduct(subfolder(context, "product"));
    context.onEnd(() => server.stop());
    context.print(`web: writing ${CHATS * MESSAGES_EACH} messages in ${CHATS} chats`);
    const me = await createWebStartData(server.origin);
    const browser = await web.openBrowser();
    context.onEnd(() => browser.close());

    const { browserStorage, assets: login } = await web.logInByForm(browser, server.origin, me);
    const cold: Start[] = [];
    const warm: Start[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const profile = await web.openProfile(browser, browserStorage);
      const page = await profile.newPage();
      cold.push(await measureStart(page, () => page.goto(`${server.origin}/home/chat`)));
      await page.waitForTimeout(web.SAVE_MS);
      warm.push(await measureStart(page, () => page.reload()));
      await profile.close();
      context.print(
        `web, round ${round} of ${ROUNDS}: ${describeStart(warm.at(-1))} against ${describeStart(cold.at(-1))}`,
      );
    }
    return [...sizeRows(login, cold), ...timeRows(cold, warm)];
  },
};

async function createWebStartData(origin: string): Promise<BenchmarkPerson> {
  const me = await createPerson(origin, "reader");
  await inParallel(CHATS, 8, async (index) => {
    const friend = await createPerson(origin, `friend${index}`);
    await befriend(origin, friend, me);
    const sides = [
      { headers: clientHeaders(friend.login, Terminal.WEB), recvId: me.id },
      { headers: clientHeaders(me.login, Terminal.WEB), recvId: friend.id },
    ];
    for (let n = 0; n < MESSAGES_EACH; n++) {
      const { headers, recvId } = sides[n % 3 === 0 ? 1 : 0] ?? { headers: {}, recvId: 0 };
      const content =
        n % 2 === 0
          ? `第 ${n} 条消息，今天的进度怎么样？`
          : `Message ${n}: see https://example.org/${n} for it`;
      await call(origin, "POST", "/message/private/send", headers, {
        recvId,
        content,
        type: 0,
        tmpId: `w-${index}-${n}`,
      });
    }
  });
  return me;
}

/** Opens the page with `navigate` and waits until chat list, chat and socket are there. */
async function measureStart(page: Page, navigate: () => Promise<unknown>): Promise<Start> {
  await navigate();
  const {
    list = NaN,
    message = NaN,
    socket = NaN,
  } = await web.timingsOf(page, ["list", "message", "socket"]);
  await page.waitForLoadState("networkidle");
  return { timings: { list, message, socket }, assets: await web.assetsOf(page, message) };
}

/** When both the chat list and the open chat are painted. */
function paintedAt({ timings }: Start): number {
  return Math.max(timings.list, timings.message);
}

function describeStart(start: Start | undefined): string {
  if (start === undefined) return "";
  const { list, message, socket } = start.timings;
  return `list ${list.toFixed(0)}, chat ${message.toFixed(0)}, socket ${socket.toFixed(0)} ms`;
}

function sizeRows(login: web.Assets, cold: readonly Start[]): ResultRow[] {
  const chat = cold[0]?.assets ?? { requests: NaN, gzipped: NaN };
  const size = (what: string, assets: web.Assets, limit: number): ResultRow => ({
    what,
    product: `${(assets.gzipped / KB).toFixed(1)} KB`,
    reference: "",
    value: assets.gzipped / KB,
    unit: "KB",
    bound: "at most",
    limit,
  });
  return [
    size("login screen: JS + CSS, gzip", login, 130),
    size("first chat screen: JS + CSS, gzip", chat, 265),
    {
      what: "asset requests to the first chat paint",
      product: String(chat.requests),
      reference: "",
      value: chat.requests,
      unit: "",
      bound: "at most",
      limit: 16,
    },
  ];
}

function timeRows(cold: readonly Start[], warm: readonly Start[]): ResultRow[] {
  const sockets = warm.map((start) => start.timings.socket);
  const ms = (times: readonly number[]) => `${median(times).toFixed(0)} ms`;
  return [
    {
      what: "first message on a new device, signed in : second visit",
      product: ms(cold.map(paintedAt)),
      reference: `${ms(warm.map(paintedAt))} (second)`,
      value: medianRatio(cold.map(paintedAt), warm.map(paintedAt)),
      unit: "x",
      bound: "at most",
      limit: 1.5,
    },
    {
      what: "warm start paints list and chat : its socket opens",
      product: ms(warm.map(paintedAt)),
      reference: `${ms(sockets)} (socket)`,
      value: medianRatio(warm.map(paintedAt), sockets),
      unit: "x",
      bound: "at most",
      limit: 1,
    },
  ];
}
