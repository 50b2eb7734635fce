/**
 * Fault K24: a connection breaks and returns again and again while somebody writes. Each message is stored once and in the order of
 * writing, at most one toast a minute reports the connection, and in the end all devices show the same.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { createPrng } from "@parley/core/testing/prng";
import type { Clock } from "@parley/core/ports";
import { befriend, registerPerson, makeGroup } from "@parley/server/testing/test-person";
import { visibleStateOf, startDevice, findUnfinishedPulls, waitUntilIdle } from "./client-device.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How long, and how fast. */
export interface FlappingNetworkOptions {
  url: string;
  seed: number;
  /** Minutes of the client's clock. */
  minutes: number;
  /** By which factor the client's clock runs faster. */
  timerSpeed: number;
  /** A planted fault: each message is written twice, with different tmpIds. */
  sendsTwice?: boolean;
}

/** The connection is up for this time, and down for about this time. */
const HALF_MS = 1_000;
const MINUTE_MS = 60_000;
const WRITES_EVERY = 3;

/** Runs the battery. */
export async function runFlappingNetwork({
  url,
  seed,
  minutes,
  timerSpeed,
  sendsTwice,
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
    const inAnHour = clock.now() + 60 * MINUTE_MS;
    const device = await startDevice(ann, {
      name: `flap ${ann.userName}`,
      url: proxy.url,
      clock,
      timerSpeed,
      accessEndsAt: inAnHour,
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
        if (sendsTwice === true) device.client.chats.sendText(key, `message ${written}`);
        other.client.chats.sendText(key === keys[0] ? `PRIVATE:${ann.id}` : key, `answer ${written++}`);
      }
      await wait(HALF_MS * random.next());
      proxy.rejectConnections(false);
      // Reconnect at once: a client that waits 15 s would miss most of the interruptions.
      device.client.session.reconnectNow();
      await wait(HALF_MS);
    }
    device.client.session.reconnectNow();
    await waitUntilIdle(device);
    await waitUntil("all messages are sent", () => {
      const waiting = Object.values(device.client.getState().chats.byKey).flatMap(({ window }) =>
        window.messages.filter(({ id }) => id === null),
      );
      return waiting.length === 0 ? undefined : `${waiting.length} messages are not sent`;
    });
    toasts = device.notices.filter(({ kind }) => kind === "connectionLost").length;
    if (toasts > minutes + 1) violations.push(`${toasts} toasts in ${minutes} minutes`);
    for (const key of keys) {
      const messages = device.client.getState().chats.byKey[key]?.window.messages ?? [];
      const numbers = messages
        .filter(({ content, selfSend }) => selfSend && content.startsWith("message "))
        .map(({ content }) => Number(content.slice("message ".length)));
      if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))) {
        violations.push(`${key} has ${numbers.join()} in this order`);
      }
    }
    const fresh = await startDevice(ann, { name: `fresh ${ann.userName}`, url });
    await waitUntilIdle(fresh);
    await waitUntil(
      "a new device and the old one show the same",
      () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
      10_000,
    ).catch((error: Error) => void violations.push(error.message));
    violations.push(...findUnfinishedPulls(device));
    for (const one of [device, other, fresh]) one.stop();
  } finally {
    await proxy.close();
  }
  return {
    name: `K24 flapping connection (seed ${seed})`,
    done: `${minutes} minutes of client time, ${flaps} disconnects, ${written} messages written meanwhile, ${toasts} toasts`,
    violations,
  };
}

/** A clock that starts at the current time and runs faster. */
function fastClock(timerSpeed: number): Clock {
  const startedAt = Date.now();
  return {
    now: () => startedAt + (Date.now() - startedAt) * timerSpeed,
    after(ms, run) {
      const timer = setTimeout(run, ms / timerSpeed);
      return () => clearTimeout(timer);
    },
    soon: (run) => void setImmediate(run),
  };
}
