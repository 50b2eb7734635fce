import { ChatType, MessageStatus, MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { EVERYONE } from "../model/chats/mentions.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { Device } from "./device.ts";
import { groupReadPositionOf, visibleRows, unreportedTo } from "./fake-server/group-view.ts";
import type { FakeServer } from "./fake-server/fake-server.ts";
import { isInChat, isVisibleTo } from "./fake-server/tables.ts";
import { firstDifference } from "./first-difference.ts";
import { flushNetwork } from "./network.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";
import { checkGroups, hasRejoined } from "./scenario-group-actions.ts";
import { addDevice, type Scenario } from "./scenario-state.ts";

/** What must hold in a world at rest. */

/** Everybody has what one has who was wiped and pulls everything anew, and that is what the server has. */
export async function compareAll(scenario: Scenario): Promise<string[]> {
  const { devices, server, clock } = scenario;
  const problems: string[] = [];
  const everybody = [...devices];
  for (const { userName } of server.tables.users) {
    const mine = everybody.filter((device) => device.userName === userName);
    const fresh = addDevice(scenario, userName, `${userName}-fresh`);
    const started = fresh.start();
    await flushNetwork(devices, server, clock);
    await started;
    await flushNetwork(devices, server, clock);
    const expected = await fullSnapshot(scenario, fresh);
    for (const device of mine) {
      const state = device.client.getState();
      if (state.connection.kind !== "online") problems.push(`${device.name} is ${state.connection.kind}`);
      problems.push(...(await checkDatabase(scenario, device)));
      problems.push(...(await checkScrolling(scenario, device)));
      const actual = withoutUnreported(scenario, device, await fullSnapshot(scenario, device));
      problems.push(
        ...differences(device.name, actual, withoutUnreported(scenario, device, expected), scenario.hasGaps),
      );
    }
    problems.push(...checkServerTruth(scenario, userName, expected));
  }
  for (const device of devices) {
    problems.push(...checkGroups(device, server, scenario.watchedMemberLists));
    if (device.name.endsWith("a")) problems.push(...(await checkWarmStart(scenario, device)));
  }
  await flushNetwork(devices, server, clock);
  return problems;
}

const WRITTEN_MS = 1_000;

/** What was deleted, cleared or purged does not lie on the disk either, where a search would find it. */
async function checkDatabase(scenario: Scenario, device: Device): Promise<string[]> {
  scenario.clock.advance(WRITTEN_MS);
  await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  const me = scenario.server.tables.users.find((user) => user.userName === device.userName)?.id ?? 0;
  const database = await device.ports.storage.open(`parley:${device.ports.environment.origin}:${me}`);
  const problems: string[] = [];
  for (const { key } of await database.chats()) {
    const target = parseChatKey(key);
    if (target === null || target.type === ChatType.SYSTEM) continue;
    const stored = new Set(storedIn(scenario.server, me, target).map((row) => row.id));
    const untold = unreportedRows(scenario, device, target);
    const rows = await database.messagesBefore(key, Infinity, Infinity);
    const left = rows.flatMap(({ id }) => (id === null || stored.has(id) || untold.has(id) ? [] : [id]));
    if (left.length > 0) problems.push(`${device.name} ${key} keeps ${left.join()} on disk`);
  }
  database.close();
  return problems;
}

/** What a reload has of groups before any server answers. */
async function checkWarmStart(scenario: Scenario, device: Device): Promise<string[]> {
  scenario.clock.advance(WRITTEN_MS);
  await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  const kept = () => {
    const { byId, order, readNotices } = device.client.getState().groups;
    return { byId, order, readNotices };
  };
  const before = kept();
  void device.reload({ wipe: false });
  await flushMicrotasks();
  const after = kept();
  await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  const difference = firstDifference(before, after);
  return difference === undefined ? [] : [`${device.name} starts with other groups: ${difference}`];
}

/** The state with every chat read up to its beginning, and what can never be sent thrown away. */
async function fullSnapshot(scenario: Scenario, device: Device): Promise<Snapshot> {
  const { chats } = device.client;
  const full: Record<string, Snapshot["chats"][string]> = {};
  for (const key of Object.keys(device.client.getState().chats.byKey) as ChatKey[]) {
    chats.open(key);
    await flushNetwork(scenario.devices, scenario.server, scenario.clock);
    await scrollAll(scenario, device, key);
    for (const message of device.client.getState().chats.byKey[key]?.window.messages ?? []) {
      if (message.sending === "failed" && message.tmpId !== null) chats.discard(key, message.tmpId);
    }
    const chat = snapshotOf(device.client.getState()).chats[key];
    if (chat !== undefined) full[key] = chat;
  }
  return { ...snapshotOf(device.client.getState()), chats: full };
}

const PAGES_MAX = 200;

/** Up to the beginning, and down to the newest message. */
async function scrollAll(scenario: Scenario, device: Device, key: ChatKey): Promise<void> {
  const { chats } = device.client;
  const window = () => device.client.getState().chats.byKey[key]?.window;
  for (let page = 0; page < PAGES_MAX && window()?.hasOlder; page++) {
    chats.loadOlder(key);
    await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  }
  for (let page = 0; page < PAGES_MAX && window()?.hasNewer; page++) {
    chats.loadNewer(key);
    await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  }
}

/** Somewhere into each chat, then both ways: at each step the window is a run of what the server has. */
async function checkScrolling(scenario: Scenario, device: Device): Promise<string[]> {
  const problems: string[] = [];
  const me = scenario.server.tables.users.find((user) => user.userName === device.userName)?.id ?? 0;
  const { chats } = device.client;
  for (const key of Object.keys(device.client.getState().chats.byKey) as ChatKey[]) {
    const target = parseChatKey(key);
    if (target === null || target.type === ChatType.SYSTEM) continue;
    const untold = unreportedRows(scenario, device, target);
    const isTold = (id: number) => !untold.has(id);
    const stored = storedIn(scenario.server, me, target)
      .map((row) => row.id)
      .filter(isTold);
    if (stored.length === 0) continue;
    const wanted = scenario.random.pick(stored);
    chats.closeOpen();
    const jumped = chats.jumpTo(key, { id: wanted });
    await flushNetwork(scenario.devices, scenario.server, scenario.clock);
    if ((await jumped) !== wanted)
      problems.push(`${device.name} ${key} jumped to ${await jumped}, not ${wanted}`);
    const window = () => device.client.getState().chats.byKey[key]?.window;
    const ids = () =>
      window()
        ?.messages.flatMap((message) => message.id ?? [])
        .filter(isTold) ?? [];
    for (let page = 0; page < PAGES_MAX && (window()?.hasOlder || window()?.hasNewer); page++) {
      const [first = 0] = ids();
      const run = stored.slice(stored.indexOf(first), stored.indexOf(first) + ids().length).join();
      if (ids().join() !== run)
        problems.push(`${device.name} ${key} shows ${ids().join()}, stored are ${run}`);
      if (scenario.random.isTrueWithProbability(0.5) && window()?.hasOlder) chats.loadOlder(key);
      else chats.loadNewer(key);
      await flushNetwork(scenario.devices, scenario.server, scenario.clock);
    }
    if (ids().join() !== stored.join())
      problems.push(`${device.name} ${key} ends with ${ids().join()}, stored are ${stored.join()}`);
  }
  return problems;
}

/** Of groups in which something was taken back or purged while this person was out, as he still is, only what does not depend on that. */
function withoutUnreported(scenario: Scenario, device: Device, snapshot: Snapshot): Snapshot {
  const chats = { ...snapshot.chats };
  for (const [key, chat] of Object.entries(snapshot.chats)) {
    const untold = unreportedRows(scenario, device, parseChatKey(key));
    if (untold.size === 0) continue;
    const messages = chat.messages.filter((line) => !untold.has(idIn(line)));
    chats[key] = { ...chat, messages, unread: 0, mentions: "", preview: "", lastSendTime: 0 };
  }
  return { ...snapshot, chats };
}

function unreportedRows(
  { server, counts }: Scenario,
  device: Device,
  target: { type: ChatType; targetId: number } | null,
): ReadonlySet<number> {
  if (target?.type !== ChatType.GROUP) return new Set();
  const me = server.tables.users.find((user) => user.userName === device.userName)?.id ?? 0;
  const untold = unreportedTo(server.tables, target.targetId, me);
  if (untold.size === 0 || !hasRejoined(server, target.targetId, me)) return untold;
  counts.takenBack++;
  return new Set();
}

function idIn(line: string): number {
  return Number(/^(?:--- )?(\d+)/.exec(line)?.[1]);
}

function differences(name: string, actual: Snapshot, expected: Snapshot, hasGaps: boolean): string[] {
  const problems: string[] = [];
  const compare = (what: string, a: unknown, b: unknown) => {
    const difference = firstDifference(b, a);
    if (difference !== undefined) problems.push(`${name} ${what}: ${difference}`);
  };
  const inBoth = (key: string) => key in actual.chats && key in expected.chats;
  compare("order", actual.order.filter(inBoth), expected.order.filter(inBoth));
  compare("friends", actual.friends, expected.friends);
  compare("requests", actual.requests, expected.requests);
  compare("groups", actual.groups, expected.groups);
  compare("groupRequests", actual.groupRequests, expected.groupRequests);
  for (const key of new Set([...Object.keys(actual.chats), ...Object.keys(expected.chats)])) {
    const [a, b] = [actual.chats[key], expected.chats[key]];
    if (a === undefined || b === undefined) {
      // A chat that lies in the gap as a whole is not told to one who pulls for the first time; how far the gap reaches depends on how
      // much was deleted by then.
      if (hasGaps) continue;
      problems.push(`${name} ${key}: ${a === undefined ? "is missing" : "should not be there"}`);
      continue;
    }
    for (const field of Object.keys(b) as (keyof typeof b)[]) {
      compare(`${key} ${field}`, a[field], b[field]);
    }
  }
  return problems;
}

/** Every stored message is shown once, in the order of ids; nothing else is. */
function checkServerTruth(scenario: Scenario, userName: string, snapshot: Snapshot): string[] {
  const { tables } = scenario.server;
  const me = tables.users.find((user) => user.userName === userName)?.id ?? 0;
  const problems: string[] = [];
  for (const [key, chat] of Object.entries(snapshot.chats)) {
    const target = parseChatKey(key);
    if (target === null || target.type === ChatType.SYSTEM) continue;
    const stored = storedIn(scenario.server, me, target);
    const ids = stored.map((row) => row.id).join();
    const shown = chat.messages.map(idIn).join();
    if (ids !== shown) problems.push(`${userName} ${key} shows ${shown}, stored are ${ids}`);
    const texts = stored.filter((row) => /^text \d+$/.test(row.content)).map((row) => row.content);
    const named = namedIn(scenario.server, me, target).join();
    if (chat.mentions.split(" ")[0] !== named)
      problems.push(`${userName} ${key} is named in ${chat.mentions}, not in ${named}`);
    if (new Set(texts).size !== texts.length) problems.push(`${userName} ${key}: a message was stored twice`);
  }
  return problems;
}

/** Unread messages of a group that name a person. */
function namedIn(
  { tables }: FakeServer,
  me: number,
  { type, targetId }: { type: ChatType; targetId: number },
): number[] {
  if (type !== ChatType.GROUP) return [];
  return visibleRows(tables, targetId, me)
    .filter(
      (row) =>
        row.id > groupReadPositionOf(tables, targetId, me) &&
        row.sendId !== me &&
        row.status !== MessageStatus.RECALL &&
        kindOf(row.type)?.unread === true &&
        (row.atUserIds.includes(me) || row.atUserIds.includes(EVERYONE)),
    )
    .map((row) => row.id);
}

/** What a person may see of a chat, without the rows that only change others. */
function storedIn(
  { tables }: FakeServer,
  me: number,
  { type, targetId }: { type: ChatType; targetId: number },
): { id: number; content: string }[] {
  const rows =
    type === ChatType.GROUP
      ? visibleRows(tables, targetId, me)
      : tables.messages.filter((row) => isInChat(row, me, targetId) && isVisibleTo(tables, row, me));
  return rows.filter((row) => row.type !== MessageType.EDIT && row.type !== MessageType.RECALL);
}
