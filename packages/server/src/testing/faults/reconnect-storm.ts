/**
 * Fault K23: the lines of all clients are cut at the same moment, again and again, while they write to each other. All come back at the
 * first try, nobody is refused, and nothing is lost.
 */
import { createPrng } from "@parley/core/testing/prng";
import { TestPerson, befriend, registerPerson } from "../test-person.ts";
import { startServer } from "../server-process.ts";
import { type ClientDevice, startDevice, waitUntilIdle } from "./client-device.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

export interface ReconnectStormOptions {
  dataDir: string;
  clients: number;
  storms: number;
  /** So much faster the clients' timers run: the 15 s until they come back, heartbeats and what they look at now and then. */
  timerSpeed: number;
  seed: number;
  /** Planted: so many clients are stopped instead of coming back. */
  lost?: number;
}

const CONCURRENT_MAX = 16;

export async function runReconnectStorm({
  dataDir,
  clients,
  storms,
  timerSpeed,
  seed,
  lost = 0,
}: ReconnectStormOptions): Promise<Report> {
  const violations: string[] = [];
  const random = createPrng(seed);
  const people = await makePairs(dataDir, clients);
  // Now with the limits that people meet.
  const server = await startServer({ DATA_DIR: dataDir });
  const proxy = await startFaultProxy(server.url);
  let slowestMs = 0;
  let sent = 0;
  try {
    const devices: ClientDevice[] = [];
    await inParts(people, async (person, place) => {
      const device = await startDevice(movedTo(proxy.url, person), {
        name: `storm ${person.userName}`,
        timerSpeed,
      });
      devices[place] = device;
      await waitUntilIdle(device);
    });
    for (let storm = 1; storm <= storms; storm++) {
      const began = performance.now();
      proxy.resetConnections(({ isSocket }) => isSocket);
      if (storm === storms) for (const device of devices.slice(0, lost)) device.stop();
      const there = devices.slice(storm === storms ? lost : 0);
      // Those without a line write all the same.
      for (const [place, device] of devices.entries()) {
        if (!there.includes(device) || random.isTrueWithProbability(0.5)) continue;
        sent++;
        device.client.chats.sendText(chatOf(people, place), `storm ${storm} of ${place}`);
      }
      const count = (isMissing: (device: ClientDevice) => boolean) => {
        const missing = there.filter(isMissing).length;
        return missing === 0 ? undefined : `${missing} clients have not`;
      };
      await waitUntil("all have tried again", () => count(({ connections }) => connections.length <= storm));
      for (const device of there) await waitUntilIdle(device);
      await waitUntil("all have sent what they wrote", () => count(hasUnsent));
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
    await inParts(devices, async (device, place) => {
      const wrong = (what: string) => void violations.push(`${device.person.userName} ${what}`);
      const { session } = device.client.getState();
      if (session.kind !== "active") wrong("was signed out");
      if (device.connections.length !== storms + 1)
        wrong(`opened ${device.connections.length} sockets in ${storms} storms`);
      const refused = device.requests.filter(({ status }) => status !== null && status >= 400);
      if (refused.length > 0) wrong(`was refused: ${JSON.stringify(refused.slice(0, 3))}`);
      const friendId = partnerOf(people, place).id;
      const stored = await movedTo(server.url, device.person).ok("privateHistory", {
        query: { friendId, size: 100 },
      });
      await waitUntil(
        "the chat is whole",
        () => {
          const shown = device.client.getState().chats.byKey[chatOf(people, place)]?.window.messages ?? [];
          return listed(shown) === listed(stored)
            ? undefined
            : `${listed(shown)} instead of ${listed(stored)}`;
        },
        WHOLE_MS,
      ).catch((error: Error) => wrong(error.message));
      device.stop();
    });
  } finally {
    await proxy.close();
    server.kill("SIGKILL");
    await server.exited;
  }
  return {
    name: `K23 all cut at once (seed ${seed})`,
    done: `${clients} clients, ${storms} times, ${sent} messages sent meanwhile; the slowest storm was over after ${(slowestMs / 1_000).toFixed(1)} s`,
    violations,
  };
}

/** What was pushed may still be on its way. */
const WHOLE_MS = 5_000;

/** Friends by twos: the first with the second, and so on. */
async function makePairs(dataDir: string, count: number): Promise<TestPerson[]> {
  const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
  try {
    const people: TestPerson[] = [];
    const numbers = Array.from({ length: count }, (_, number) => number);
    await inParts(numbers, async (number) => {
      people[number] = await registerPerson(server.url, { userName: `storm${number}` });
    });
    const even = numbers.filter((number) => number % 2 === 0 && number + 1 < count);
    await inParts(even, async (number) => {
      const [a, b] = [people[number], people[number + 1]];
      if (a !== undefined && b !== undefined) await befriend(a, b);
    });
    return people;
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
}

function partnerOf(people: readonly TestPerson[], place: number): TestPerson {
  const partner = people[place ^ 1];
  if (partner === undefined) throw new Error("everybody has a partner");
  return partner;
}

function chatOf(people: readonly TestPerson[], place: number): `PRIVATE:${number}` {
  return `PRIVATE:${partnerOf(people, place).id}`;
}

function movedTo(url: string, { id, userName, tokens, device }: TestPerson): TestPerson {
  return new TestPerson(url, id, userName, tokens, device);
}

function hasUnsent({ client }: ClientDevice): boolean {
  return Object.values(client.getState().chats.byKey).some((chat) =>
    chat.window.messages.some(({ id }) => id === null),
  );
}

function listed(messages: readonly { id: number | null }[]): string {
  return messages
    .map(({ id }) => id ?? 0)
    .sort((a, b) => a - b)
    .join();
}

async function inParts<T>(
  items: readonly T[],
  work: (item: T, place: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, worker));
}
