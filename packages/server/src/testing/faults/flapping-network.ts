/**
 * Fault K24: a line that comes and goes, over and over, while somebody writes. Each message is stored once and in the order in which it
 * was written, nothing is told of it more often than once a minute, and in the end all show the same.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { createPrng } from "@parley/core/testing/prng";
import type { Clock } from "@parley/core/ports";
import { befriend, registerPerson, makeGroup } from "../test-person.ts";
import { visibleStateOf, startDevice, findUnfinishedPulls, waitUntilIdle } from "./client-device.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

export interface FlappingNetworkOptions {
  url: string;
  seed: number;
  /** Of the client's own time, which runs faster. */
  minutes: number;
  /** So much faster. */
  timerSpeed: number;
  /** Planted: a message is written again under another tmpId, as by a client that forgets. */
  isForgetful?: boolean;
}

/** Up for so long, and down for so long. */
const HALF_MS = 1_000;
const MINUTE_MS = 60_000;
const WRITES_EVERY = 3;

export async function runFlappingNetwork({
  url,
  seed,
  minutes,
  timerSpeed,
  isForgetful,
}: FlappingNetworkOptions): Promise<Report> {
  const random = createPrng(seed);
  const violations: string[] = [];
  const proxy = await startFaultProxy(url);
  let flaps = 0;
  let written = 0;
  let toasts = 0;
  try {
    const [ann, bob] = [await registerPerson(url), await registerPerson(url)];
    await befriend(ann, bob);
    const groupId = await makeGroup(ann, [bob]);
    const keys = [`PRIVATE:${bob.id}`, `GROUP:${groupId}`] as const;
    const clock = fastClock(timerSpeed);
    const hour = clock.now() + 60 * MINUTE_MS;
    const device = await startDevice(ann, {
      name: `flap ${ann.userName}`,
      url: proxy.url,
      clock,
      timerSpeed,
      accessEndsAt: hour,
    });
    const other = await startDevice(bob, { name: `steady ${bob.userName}` });
    for (const one of [device, other]) await waitUntilIdle(one);
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / timerSpeed));
    const end = clock.now() + minutes * MINUTE_MS;
    while (clock.now() < end) {
      flaps++;
      proxy.rejectConnections(true);
      proxy.resetConnections();
      await wait(HALF_MS * random.next());
      if (flaps % WRITES_EVERY === 0) {
        const key = random.pick(keys);
        device.client.chats.sendText(key, `message ${written}`);
        if (isForgetful === true) device.client.chats.sendText(key, `message ${written}`);
        other.client.chats.sendText(key === keys[0] ? `PRIVATE:${ann.id}` : key, `answer ${written++}`);
      }
      await wait(HALF_MS * random.next());
      proxy.rejectConnections(false);
      // A person looks whether it is back; a client that waits its 15 s would meet hardly any of it.
      device.client.session.reconnectNow();
      await wait(HALF_MS);
    }
    device.client.session.reconnectNow();
    await waitUntilIdle(device);
    await waitUntil("all is sent", () => {
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
    await waitUntilIdle(fresh);
    await waitUntil(
      "both show the same",
      () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
      10_000,
    ).catch((error: Error) => void violations.push(error.message));
    violations.push(...findUnfinishedPulls(device));
    for (const one of [device, other, fresh]) one.stop();
  } finally {
    await proxy.close();
  }
  return {
    name: `K24 a line that comes and goes (seed ${seed})`,
    done: `${minutes} minutes of the client's time, ${flaps} times down, ${written} messages written meanwhile, ${toasts} toasts`,
    violations,
  };
}

/** Begins now, and runs faster. */
function fastClock(timerSpeed: number): Clock {
  const began = Date.now();
  return {
    now: () => began + (Date.now() - began) * timerSpeed,
    after(ms, run) {
      const timer = setTimeout(run, ms / timerSpeed);
      return () => clearTimeout(timer);
    },
    soon: (run) => void setImmediate(run),
  };
}
