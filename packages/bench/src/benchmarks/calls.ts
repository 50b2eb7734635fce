import { setTimeout as sleep } from "node:timers/promises";
import { type Account, befriend, createAccount } from "@parley/e2e/api";
import { fastBrowser } from "@parley/e2e/browsers";
import { answer, call, callWindow, hangUp, patient, prompt, timer } from "@parley/e2e/calls";
import { createGroup } from "@parley/e2e/groups";
import { Person } from "@parley/e2e/person";
import { forceRelay, startRelayedServer } from "@parley/e2e/relayed-calls";
import { hasTurnServer } from "@parley/e2e/turn-server";
import { startFaultProxy } from "@parley/reliability/faults/fault-proxy";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Benchmark, BenchmarkContext, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";
import { startProduct } from "../process/server-process.ts";
import {
  CAMERA,
  clickedAt,
  connectInPage,
  descriptionsOf,
  firstFrameAt,
  nextFrameAt,
  resetWatch,
  type VideoTotals,
  videoTotals,
  watchCalls,
} from "./call-page.ts";
import { subfolder } from "./setup.ts";

const ROUNDS = 10;
const WARM_UP_ROUNDS = 4;
/** How long it rings before somebody answers. */
const RING_MS = 1_500;
const DELAY_MS = 50;
const OUTAGE_MS = 4_000;
const OUTAGE_ROUNDS = 5;
/** Pictures need some seconds until their rate and quality are as they stay. */
const WARM_UP_MS = 5_000;
const SAMPLE_MS = 5_000;
const NAMES = ["lin", "bo", "mei", "dan"] as const;

type Pair = readonly [caller: Person, callee: Person];

/** Calls between real browsers: how soon people see each other, an outage, four people, and a camera that is off. */
export const calls: Benchmark = {
  name: "calls",
  async measure(context): Promise<ResultRow[]> {
    const server = await startProduct(subfolder(context, "product"));
    context.onEnd(() => server.stop());
    const browser = await openCallBrowser(context);
    const accounts = await Promise.all(
      NAMES.map((name) => createAccount(server.origin, name, nickNameOf(name))),
    );
    await befriendAll(accounts);
    return [
      ...(await measureFirstFrames(context, browser, server.origin)),
      ...(await measureCameraOff(context, browser, server.origin)),
      await measureFour(context, browser, server.origin, accounts),
      ...(await measureOutage(context, browser)),
    ];
  },
};

/** Starts a browser with a test camera of 30 pictures a second and a test microphone. */
async function openCallBrowser(context: BenchmarkContext): Promise<Browser> {
  const options = fastBrowser();
  const browser = await chromium.launch({
    ...options,
    args: [
      ...(options.args ?? []),
      "--use-fake-device-for-media-stream=fps=30",
      "--allow-loopback-in-peer-connection",
    ],
  });
  context.onEnd(() => browser.close());
  return browser;
}

async function befriendAll(accounts: readonly Account[]): Promise<void> {
  for (const [index, account] of accounts.entries())
    for (const other of accounts.slice(index + 1)) await befriend(account, other);
}

const nickNameOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Opens a page of somebody with this chat. */
async function openPerson(
  browser: Browser,
  url: string,
  userName: string,
  chat: string,
  isRelayed = false,
): Promise<Person> {
  const person = await Person.create(browser, url, {
    language: "en-US",
    userName,
    nickName: nickNameOf(userName),
  });
  await person.context.addInitScript(watchCalls, CAMERA);
  if (isRelayed) await forceRelay(person.context);
  await person.openAndLogIn();
  await person.openChat(chat);
  return person;
}

async function openPair(browser: Browser, url: string, isRelayed = false): Promise<Pair> {
  return [
    await openPerson(browser, url, "lin", "Bo", isRelayed),
    await openPerson(browser, url, "bo", "Lin", isRelayed),
  ];
}

async function closeAll(people: readonly Person[]): Promise<void> {
  for (const person of people) await person.context.close();
}

/** Calls by video and answers. Returns the milliseconds from the click that answers to the first picture, at the side where it came last. */
async function firstFrames([caller, callee]: Pair): Promise<number> {
  for (const { page } of [caller, callee]) await resetWatch(page);
  await call(caller, callee, "video");
  await sleep(RING_MS);
  await answer(callee);
  const shownAt = await Promise.all([firstFrameAt(caller.page), firstFrameAt(callee.page)]);
  return Math.max(...shownAt) - (await clickedAt(callee.page));
}

async function endCall(people: readonly Person[]): Promise<void> {
  const [first] = people;
  if (first !== undefined) await hangUp(first);
  for (const person of people) await patient(callWindow(person)).toHaveCount(0);
}

async function measureFirstFrames(
  context: BenchmarkContext,
  browser: Browser,
  origin: string,
): Promise<ResultRow[]> {
  const proxy = await startFaultProxy(origin);
  proxy.injectFaults(() => ({ delayMs: DELAY_MS }));
  const near = await openPair(browser, origin);
  const floorPage = await openFloorPage(browser, origin);
  const rounds = { floor: [] as number[], near: [] as number[], far: [] as number[] };
  const round = async (pair: Pair): Promise<number> => {
    const duration = await firstFrames(pair);
    for (const person of pair) await patient(timer(person)).toBeVisible();
    await endCall(pair);
    return duration;
  };
  const measure = async (side: "near" | "far", pair: Pair): Promise<void> => {
    // Code is loaded and compiled in them.
    for (let n = 0; n < WARM_UP_ROUNDS; n++) await round(pair);
    for (let n = 1; n <= ROUNDS; n++) {
      const floor = await connectInPage(floorPage);
      const duration = await round(pair);
      rounds.floor.push(floor);
      rounds[side].push(duration);
      context.print(
        `calls, ${side} round ${n} of ${ROUNDS}: ${duration.toFixed(0)} ms against ${floor.toFixed(0)} ms`,
      );
    }
  };
  for (let n = 0; n < WARM_UP_ROUNDS; n++) await connectInPage(floorPage);
  await measure("near", near);
  await closeAll(near);
  const far = await openPair(browser, proxy.url);
  await measure("far", far);
  await closeAll(far);
  await floorPage.context().close();
  await proxy.close();
  const ms = (values: readonly number[]) => `${median(values).toFixed(0)} ms`;
  const roundTrips = rounds.far.map(
    (duration, n) => (duration - (rounds.floor[ROUNDS + n] ?? NaN)) / (2 * DELAY_MS),
  );
  return [
    {
      what: "first pictures at both sides after a call is answered : two connections of one page",
      product: ms(rounds.near),
      reference: ms(rounds.floor),
      value: medianRatio(rounds.near, rounds.floor),
      unit: "x",
      bound: "at most",
      limit: 1.3,
    },
    {
      what: `the same with ${DELAY_MS} ms to the server and back each: round trips more than two connections of one page`,
      product: ms(rounds.far),
      reference: ms(rounds.floor.slice(ROUNDS)),
      value: median(roundTrips),
      unit: "",
      bound: "at most",
      limit: 2.2,
    },
  ];
}

/** A page whose only purpose is a connection with itself. */
async function openFloorPage(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript(watchCalls, CAMERA);
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  return page;
}

async function measureCameraOff(
  context: BenchmarkContext,
  browser: Browser,
  origin: string,
): Promise<ResultRow[]> {
  const pair = await openPair(browser, origin);
  const [lin, bo] = pair;
  await firstFrames(pair);
  await sleep(WARM_UP_MS);
  const descriptions = async () => (await descriptionsOf(lin.page)) + (await descriptionsOf(bo.page));
  const bytes = async (): Promise<number> => {
    const before = [await videoTotals(lin.page), await videoTotals(bo.page)] as const;
    await sleep(SAMPLE_MS);
    const after = [await videoTotals(lin.page), await videoTotals(bo.page)] as const;
    return after[0].bytesSent - before[0].bytesSent + (after[1].bytesReceived - before[1].bytesReceived);
  };
  const bytesOn = await bytes();
  const before = await descriptions();
  await lin.page.keyboard.press("v");
  await patient(callWindow(bo).locator("video")).toHaveCount(1);
  await sleep(1_000);
  const bytesOff = await bytes();
  await lin.page.keyboard.press("v");
  await patient(callWindow(bo).locator("video")).toHaveCount(2);
  await sleep(1_000);
  const negotiations = (await descriptions()) - before;
  await endCall(pair);
  await closeAll(pair);
  context.print(`calls, camera off: ${bytesOff} bytes and ${negotiations} descriptions`);
  const kib = (count: number) => `${(count / 1_024).toFixed(0)} KiB`;
  return [
    {
      what: `bytes of pictures sent and received in ${SAMPLE_MS / 1_000} s while the camera is off`,
      product: kib(bytesOff),
      reference: `${kib(bytesOn)} (camera on)`,
      value: bytesOff / 1_024,
      unit: "KiB",
      bound: "at most",
      limit: 0,
    },
    {
      what: "descriptions that are exchanged when a camera goes off and on",
      product: String(negotiations),
      reference: `${before} before`,
      value: negotiations,
      unit: "",
      bound: "at most",
      limit: 0,
    },
  ];
}

async function measureFour(
  context: BenchmarkContext,
  browser: Browser,
  origin: string,
  accounts: readonly Account[],
): Promise<ResultRow> {
  const [owner, ...members] = accounts;
  if (owner === undefined) throw new Error("there is nobody");
  const group = await createGroup(owner, "Four", members);
  const people: Person[] = [];
  for (const name of NAMES) people.push(await openPerson(browser, origin, name, group.name));
  const [lin, ...others] = people;
  if (lin === undefined) throw new Error("there is nobody");
  await lin.button("groupCall.start").click();
  const picker = lin.page.getByRole("dialog", { name: lin.t("groups.pick.call") });
  for (const { nickName } of others.map(({ options }) => options))
    await picker.getByRole("option", { name: nickName }).click();
  await picker.getByRole("button", { name: lin.t("groups.confirm.call", { count: others.length }) }).click();
  for (const person of others) {
    await patient(prompt(person)).toBeVisible();
    await answer(person);
  }
  for (const person of people) {
    await patient(timer(person)).toBeVisible();
    await person.page.keyboard.press("v");
  }
  for (const person of people) await patient(callWindow(person).locator("video")).toHaveCount(people.length);
  await sleep(2 * WARM_UP_MS);
  const totals = () => Promise.all(people.map(({ page }) => videoTotals(page)));
  const [before, startedAt] = [await totals(), performance.now()];
  await sleep(SAMPLE_MS);
  const after = await totals();
  const seconds = (performance.now() - startedAt) / 1_000;
  const rates = (of: (total: VideoTotals) => readonly number[]) =>
    after.flatMap((total, person) =>
      of(total).map((count, link) => (count - (of(before[person] ?? total)[link] ?? NaN)) / seconds),
    );
  const links = rates(({ framesDecoded }) => framesDecoded);
  const cameras = rates(({ cameraFrames }) => [cameraFrames]);
  await closeAll(people);
  context.print(`calls, four people: ${links.map((rate) => rate.toFixed(1)).join(", ")} frames a second`);
  const expected = people.length * (people.length - 1);
  return {
    what: `pictures a second of ${CAMERA.width} x ${CAMERA.height} in a call of four, on the slowest of its ${expected} ways`,
    product: `${Math.min(...links).toFixed(1)} (median ${median(links).toFixed(1)})`,
    reference: `${median(cameras).toFixed(1)} (camera)`,
    // A way without pictures is the slowest one.
    value: links.length === expected ? Math.min(...links) : 0,
    unit: "",
    bound: "at least",
    limit: 14,
  };
}

async function measureOutage(context: BenchmarkContext, browser: Browser): Promise<ResultRow[]> {
  if (!hasTurnServer()) throw new Error("coturn is not installed and could not be");
  const relayed = await startRelayedServer();
  context.onEnd(() => relayed.dispose());
  const { server, relay } = relayed;
  await befriendAll([
    await createAccount(server.url, "lin", nickNameOf("lin")),
    await createAccount(server.url, "bo", nickNameOf("bo")),
  ]);
  const pair = await openPair(browser, server.url, true);
  const durations: number[] = [];
  for (let n = 1; n <= OUTAGE_ROUNDS; n++) {
    await firstFrames(pair);
    await sleep(WARM_UP_MS);
    relay.drop(true);
    // Pictures that have arrived before are shown within this time.
    await sleep(OUTAGE_MS / 2);
    const frames = Promise.all(pair.map(({ page }) => nextFrameAt(page)));
    await sleep(OUTAGE_MS / 2);
    relay.drop(false);
    const backAt = Date.now();
    durations.push(Math.max(...(await frames)) - backAt);
    context.print(`calls, outage ${n} of ${OUTAGE_ROUNDS}: back after ${durations.at(-1)?.toFixed(0)} ms`);
    await endCall(pair);
  }
  await closeAll(pair);
  return [
    {
      what: `pictures at both sides are back after an outage of the relay : its duration`,
      product: `${median(durations).toFixed(0)} ms`,
      reference: `${OUTAGE_MS} ms (outage)`,
      value: median(durations) / OUTAGE_MS,
      unit: "x",
      bound: "at most",
      limit: 0.75,
    },
  ];
}
