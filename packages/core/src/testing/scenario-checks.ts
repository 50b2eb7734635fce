import { ChatType, MessageStatus, MessageType, EVERYONE } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import { INITIAL_STATE } from "../state-store.ts";
import type { Device } from "./device.ts";
import { groupReadPositionOf, visibleRows, unreportedTo } from "./fake-server/group-view.ts";
import type { FakeServer } from "./fake-server/fake-server.ts";
import { isInChat, isVisibleTo } from "./fake-server/tables.ts";
import { firstDifference } from "./first-difference.ts";
import { flushNetwork } from "./network.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";
import { checkFiles } from "./scenario-file-actions.ts";
import { checkGroups, hasRejoined } from "./scenario-group-actions.ts";
import { addDevice, type Scenario } from "./scenario-state.ts";

const EMPTY_SNAPSHOT = snapshotOf(INITIAL_STATE);

/** The oracles of a scenario, checked after everything was delivered. */

/** Each device equals a new device of its user that pulls everything, and that one equals the server. */
export async function compareAll(scenario: Scenario): Promise<string[]> {
  const { devices, server, clock } = scenario;
  const problems: string[] = [];
  const testedDevices = [...devices];
  for (const { userName } of server.tables.users) {
    const devicesOfUser = testedDevices.filter((device) => device.userName === userName);
    const newDevice = addDevice(scenario, userName, `${userName}-fresh`);
    const started = newDevice.start();
    await flushNetwork(devices, server, clock);
    await started;
    await flushNetwork(devices, server, clock);
    // Opening a chat ends its unread mark and reads mentions that have brought it back, so this is read from all devices before the first one opens any.
    const unopened = new Map(
      [newDevice, ...devicesOfUser].map((device) => [device, snapshotOf(device.client.getState())]),
    );
    const fullSnapshot = async (device: Device): Promise<Snapshot> => {
      const { shared, marked, archived, saved } = unopened.get(device) ?? EMPTY_SNAPSHOT;
      return { ...(await openedSnapshot(scenario, device)), shared, marked, archived, saved };
    };
    const expected = await fullSnapshot(newDevice);
    countChangedValues(scenario, expected);
    for (const device of devicesOfUser) {
      const state = device.client.getState();
      if (state.connection.kind !== "online") problems.push(`${device.name} is ${state.connection.kind}`);
      problems.push(...(await checkDatabase(scenario, device)));
      problems.push(...(await checkScrolling(scenario, device)));
      const actual = withoutUnreported(scenario, device, await fullSnapshot(device));
      problems.push(
        ...differences(device.name, actual, withoutUnreported(scenario, device, expected), scenario.hasGaps),
      );
    }
    problems.push(...checkServerTruth(scenario, userName, expected));
  }
  problems.push(...checkFiles(scenario));
  for (const device of devices) {
    problems.push(...checkGroups(device, server, scenario.watchedMemberLists));
    if (device.name.endsWith("a")) problems.push(...(await checkWarmStart(scenario, device)));
  }
  await flushNetwork(devices, server, clock);
  return problems;
}

/** A shared value that no scenario changes would be equal everywhere. */
function countChangedValues({ counts }: Scenario, { shared }: Snapshot): void {
  const initial = EMPTY_SNAPSHOT.shared;
  for (const [name, value] of Object.entries(shared)) {
    const hasChanged = firstDifference(initial[name], value) !== undefined;
    counts[`changed ${name}`] = (counts[`changed ${name}`] ?? 0) + (hasChanged ? 1 : 0);
  }
}

const DATABASE_WRITE_MS = 1_000;

/** Deleted, cleared and removed messages are not in the local database either, where a search would find them. */
async function checkDatabase(scenario: Scenario, device: Device): Promise<string[]> {
  scenario.clock.advance(DATABASE_WRITE_MS);
  await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  const me = scenario.server.tables.users.find((user) => user.userName === device.userName)?.id ?? 0;
  const database = await device.ports.storage.open(`parley-chats:${device.ports.environment.origin}:${me}`);
  const problems: string[] = [];
  for (const { key } of await database.chats()) {
    const target = parseChatKey(key);
    if (target === null || target.type === ChatType.SYSTEM) continue;
    const stored = new Set(storedIn(scenario.server, me, target).map((row) => row.id));
    const unreported = unreportedRows(scenario, device, target);
    const rows = await database.messagesBefore(key, Infinity, Infinity);
    const remaining = rows.flatMap(({ id }) =>
      id === null || stored.has(id) || unreported.has(id) ? [] : [id],
    );
    if (remaining.length > 0)
      problems.push(`${device.name} ${key} still has ${remaining.join()} in its database`);
  }
  database.close();
  return problems;
}

/** After a reload the groups are the same before the server has answered. */
async function checkWarmStart(scenario: Scenario, device: Device): Promise<string[]> {
  scenario.clock.advance(DATABASE_WRITE_MS);
  await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  const groupState = () => {
    const { readNotices, groups } = device.client.getState();
    const { byId, order } = groups;
    return { byId, order, readNotices };
  };
  const before = groupState();
  void device.reload({ wipe: false });
  await flushMicrotasks();
  const after = groupState();
  await flushNetwork(scenario.devices, scenario.server, scenario.clock);
  const difference = firstDifference(before, after);
  return difference === undefined ? [] : [`${device.name} starts with other groups: ${difference}`];
}

/** The state after every chat was loaded up to its beginning and failed messages were discarded. */
async function openedSnapshot(scenario: Scenario, device: Device): Promise<Snapshot> {
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

/** Scrolls up to the beginning and down to the newest message. */
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

/** Jumps into each chat and scrolls both ways: at each step the window is a contiguous part of what the server has. */
async function checkScrolling(scenario: Scenario, device: Device): Promise<string[]> {
  const problems: string[] = [];
  const me = scenario.server.tables.users.find((user) => user.userName === device.userName)?.id ?? 0;
  const { chats } = device.client;
  for (const key of Object.keys(device.client.getState().chats.byKey) as ChatKey[]) {
    const target = parseChatKey(key);
    if (target === null || target.type === ChatType.SYSTEM) continue;
    const unreported = unreportedRows(scenario, device, target);
    const isReported = (id: number) => !unreported.has(id);
    const stored = storedIn(scenario.server, me, target)
      .map((row) => row.id)
      .filter(isReported);
    if (stored.length === 0) continue;
    const targetId = scenario.random.pick(stored);
    chats.closeOpen();
    const jumped = chats.jumpTo(key, { id: targetId });
    await flushNetwork(scenario.devices, scenario.server, scenario.clock);
    if ((await jumped) !== targetId)
      problems.push(`${device.name} ${key} jumped to ${await jumped}, not ${targetId}`);
    const window = () => device.client.getState().chats.byKey[key]?.window;
    const ids = () =>
      window()
        ?.messages.flatMap((message) => message.id ?? [])
        .filter(isReported) ?? [];
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

/** For groups that the user has left: drops what depends on recalls and removals since then, which no server reports to them. */
function withoutUnreported(scenario: Scenario, device: Device, snapshot: Snapshot): Snapshot {
  const chats = { ...snapshot.chats };
  const archived = new Set(snapshot.archived);
  for (const [key, chat] of Object.entries(snapshot.chats)) {
    const unreported = unreportedRows(scenario, device, parseChatKey(key));
    if (unreported.size === 0) continue;
    archived.delete(key);
    const messages = chat.messages.filter((line) => !unreported.has(idIn(line)));
    chats[key] = { ...chat, messages, unread: 0, mentions: "", preview: "", lastSendTime: 0 };
  }
  return { ...snapshot, chats, archived: [...archived] };
}

function unreportedRows(
  { server, counts }: Scenario,
  device: Device,
  target: { type: ChatType; targetId: number } | null,
): ReadonlySet<number> {
  if (target?.type !== ChatType.GROUP) return new Set();
  const me = server.tables.users.find((user) => user.userName === device.userName)?.id ?? 0;
  const unreported = unreportedTo(server.tables, target.targetId, me);
  if (unreported.size === 0 || !hasRejoined(server, target.targetId, me)) return unreported;
  counts.rejoined++;
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
  const { order, chats: _chats, ...others } = expected;
  compare("order", actual.order.filter(inBoth), order.filter(inBoth));
  for (const field of Object.keys(others) as (keyof typeof others)[])
    compare(field, actual[field], others[field]);
  for (const key of new Set([...Object.keys(actual.chats), ...Object.keys(expected.chats)])) {
    const [a, b] = [actual.chats[key], expected.chats[key]];
    if (a === undefined || b === undefined) {
      // A first pull does not send a chat that is completely inside the gap. How far the gap reaches depends on how much was deleted
      // before that pull.
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

/** Every stored message is shown once, in the order of ids, and nothing else is shown. */
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
    const mentioned = mentionsIn(scenario.server, me, target).join();
    if (chat.mentions.split(" ")[0] !== mentioned)
      problems.push(`${userName} ${key} is mentioned in ${chat.mentions}, not in ${mentioned}`);
    if (new Set(texts).size !== texts.length) problems.push(`${userName} ${key}: a message was stored twice`);
  }
  return problems;
}

/** Ids of the unread messages of a group that mention a user. */
function mentionsIn(
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

/** The messages of a chat that a user may see, without edits and recalls. */
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
