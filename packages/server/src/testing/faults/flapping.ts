/**
 * Fault K24: a line that comes and goes, over and over, while somebody writes. Each message is stored once and in the order in which it
 * was written, nothing is told of it more often than once a minute, and in the end all show the same.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { createChance } from "@parley/core/testing/prng";
import type { Clock } from "@parley/core/runtime/ports";
import { befriend, join, makeGroup } from "../people.ts";
import { shownBy, startDevice, unendedLoadings, untilQuiet } from "./core-device.ts";
import { startCutter } from "./cutter.ts";
import type { Report } from "./report.ts";
import { until } from "./until.ts";

export interface FlappingOptions {
  url: string;
  seed: number;
  /** Of the client's own time, which runs faster. */
  minutes: number;
  /** So much faster. */
  haste: number;
  /** Planted: a message is written again under another tmpId, as by a client that forgets. */
  isForgetful?: boolean;
}

/** Up for so long, and down for so long. */
const HALF_MS = 1_000;
const MINUTE_MS = 60_000;
const WRITES_EVERY = 3;

export async function runFlapping({
  url,
  seed,
  minutes,
  haste,
  isForgetful,
}: FlappingOptions): Promise<Report> {
  const chance = createChance(seed);
  const violations: string[] = [];
  const cutter = await startCutter(url);
  let flaps = 0;
  let written = 0;
  let toasts = 0;
  try {
    const [ann, bob] = [await join(url), await join(url)];
    await befriend(ann, bob);
    const groupId = await makeGroup(ann, [bob]);
    const keys = [`PRIVATE:${bob.id}`, `GROUP:${groupId}`] as const;
    const clock = quickClock(haste);
    const hour = clock.now() + 60 * MINUTE_MS;
    const device = await startDevice(ann, {
      name: `flap ${ann.userName}`,
      url: cutter.url,
      clock,
      haste,
      accessEndsAt: hour,
    });
    const other = await startDevice(bob, { name: `steady ${bob.userName}` });
    for (const one of [device, other]) await untilQuiet(one);
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / haste));
    const end = clock.now() + minutes * MINUTE_MS;
    while (clock.now() < end) {
      flaps++;
      cutter.drop(true);
      cutter.cut();
      await wait(HALF_MS * chance.next());
      if (flaps % WRITES_EVERY === 0) {
        const key = chance.pick(keys);
        device.client.chats.sendText(key, `message ${written}`);
        if (isForgetful === true) device.client.chats.sendText(key, `message ${written}`);
        other.client.chats.sendText(key === keys[0] ? `PRIVATE:${ann.id}` : key, `answer ${written++}`);
      }
      await wait(HALF_MS * chance.next());
      cutter.drop(false);
      // A person looks whether it is back; a client that waits its 15 s would meet hardly any of it.
      device.client.session.retryConnection();
      await wait(HALF_MS);
    }
    device.client.session.retryConnection();
    await untilQuiet(device);
    await until("all is sent", () => {
      const waiting = Object.values(device.client.getState().chats.byKey).flatMap(({ window }) =>
        window.messages.filter(({ id }) => id === null),
      );
      return waiting.length === 0 ? undefined : `${waiting.length} messages are not`;
    });
    toasts = device.notices.filter(({ kind }) => kind === "connectionLost").length;
    if (toasts > minutes + 1) violations.push(`${toasts} toasts in ${minutes} minutes`);
    for (const key of keys) {
      const messages = device.client.getState().chats.byKey[key]?.window.messages ?? [];
      const numbers = messages
        .filter(({ content, selfSend }) => selfSend && content.startsWith("message "))
        .map(({ content }) => Number(content.slice("message ".length)));
      if (numbers.some((number, place) => place > 0 && number <= (numbers[place - 1] ?? 0))) {
        violations.push(`${key} has ${numbers.join()} in this order`);
      }
    }
    const fresh = await startDevice(ann, { name: `fresh ${ann.userName}`, url });
    await untilQuiet(fresh);
    await until("both show the same", () => firstDifference(shownBy(fresh), shownBy(device)), 10_000).catch(
      (error: Error) => void violations.push(error.message),
    );
    violations.push(...unendedLoadings(device));
    for (const one of [device, other, fresh]) one.stop();
  } finally {
    await cutter.close();
  }
  return {
    name: `K24 a line that comes and goes (seed ${seed})`,
    done: `${minutes} minutes of the client's time, ${flaps} times down, ${written} messages written meanwhile, ${toasts} toasts`,
    violations,
  };
}

/** Begins now, and runs faster. */
function quickClock(haste: number): Clock {
  const began = Date.now();
  return {
    now: () => began + (Date.now() - began) * haste,
    after(ms, run) {
      const timer = setTimeout(run, ms / haste);
      return () => clearTimeout(timer);
    },
    soon: (run) => void setImmediate(run),
  };
}
