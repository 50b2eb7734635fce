import { isArchived, isMarkedUnread } from "@parley/core/model/chats/chat-prefs";
import { totalUnread } from "@parley/core/model/selectors";
import type { ChatKey } from "@parley/core/model/state";
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { ChatType, MessageStatus, MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { describe, expect, test } from "vitest";
import { PLANTED_BUGS, type PlantedBug, withoutPushesOf } from "./planted-bugs.ts";
import { type ScriptedSimulation, createScriptedSimulation } from "./scripted-simulation.ts";
import type { SimulatedDevice } from "./simulation.ts";
import { callNode } from "./store-template.ts";

/** A person with two devices, and two friends. After each event everything is delivered, and both devices must have the server's counts. */
interface UnreadRun {
  readonly random: Prng;
  readonly scripted: ScriptedSimulation;
  readonly mine: readonly SimulatedDevice[];
  readonly friends: readonly SimulatedDevice[];
  /** Of a session that only asks what the server has. */
  readonly accessToken: string;
}

const ME = 1;
const FRIENDS = [2, 3];
const EVENTS = 500;
/** Longer than a read position is delayed, and than a reconnect takes with "retry now". */
const SETTLE_MS = 1_000;

async function deliverAll({ scripted }: UnreadRun): Promise<void> {
  await scripted.deliver();
  for (let i = 0; i < 2; i++) await scripted.advance(SETTLE_MS / 2);
}

async function createUnreadRun(scripted: ScriptedSimulation, seed: number): Promise<UnreadRun> {
  const mine = [await scripted.startDevice("amy"), await scripted.startDevice("amy")];
  const friends = [await scripted.startDevice("ann"), await scripted.startDevice("bob")];
  const { accessToken } = await callNode(nodeIn(scripted), "login", {
    body: { terminal: 2, userName: "amy", password: "password" },
  });
  const run = { random: createPrng(seed), scripted, mine, friends, accessToken };
  for (const friend of friends) void friend.client.contacts.apply(ME, "hi");
  await deliverAll(run);
  for (const { id } of mine[0]?.client.getState().contacts.requests ?? [])
    void mine[0]?.client.contacts.approve(id);
  await deliverAll(run);
  return run;
}

function nodeIn({ simulation }: ScriptedSimulation) {
  const [node] = simulation.nodes;
  if (!node) throw new Error("the first node does not run");
  return node.app;
}

const EVENT_NAMES = [
  "send",
  "receive",
  "receive",
  "receive",
  "read",
  "read",
  "markRead",
  "mute",
  "recall",
  "deleteChat",
  "deleteForMe",
  "markUnread",
  "archive",
  "open",
  "reconnect",
  "reload",
  "clear",
] as const;

async function performEvent(run: UnreadRun, name: (typeof EVENT_NAMES)[number], texts: { count: number }) {
  const { random, mine, friends } = run;
  const device = random.pick(mine);
  const { chats } = device.client;
  const key: ChatKey = `PRIVATE:${random.pick(FRIENDS)}`;
  const window = device.client.getState().chats.byKey[key]?.window.messages ?? [];
  switch (name) {
    case "send":
      return chats.sendText(key, `text ${++texts.count}`);
    case "receive": {
      const from = random.pick(friends).client.chats;
      if (random.isTrueWithProbability(0.2)) from.sendContent(`PRIVATE:${ME}`, MessageType.SHAKE, "");
      else from.sendText(`PRIVATE:${ME}`, `text ${++texts.count}`);
      return;
    }
    case "read": {
      const message = window.length === 0 ? undefined : random.pick(window);
      return chats.markReadUpTo(key, message?.id ?? 0);
    }
    case "markRead":
      return chats.markRead(key);
    case "mute":
      void chats.setAlerts(key, random.below(2));
      return;
    case "recall": {
      const friend = random.pick(friends);
      const messages = friend.client.getState().chats.byKey[`PRIVATE:${ME}`]?.window.messages ?? [];
      const message = messages.findLast(({ selfSend }) => selfSend && random.isTrueWithProbability(0.5));
      void friend.client.chats.recall(`PRIVATE:${ME}`, message?.id ?? 0);
      return;
    }
    case "deleteChat":
      return chats.remove(key);
    case "deleteForMe":
      void chats.deleteForMe(
        key,
        window.slice(-1 - random.below(2)).flatMap(({ id }) => id ?? []),
      );
      return;
    case "markUnread":
      return chats.markUnread(key);
    case "archive":
      return chats.setArchived(key, random.isTrueWithProbability(0.7));
    case "open":
      if (random.isTrueWithProbability(0.5)) chats.open(key);
      else chats.closeOpen();
      return;
    case "reconnect":
      device.dropConnection();
      return device.client.session.reconnectNow();
    case "reload":
      // Writes are delayed. A reload before a write may lose what only this device knows, but never a count.
      await device.reload({ wipe: false });
      return;
    case "clear":
      if (random.isTrueWithProbability(0.1)) void chats.clearHistory();
      return;
    default:
      name satisfies never;
  }
}

const EVENT_TYPES: ReadonlySet<number> = new Set([MessageType.RECALL, MessageType.EDIT]);

/** What the server has about the chat with a friend. */
interface ServerCount {
  friend: number;
  unread: number;
  isMuted: boolean;
  isArchived: boolean;
}

async function serverCounts({ scripted, accessToken }: UnreadRun): Promise<ServerCount[]> {
  const app = nodeIn(scripted);
  const rows = await callNode(app, "loadPrivateMessages", { query: { minId: 0 } }, accessToken);
  const { read, prefs } = await callNode(app, "loadChanges", { query: {} }, accessToken);
  const friendships = await callNode(app, "listFriends", {}, accessToken);
  return FRIENDS.map((friend) => {
    const position = read.find(({ type, targetId }) => type === ChatType.PRIVATE && targetId === friend);
    const unread = rows.filter(
      ({ id, sendId, status, type }) =>
        sendId === friend &&
        id > (position?.mine ?? -1) &&
        status !== MessageStatus.RECALL &&
        kindOf(type)?.unread === true,
    );
    const isMuted = friendships.find(({ id }) => id === friend)?.msgRemind === 0;
    const archivedAt = prefs.find(({ targetId }) => targetId === friend)?.prefs.archived ?? null;
    // Events change other rows and are none of their own.
    const isLater = ({ id, type, sendId, recvId }: (typeof rows)[number]) =>
      id > (archivedAt ?? -1) && [sendId, recvId].includes(friend) && !EVENT_TYPES.has(type);
    const isArchivedThere = archivedAt !== null && (isMuted || !rows.some(isLater));
    return { friend, unread: unread.length, isMuted, isArchived: isArchivedThere };
  });
}

/** The chats with friends that a device shows as marked. */
function marksOf({ client }: SimulatedDevice): string {
  const state = client.getState();
  return FRIENDS.filter((friend) => {
    const chat = state.chats.byKey[`${ChatType.PRIVATE}:${friend}`];
    return chat !== undefined && isMarkedUnread(state, chat);
  }).join();
}

function differencesFrom(counts: readonly ServerCount[], { mine }: UnreadRun): string[] {
  const marks = mine.map(marksOf);
  if (new Set(marks).size > 1) return [`unread marks differ: ${marks.join(" | ")}`];
  const badge = counts.reduce(
    (sum, { unread, ...chat }) => sum + (chat.isMuted || chat.isArchived ? 0 : unread),
    0,
  );
  return mine.flatMap(({ name, client }) => {
    const state = client.getState();
    const { byKey, order } = state.chats;
    const problems: string[] = [];
    const shown = totalUnread(state);
    if (shown !== badge) problems.push(`${name}: badge ${shown}, the server counts ${badge}`);
    for (const { friend, unread, isArchived: isArchivedThere } of counts) {
      const key: ChatKey = `${ChatType.PRIVATE}:${friend}`;
      const chat = byKey[key];
      if (chat !== undefined && isArchived(state, chat) !== isArchivedThere)
        problems.push(`${name} ${key}: archived ${!isArchivedThere}, by the server ${isArchivedThere}`);
      const row = order.includes(key) ? byKey[key]?.unread : 0;
      if ((row ?? 0) !== unread) problems.push(`${name} ${key}: row ${row}, the server counts ${unread}`);
    }
    return problems;
  });
}

/** The first event after which a device differs from the server, and how; null when none does. */
async function runEvents(seed: number, bug?: PlantedBug): Promise<string | null> {
  const scripted = await createScriptedSimulation(bug && { bug });
  try {
    const run = await createUnreadRun(scripted, seed);
    const texts = { count: 0 };
    const seen = new Set<number>();
    for (let i = 0; i < EVENTS; i++) {
      const name = run.random.pick(EVENT_NAMES);
      await performEvent(run, name, texts);
      await deliverAll(run);
      const counts = await serverCounts(run);
      const problems = differencesFrom(counts, run);
      if (problems.length > 0) return `event ${i}, ${name}: ${problems.join("; ")}`;
      seen.add(counts[0]?.unread ?? 0);
    }
    // Counts that never change would also be equal.
    expect(seen.size).toBeGreaterThan(3);
    return null;
  } finally {
    await scripted.close();
  }
}

const BUGS: readonly PlantedBug[] = [
  ...PLANTED_BUGS.filter(({ name }) =>
    ["a read position is not sent to one's other devices", "a recall is not sent"].includes(name),
  ),
  {
    name: "a deletion is not sent",
    bus: (bus) => withoutPushesOf(bus, `"type":${MessageType.CHANGES},`),
  },
];

describe("a random run with two devices of one person", () => {
  test.each([1, 2, 3, 4])(
    `I36 CP1 CP9 badges, rows, unread marks and the archive agree with the server after each of ${EVENTS} events, seed %i`,
    { timeout: 240_000 },
    async (seed) => expect(await runEvents(seed)).toBeNull(),
  );

  test.each(BUGS)("I36 a random run detects that $name", { timeout: 240_000 }, async (bug) =>
    expect(await runEvents(1, bug)).not.toBeNull(),
  );
});
