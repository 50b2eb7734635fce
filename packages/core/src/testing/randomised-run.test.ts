import { ChatType, MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { describe, expect, test } from "vitest";
import { totalUnread } from "../model/selectors.ts";
import type { ChatKey } from "../model/state.ts";
import { createDevice, type Device } from "./device.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import type { Fault } from "./fake-server/faults.ts";
import { createFakeServer, type FakeServer } from "./fake-server/fake-server.ts";
import { friendRowOf, isInChat, isRecalled, isVisibleTo, readPositionOf } from "./fake-server/tables.ts";
import { flushNetwork } from "./network.ts";
import { type Prng, createPrng } from "./prng.ts";

/** A user with two devices, and two friends. After each event everything is delivered, and both devices must have the server's counts. */
interface RandomisedRun {
  readonly random: Prng;
  readonly clock: FakeClock;
  readonly server: FakeServer;
  /** Two devices of the user, then one of each friend. */
  readonly devices: readonly Device[];
  readonly mine: readonly Device[];
  readonly friends: readonly Device[];
}

const ME = 1;
const FRIENDS = [2, 3];
const EVENTS = 500;
/** Longer than a read position is delayed, and than a reconnect takes with "retry now". */
const SETTLE_MS = 1_000;

async function deliverAll({ devices, server, clock }: RandomisedRun): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await flushNetwork(devices, server, clock);
    clock.advance(SETTLE_MS / 2);
  }
  await flushNetwork(devices, server, clock);
}

async function createRandomisedRun(seed: number, faults: readonly Fault[]): Promise<RandomisedRun> {
  const clock = createFakeClock();
  const server = createFakeServer(() => clock.now(), faults);
  const names = [
    ["me", "a1"],
    ["me", "a2"],
    ["ann", "ann"],
    ["bob", "bob"],
  ] as const;
  for (const userName of ["me", "ann", "bob"]) server.addUser(userName, { isManualApprove: false });
  const devices = names.map(([userName, name]) => createDevice({ clock, server, userName, name }));
  const run = {
    random: createPrng(seed),
    clock,
    server,
    devices,
    mine: devices.slice(0, 2),
    friends: devices.slice(2),
  };
  for (const device of devices) {
    const started = device.start();
    await flushNetwork(devices, server, clock);
    await started;
  }
  for (const friend of run.friends) void friend.client.contacts.apply(ME, "hi");
  await deliverAll(run);
  return run;
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
  "open",
  "reconnect",
  "reload",
  "clear",
] as const;

async function performEvent(
  randomisedRun: RandomisedRun,
  name: (typeof EVENT_NAMES)[number],
  texts: { count: number },
) {
  const { random, mine, friends } = randomisedRun;
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

/** The unread count by the server's tables. */
function serverCount({ server: { tables } }: RandomisedRun, friend: number): number {
  const read = readPositionOf(tables, ME, friend);
  return tables.messages.filter(
    (row) =>
      isInChat(row, ME, friend) &&
      row.sendId === friend &&
      row.id > read &&
      isVisibleTo(tables, row, ME) &&
      !isRecalled(row) &&
      kindOf(row.type)?.unread === true,
  ).length;
}

function differencesFromServer(randomisedRun: RandomisedRun): string[] {
  const counts = FRIENDS.map((friend) => [friend, serverCount(randomisedRun, friend)] as const);
  const isMuted = (friend: number) => friendRowOf(randomisedRun.server.tables, ME, friend)?.msgRemind === 0;
  const badge = counts.reduce((sum, [friend, count]) => sum + (isMuted(friend) ? 0 : count), 0);
  return randomisedRun.mine.flatMap(({ name, client }) => {
    const { byKey, order } = client.getState().chats;
    const problems: string[] = [];
    const shown = totalUnread({ byKey });
    if (shown !== badge) problems.push(`${name}: badge ${shown}, the server counts ${badge}`);
    for (const [friend, count] of counts) {
      const key: ChatKey = `${ChatType.PRIVATE}:${friend}`;
      const row = order.includes(key) ? byKey[key]?.unread : 0;
      if ((row ?? 0) !== count) problems.push(`${name} ${key}: row ${row}, the server counts ${count}`);
    }
    return problems;
  });
}

/** The first event after which a device differs from the server, and how; null when none does. */
async function runEvents(seed: number, faults: readonly Fault[] = []): Promise<string | null> {
  const randomisedRun = await createRandomisedRun(seed, faults);
  const texts = { count: 0 };
  const seen = new Set<number>();
  for (let i = 0; i < EVENTS; i++) {
    const name = randomisedRun.random.pick(EVENT_NAMES);
    await performEvent(randomisedRun, name, texts);
    await deliverAll(randomisedRun);
    const problems = differencesFromServer(randomisedRun);
    if (problems.length > 0) return `event ${i}, ${name}: ${problems.join("; ")}`;
    seen.add(serverCount(randomisedRun, FRIENDS[0] ?? 0));
  }
  for (const device of randomisedRun.devices) device.stop();
  // Counts that never change would also be equal.
  expect(seen.size).toBeGreaterThan(3);
  return null;
}

describe("a randomised run with two devices of one user", () => {
  test.each([1, 2, 3, 4])(
    `I36 badges and rows equal the server's counts after each of ${EVENTS} events, seed %i`,
    { timeout: 60_000 },
    async (seed) => expect(await runEvents(seed)).toBeNull(),
  );

  test.each(["noReadPush", "deletionNotPushed", "recallNotPushed"] as const)(
    "I36 a randomised run detects %s",
    { timeout: 60_000 },
    async (fault) => expect(await runEvents(1, [fault])).not.toBeNull(),
  );
});
