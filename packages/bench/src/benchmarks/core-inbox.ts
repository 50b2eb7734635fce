import type { DatabaseWrite } from "@parley/core/ports";
import type { PrivateMessage } from "@parley/protocol/message";
import { userInfo } from "@parley/core/testing/builders";
import { clockOf } from "@parley/core/testing/fake-ports";
import { createMemoryStorage, type MemoryStorage } from "@parley/core/testing/memory-storage";
import { answerLoginRequests, createSingleClient, TOKENS } from "@parley/core/testing/single-client";
import { pulledFrames, pullEndFrames } from "@parley/core/testing/pulled-frames";
import { flushMicrotasks } from "@parley/core/testing/flush-microtasks";
import type { Benchmark, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";

const FRAMES = 5_000;
const CHATS = 200;
const WARM_UP_ROUNDS = 10;
const ROUNDS = 61;
/** The client writes to its local database within this time. */
const WRITE_WITHIN_MS = 200;

interface Round {
  /** CPU microseconds. */
  cpu: number;
  notifications: number;
}

/** The cost of an offline pull for the client core, compared with parsing its JSON alone. */
export const coreInbox: Benchmark = {
  name: "core",
  async measure(context): Promise<ResultRow[]> {
    const frames = pulledFrames(FRAMES, CHATS);
    const rounds: Round[] = [];
    const parsing: number[] = [];
    for (let round = 1; round <= WARM_UP_ROUNDS + ROUNDS; round++) {
      const received = await receivePull(frames);
      const parsed = parseAll(frames);
      if (round <= WARM_UP_ROUNDS) continue;
      rounds.push(received);
      parsing.push(parsed);
    }
    const ms = (times: readonly number[]) => `${(median(times) / 1_000).toFixed(1)} ms`;
    const cpu = rounds.map((round) => round.cpu);
    const notifications = rounds.map((round) => round.notifications);
    context.print(`core: ${ms(cpu)} against ${ms(parsing)}, notified ${Math.max(...notifications)} times`);
    return [
      {
        what: `core: ${FRAMES} pulled frames into ${CHATS} chats : JSON.parse of them`,
        product: ms(cpu),
        reference: ms(parsing),
        value: medianRatio(cpu, parsing),
        unit: "x",
        bound: "at most",
        limit: 5,
      },
      {
        what: "core: notifications of the screen meanwhile",
        product: String(Math.max(...notifications)),
        reference: "",
        value: Math.max(...notifications),
        unit: "",
        bound: "at most",
        limit: 10,
      },
    ];
  },
};

function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function parseAll(frames: readonly string[]): number {
  globalThis.gc?.();
  const before = cpuNow();
  let length = 0;
  for (const frame of frames) length += (JSON.parse(frame) as { data: PrivateMessage }).data.content.length;
  const cpu = cpuNow() - before;
  if (length === 0) throw new Error("nothing was parsed");
  return cpu;
}

/** Delivers all frames to a client that has just logged in. Measures everything that follows, including the write to storage. */
async function receivePull(frames: readonly string[]): Promise<Round> {
  const database = countingStorage();
  const device = createSingleClient({ storage: database.storage });
  const { client, ports } = device;
  const form = { userName: "me", password: "password", rememberName: false, rememberPassword: false };
  const login = client.session.login(form);
  await flushMicrotasks();
  await device.respond("/login", TOKENS);
  await device.respond("/user/self", userInfo());
  await login;
  await device.goOnline();
  await answerLoginRequests(device);
  let notifications = 0;
  const stop = client.subscribe(() => notifications++);
  const socket = ports.sockets.last();
  socket.down.push(...frames, ...pullEndFrames());

  globalThis.gc?.();
  const before = cpuNow();
  socket.deliverAll();
  await flushMicrotasks();
  clockOf(ports).advance(WRITE_WITHIN_MS);
  await flushMicrotasks();
  const cpu = cpuNow() - before;

  stop();
  const { order } = client.getState().chats;
  client.close();
  if (order.length !== CHATS || database.messages() !== FRAMES) {
    throw new Error(`${order.length} chats, ${database.messages()} messages in the database`);
  }
  return { cpu, notifications };
}

/** Storage that only counts the messages written, because the work of a real database does not belong to the core. */
function countingStorage(): { storage: MemoryStorage; messages(): number } {
  const storage = createMemoryStorage();
  let messages = 0;
  const write = async (batch: DatabaseWrite) => void (messages += batch.messages?.length ?? 0);
  const open = async (name: string) => ({ ...(await storage.open(name)), write });
  return { storage: { ...storage, open }, messages: () => messages };
}
