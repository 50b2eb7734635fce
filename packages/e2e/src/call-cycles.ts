/** CALLS: a page that has made a hundred calls holds no more than before: no connection, no device, and hardly more memory. */
import { type Browser, type CDPSession, expect } from "@playwright/test";
import type { Report } from "@parley/reliability/faults/report";
import { befriend, createAccount } from "./api.ts";
import { pictureMotion } from "./call-media.ts";
import { answer, call, callWindow, hangUp, picture } from "./calls.ts";
import { Person } from "./person.ts";
import { startServer } from "./server.ts";

/** Calls before the first sample: code is loaded and compiled in them. */
const FIRST_CALLS = 5;
const HEAP_GROWTH_MAX = 5 * 1_048_576;
const LISTENER_GROWTH_MAX = 5;
const patient = expect.configure({ timeout: 60_000 });

/** What a page holds after a garbage collection. */
interface Sample {
  readonly connections: number;
  /** Tracks of devices, and of other people, that are not ended. */
  readonly liveTracks: number;
  readonly heap: number;
  readonly listeners: number;
}

/** Two people call each other so many times, in turn, by video. Both pages are compared with what they held after the first calls. */
export async function runCallCycles(browser: Browser, calls: number): Promise<Report> {
  const server = await startServer();
  const violations: string[] = [];
  const samples: string[] = [];
  try {
    const lin = { language: "en-US", userName: "lin", nickName: "Lin" } as const;
    const bo = { language: "en-US", userName: "bo", nickName: "Bo" } as const;
    await befriend(
      await createAccount(server.url, lin.userName, lin.nickName),
      await createAccount(server.url, bo.userName, bo.nickName),
    );
    const people = [
      await Person.create(browser, server.url, lin),
      await Person.create(browser, server.url, bo),
    ] as const;
    const sessions: CDPSession[] = [];
    for (const [index, person] of people.entries()) {
      await person.openAndLogIn();
      await person.openChat(index === 0 ? bo.nickName : lin.nickName);
      const session = await person.context.newCDPSession(person.page);
      await session.send("Performance.enable");
      sessions.push(session);
    }
    const run = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const [from, to] = n % 2 === 0 ? people : [people[1], people[0]];
        await call(from, to, "video");
        await answer(to);
        for (const person of people)
          await patient.poll(() => pictureMotion(picture(person))).toBeGreaterThan(0.01);
        await hangUp(n % 4 < 2 ? from : to);
        for (const person of people) await patient(callWindow(person)).toHaveCount(0);
      }
    };
    const sampleAll = async () => {
      // The records of the calls are messages of the chat, so it is not shown.
      for (const person of people) await person.link("nav.friends").click();
      const sampled = await Promise.all(sessions.map(sampleOf));
      for (const person of people) {
        await person.link("nav.chats").click();
        await person.openChat(person === people[0] ? bo.nickName : lin.nickName);
      }
      return sampled;
    };
    await run(FIRST_CALLS);
    const before = await sampleAll();
    await run(calls);
    const after = await sampleAll();
    for (const [index, person] of people.entries()) {
      const [first, last] = [before[index], after[index]];
      if (first === undefined || last === undefined) throw new Error("a page was not measured");
      samples.push(`${person.options.nickName}: ${describe(first)}; ${describe(last)}`);
      violations.push(...growth(first, last).map((what) => `${person.options.nickName}, ${what}`));
      violations.push(...person.console.unexpectedErrors());
      await person.context.close();
    }
  } finally {
    await server.dispose();
  }
  return { name: "CALLS one after the other", done: `${calls} calls. ${samples.join(". ")}`, violations };
}

/** What is held of calls that are over, or has grown too much. */
function growth(first: Sample, last: Sample): string[] {
  const found: string[] = [];
  if (last.connections > 0) found.push(`${last.connections} connections are left`);
  if (last.liveTracks > 0) found.push(`${last.liveTracks} tracks are live`);
  if (last.heap > first.heap + HEAP_GROWTH_MAX) found.push(`heap: ${first.heap} became ${last.heap} bytes`);
  if (last.listeners > first.listeners + LISTENER_GROWTH_MAX)
    found.push(`listeners: ${first.listeners} became ${last.listeners}`);
  return found;
}

async function sampleOf(session: CDPSession): Promise<Sample> {
  // What a first collection frees may hold more.
  for (let i = 0; i < 3; i++) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return {
    connections: valueOf("RTCPeerConnections"),
    liveTracks: await countLiveTracks(session),
    heap: valueOf("JSHeapUsedSize"),
    listeners: valueOf("JSEventListeners"),
  };
}

async function countLiveTracks(session: CDPSession): Promise<number> {
  const { result: prototype } = await session.send("Runtime.evaluate", {
    expression: "MediaStreamTrack.prototype",
    objectGroup: "tracks",
  });
  const { objects } = await session.send("Runtime.queryObjects", {
    prototypeObjectId: prototype.objectId ?? "",
    objectGroup: "tracks",
  });
  const { result } = await session.send("Runtime.callFunctionOn", {
    objectId: objects.objectId ?? "",
    functionDeclaration:
      "function () { return this.filter(({ readyState }) => readyState === 'live').length; }",
    returnByValue: true,
  });
  await session.send("Runtime.releaseObjectGroup", { objectGroup: "tracks" });
  return Number(result.value);
}

function describe({ connections, liveTracks, heap, listeners }: Sample): string {
  return `${(heap / 1_048_576).toFixed(1)} MiB, ${listeners} listeners, ${connections} connections, ${liveTracks} live tracks`;
}
