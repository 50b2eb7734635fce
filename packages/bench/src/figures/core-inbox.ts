import { Cmd, MessageStatus, MessageType } from "@parley/protocol/codes";
import type { PrivateMessage } from "@parley/protocol/message";
import { createClient } from "@parley/core/runtime/client";
import type { Figure, Row } from "../figure.ts";
import { median, medianRatio } from "../median.ts";
import { type CoreWorld, makeCoreWorld, ME } from "./core-world.ts";

const FRAMES = 5_000;
const CHATS = 200;
const WARM_UP_ROUNDS = 4;
const ROUNDS = 15;

interface Round {
  /** CPU microseconds. */
  cpu: number;
  notifications: number;
}

/** What it costs a client to take an offline pull, against reading its JSON alone. */
export const coreInbox: Figure = {
  name: "core",
  async measure(bench): Promise<Row[]> {
    const frames = makeFrames();
    const rounds: Round[] = [];
    const parsing: number[] = [];
    for (let round = 1; round <= WARM_UP_ROUNDS + ROUNDS; round++) {
      const taken = await takePull(frames);
      const parsed = parseAll(frames);
      if (round <= WARM_UP_ROUNDS) continue;
      rounds.push(taken);
      parsing.push(parsed);
    }
    const ms = (times: readonly number[]) => `${(median(times) / 1_000).toFixed(1)} ms`;
    const cpu = rounds.map((round) => round.cpu);
    const notifications = rounds.map((round) => round.notifications);
    bench.say(`core: ${ms(cpu)} against ${ms(parsing)}, told ${Math.max(...notifications)} times`);
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
        what: "core: how often the screen is told meanwhile",
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

/** Rows as a pull sends them: ascending, over all chats by turns, a third of them my own, the newest of each chat unread. */
function makeFrames(): string[] {
  const start = Date.now() - FRAMES * 60_000;
  return Array.from({ length: FRAMES }, (_, index) => {
    const friend = ME + 1 + ((index * 7) % CHATS);
    const isMine = index % 3 === 0;
    const data: PrivateMessage = {
      id: index + 1,
      tmpId: `4be0643f-1d98-573b-97cd-${String(index).padStart(12, "0")}`,
      type: MessageType.TEXT,
      sendId: isMine ? ME : friend,
      recvId: isMine ? friend : ME,
      sendNickName: isMine ? `Person ${ME}` : `Person ${friend}`,
      content:
        index % 2 === 0
          ? `第 ${index} 条：今天的会改到下午三点，可以吗？`
          : `Message ${index}: could we meet at three?`,
      sendTime: start + index * 60_000,
      status: index < FRAMES / 2 ? MessageStatus.READED : MessageStatus.SENDED,
      quoteMessage: null,
      isEdited: false,
      editedAt: null,
      tip: null,
      act: null,
    };
    return JSON.stringify({ cmd: Cmd.PRIVATE, data });
  });
}

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

function loading(cmd: number, isOn: boolean): string {
  return JSON.stringify({ cmd, data: { type: MessageType.LOADING, content: String(isOn) } });
}

/** A fresh client logs in and is sent everything; what follows from it, the write to disk included, counts. */
async function takePull(frames: readonly string[]): Promise<Round> {
  const world = makeCoreWorld(CHATS);
  const client = createClient(world.ports);
  await logIn(world, client.session);
  let notifications = 0;
  const stop = client.subscribe(() => notifications++);

  globalThis.gc?.();
  const before = cpuNow();
  world.push(loading(Cmd.PRIVATE, true));
  for (const frame of frames) world.push(frame);
  for (const cmd of [Cmd.PRIVATE, Cmd.GROUP, Cmd.SYSTEM]) world.push(loading(cmd, false));
  await world.settle();
  const cpu = cpuNow() - before;

  stop();
  const chats = Object.keys(client.getState().chats.byKey).length;
  client.close();
  if (chats !== CHATS || world.written.messages !== frames.length) {
    throw new Error(`${chats} chats, ${world.written.messages} messages on disk`);
  }
  return { cpu, notifications };
}

async function logIn(world: CoreWorld, session: ReturnType<typeof createClient>["session"]): Promise<void> {
  const form = { userName: "person1", password: "Passw0rd", rememberName: false, rememberPassword: false };
  const result = await session.login(form);
  if (!result.ok) throw new Error(`the client could not log in: ${JSON.stringify(result.failure)}`);
  await world.settle();
  world.openSocket();
  world.push(JSON.stringify({ cmd: Cmd.LOGIN, data: { epoch: "bench" } }));
  await world.settle();
}
