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
  /** When the list and the open chat were painted, and the socket opened, in milliseconds since the start. */
  timings: { list: number; message: number; socket: number };
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
    const starts: Starts = { signIn: [], uncached: [], slow: [], second: [] };
    for (let round = 1; round <= ROUNDS; round++) {
      const signedIn = await web.openProfile(browser, browserStorage);
      const first = await signedIn.newPage();
      starts.uncached.push(await measureStart(first, () => first.goto(`${server.origin}/home/chat`)));
      await signedIn.close();

      const phone = await web.openProfile(browser, browserStorage);
      const slow = await phone.newPage();
      await web.slowDown(slow);
      starts.slow.push(await measureStart(slow, () => slow.goto(`${server.origin}/home/chat`)));
      await phone.close();

      const profile = await web.openProfile(browser);
      const page = await profile.newPage();
      await web.openLogin(page, server.origin);
      starts.signIn.push(await measureStart(page, () => web.submitLogin(page, me), true));
      await web.waitUntilSaved(page);
      starts.second.push(await measureStart(page, () => page.reload()));
      await profile.close();
      context.print(
        `web, round ${round} of ${ROUNDS}: second ${describeStart(starts.second.at(-1))}; after the sign-in ${describeStart(starts.signIn.at(-1))}; nothing cached ${describeStart(starts.uncached.at(-1))}; the same on a slow phone ${describeStart(starts.slow.at(-1))}`,
      );
    }
    return [...sizeRows(login, starts.uncached), ...timeRows(starts)];
  },
};

/** The same client at several kinds of start, once in each round. */
interface Starts {
  /** A sign-in on a new device. It starts when the server has accepted the password. */
  signIn: Start[];
  /** A page that is signed in, in a browser that has neither program nor data. */
  uncached: Start[];
  /** The same with a slow processor and connection. */
  slow: Start[];
  /** The page is opened again after the sign-in. */
  second: Start[];
}

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

/** Begins a start and waits until chat list, chat and socket are there. */
async function measureStart(page: Page, begin: () => Promise<unknown>, isSignIn = false): Promise<Start> {
  await begin();
  const {
    session = 0,
    list = NaN,
    message = NaN,
    socket = NaN,
  } = await web.timingsOf(page, ["list", "message", "socket", ...(isSignIn ? (["session"] as const) : [])]);
  await page.waitForLoadState("networkidle");
  return {
    timings: { list: list - session, message: message - session, socket: socket - session },
    assets: await web.assetsOf(page, message),
  };
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
    size("login screen: JS + CSS, gzip", login, 160),
    size("first chat screen: JS + CSS, gzip", chat, 340),
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

function timeRows({ signIn, uncached, slow, second }: Starts): ResultRow[] {
  const sockets = second.map((start) => start.timings.socket);
  const painted = second.map(paintedAt);
  const ms = (times: readonly number[]) => `${median(times).toFixed(0)} ms`;
  const transfers = slow.map(({ assets }) => (assets.gzipped / web.SLOW_BYTES_PER_S) * 1_000);
  const againstSecond = (what: string, times: readonly number[], limit: number): ResultRow => ({
    what: `${what} : second visit`,
    product: ms(times),
    reference: `${ms(painted)} (second)`,
    value: medianRatio(times, painted),
    unit: "x",
    bound: "at most",
    limit,
  });
  return [
    againstSecond(
      "chat list on a new device, after the sign-in",
      signIn.map(({ timings }) => timings.list),
      1.5,
    ),
    againstSecond("first message on a new device, after the sign-in", signIn.map(paintedAt), 1.5),
    againstSecond("first message of a signed-in page, nothing cached", uncached.map(paintedAt), 3),
    {
      what: "first message on a slow phone, nothing cached : transfer of its files alone",
      product: ms(slow.map(paintedAt)),
      reference: `${ms(transfers)} (transfer)`,
      value: medianRatio(slow.map(paintedAt), transfers),
      unit: "x",
      bound: "at most",
      limit: 4,
    },
    {
      what: "warm start paints list and chat : its socket opens",
      product: ms(painted),
      reference: `${ms(sockets)} (socket)`,
      value: medianRatio(painted, sockets),
      unit: "x",
      bound: "at most",
      limit: 1,
    },
  ];
}
