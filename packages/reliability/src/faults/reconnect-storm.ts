/**
 * Fault K23: the connections of all clients are cut at the same moment, several times, while they write to each other. All must
 * reconnect at the first attempt, no request may be refused, and nothing may be lost.
 */
import { createPrng } from "@parley/core/testing/prng";
import { TestPerson, befriend, registerPerson } from "@parley/server/testing/test-person";
import { startServer } from "@parley/server/testing/server-process";
import { type ClientDevice, startDevice, waitUntilIdle } from "./client-device.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How many clients, and how often they are disconnected. */
export interface ReconnectStormOptions {
  dataDir: string;
  clients: number;
  storms: number;
  /** By which factor the clients' timers run faster: the 15 s until they reconnect, heartbeats and periodic requests. */
  timerSpeed: number;
  seed: number;
  /** A planted fault: so many clients are stopped instead of reconnecting. */
  stoppedCount?: number;
}

const CONCURRENT_MAX = 16;

/** Runs the battery. */
export async function runReconnectStorm({
  dataDir,
  clients,
  storms,
  timerSpeed,
  seed,
  stoppedCount = 0,
}: ReconnectStormOptions): Promise<Report> {
  const violations: string[] = [];
  const random = createPrng(seed);
  const people = await makePairs(dataDir, clients);
  // The pairs were made without rate limits; now they apply.
  const server = await startServer({ DATA_DIR: dataDir });
  const proxy = await startFaultProxy(server.url);
  let slowestMs = 0;
  let sent = 0;
  try {
    const devices: ClientDevice[] = [];
    await forEachConcurrently(people, async (person, index) => {
      const device = await startDevice(movedTo(proxy.url, person), {
        name: `storm ${person.userName}`,
        timerSpeed,
      });
      devices[index] = device;
      await waitUntilIdle(device);
    });
    for (let storm = 1; storm <= storms; storm++) {
      const startedAt = performance.now();
      proxy.resetConnections(({ isSocket }) => isSocket);
      if (storm === storms) for (const device of devices.slice(0, stoppedCount)) device.stop();
      const remaining = devices.slice(storm === storms ? stoppedCount : 0);
      // Disconnected clients write as well.
      for (const [index, device] of devices.entries()) {
        if (!remaining.includes(device) || random.isTrueWithProbability(0.5)) continue;
        sent++;
        device.client.chats.sendText(chatOf(people, index), `storm ${storm} of ${index}`);
      }
      const count = (isMissing: (device: ClientDevice) => boolean) => {
        const missing = remaining.filter(isMissing).length;
        return missing === 0 ? undefined : `${missing} clients have not`;
      };
      await waitUntil("all clients have tried to reconnect", () =>
        count(({ connections }) => connections.length <= storm),
      );
      for (const device of remaining) await waitUntilIdle(device);
      await waitUntil("all clients have sent their messages", () => count(hasUnsent));
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
    await forEachConcurrently(devices, async (device, index) => {
      const addViolation = (what: string) => void violations.push(`${device.person.userName} ${what}`);
      const { session } = device.client.getState();
      if (session.kind !== "active") addViolation("was signed out");
      if (device.connections.length !== storms + 1)
        addViolation(`opened ${device.connections.length} sockets in ${storms} storms`);
      const refused = device.requests.filter(({ status }) => status !== null && status >= 400);
      if (refused.length > 0) addViolation(`was refused: ${JSON.stringify(refused.slice(0, 3))}`);
      const friendId = partnerOf(people, index).id;
      const stored = await movedTo(server.url, device.person).ok("privateHistory", {
        query: { friendId, size: 100 },
      });
      await waitUntil(
        "the chat shows all stored messages",
        () => {
          const shown = device.client.getState().chats.byKey[chatOf(people, index)]?.window.messages ?? [];
          return idsOf(shown) === idsOf(stored) ? undefined : `${idsOf(shown)} instead of ${idsOf(stored)}`;
        },
        PUSH_WAIT_MS,
      ).catch((error: Error) => addViolation(error.message));
      device.stop();
    });
  } finally {
    await proxy.close();
    server.kill("SIGKILL");
    await server.exited;
  }
  return {
    name: `K23 all connections cut at once (seed ${seed})`,
    done: `${clients} clients, ${storms} times, ${sent} messages sent meanwhile; slowest recovery ${(slowestMs / 1_000).toFixed(1)} s`,
    violations,
  };
}

/** How long to wait for pushes that are under way. */
const PUSH_WAIT_MS = 5_000;

/** Registers people and makes pairs of friends: the first with the second, and so on. */
async function makePairs(dataDir: string, count: number): Promise<TestPerson[]> {
  const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
  try {
    const people: TestPerson[] = [];
    const numbers = Array.from({ length: count }, (_, number) => number);
    await forEachConcurrently(numbers, async (number) => {
      people[number] = await registerPerson(server.url, { userName: `storm${number}` });
    });
    const even = numbers.filter((number) => number % 2 === 0 && number + 1 < count);
    await forEachConcurrently(even, async (number) => {
      const [a, b] = [people[number], people[number + 1]];
      if (a !== undefined && b !== undefined) await befriend(a, b);
    });
    return people;
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
}

function partnerOf(people: readonly TestPerson[], index: number): TestPerson {
  const partner = people[index ^ 1];
  if (partner === undefined) throw new Error("the number of people is odd");
  return partner;
}

function chatOf(people: readonly TestPerson[], index: number): `PRIVATE:${number}` {
  return `PRIVATE:${partnerOf(people, index).id}`;
}

function movedTo(url: string, { id, userName, tokens, device }: TestPerson): TestPerson {
  return new TestPerson(url, id, userName, tokens, device);
}

function hasUnsent({ client }: ClientDevice): boolean {
  return Object.values(client.getState().chats.byKey).some((chat) =>
    chat.window.messages.some(({ id }) => id === null),
  );
}

function idsOf(messages: readonly { id: number | null }[]): string {
  return messages
    .map(({ id }) => id ?? 0)
    .sort((a, b) => a - b)
    .join();
}

async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, worker));
}
