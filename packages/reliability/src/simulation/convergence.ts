/** Ends all faults, delivers everything, and checks that all devices converge in a bounded number of steps (INV1, INV5, INV6, INV7). */
import { MessageType } from "@parley/protocol/codes";
import { FIRST_UNREAD_MAX } from "@parley/protocol/limits";
import { kindOf } from "@parley/protocol/message";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, FirstChats } from "@parley/core/model/state";
import { type Snapshot, snapshotOf } from "@parley/core/testing/snapshot";
import { reconnectToBus, logIn, passTime, reload } from "./random-actions.ts";
import { deliverEverything } from "./simulated-network.ts";
import { type SimulatedDevice, type Simulation, addDevice } from "./simulation.ts";

/** Long enough for reconnects, retries and delayed work. */
const SETTLE_STEPS = 16;
const SETTLE_STEP_MS = 5_000;
const PAGES_MAX = 200;

/** Ends all faults and runs until nothing moves. */
export async function runToConvergence(simulation: Simulation): Promise<void> {
  simulation.delayRate = 0;
  simulation.skew = 0;
  for (const [index, node] of simulation.nodes.entries()) {
    if (node === null) simulation.startNode(index);
    else node.skew = 0;
    reconnectToBus(simulation, index);
  }
  for (const device of simulation.devices) {
    device.isOffline = false;
    if (device.isDown) reload(device, false);
  }
  for (let i = 0; i < SETTLE_STEPS; i++) {
    if (!(await deliverEverything(simulation)))
      simulation.problems.push("the simulation does not become idle");
    for (const device of simulation.devices) logIn(device);
    if (!(await deliverEverything(simulation)))
      simulation.problems.push("the simulation does not become idle");
    await passTime(simulation, SETTLE_STEP_MS);
  }
  await deliverEverything(simulation);
}

/** Checks that every device equals a new device of its person, and the stored rows. */
export async function checkConvergence(simulation: Simulation): Promise<void> {
  const { problems } = simulation;
  const expected = new Map<number, Snapshot>();
  const existing = [...simulation.devices];
  for (const person of simulation.people) {
    const fresh = addDevice(simulation, person, "-fresh");
    let firstChats: FirstChats | null = null;
    const stopListening = fresh.client.subscribe(() => {
      firstChats ??= fresh.client.getState().firstChats;
    });
    logIn(fresh);
    await deliverEverything(simulation);
    stopListening();
    checkFirstChats(simulation, fresh, firstChats);
    const snapshot = await fullSnapshot(simulation, fresh);
    expected.set(person.id, snapshot);
    if (person !== simulation.people[0]) continue;
    // A device whose server has no call for the first chats: what the other one ends with must not depend on it.
    const plain = addDevice(simulation, person, "-plain", false);
    logIn(plain);
    await deliverEverything(simulation);
    problems.push(...differences(simulation, plain, await fullSnapshot(simulation, plain), snapshot));
  }
  for (const device of existing) {
    const { connection, chats } = device.client.getState();
    if (connection.kind !== "online") problems.push(`${device.name} is ${connection.kind}`);
    for (const [type, isLoading] of Object.entries(chats.loading))
      if (isLoading) problems.push(`INV7 ${device.name} still loads ${type}`);
    const actual = await fullSnapshot(simulation, device);
    const expectedSnapshot = expected.get(device.userId);
    if (expectedSnapshot !== undefined)
      problems.push(...differences(simulation, device, actual, expectedSnapshot));
  }
  checkAcks(simulation, expected);
  checkEdits(simulation);
  checkUnread(simulation, expected);
}

/** I104: the view of the first chats says what the pulls then bring. */
function checkFirstChats(
  simulation: Simulation,
  { client, name }: SimulatedDevice,
  view: FirstChats | null,
): void {
  const { chats, firstChats, pulled } = client.getState();
  const { problems } = simulation;
  if (firstChats !== null || pulled !== "now") problems.push(`I104 ${name} still shows its first chats`);
  const listed = chats.order.filter((key) => (chats.byKey[key]?.sync.newest ?? null) !== null);
  if (view === null && listed.length > 0) problems.push(`I104 ${name} was not shown its first chats`);
  const shown = (view?.order ?? []).filter((key) => chats.byKey[key] !== undefined);
  if (shown.join() !== listed.slice(0, shown.length).join() || shown.length !== (view?.order.length ?? 0))
    problems.push(`I104 ${name} shows ${view?.order.join()}, then ${listed.join()}`);
  for (const key of shown) {
    const [first, chat] = [view?.byKey[key]?.chat, chats.byKey[key]];
    const line = (of: typeof chat) =>
      JSON.stringify([
        Math.min(of?.unread ?? 0, FIRST_UNREAD_MAX),
        of?.atMe,
        of?.atAll,
        of?.isTop,
        of?.msgRemind,
        of?.lastSendTime,
        of?.preview,
      ]);
    if (line(first) !== line(chat))
      problems.push(`I104 ${name} ${key} shows ${line(first)}, then ${line(chat)}`);
  }
}

/** The state with all messages of every chat loaded. */
async function fullSnapshot(simulation: Simulation, device: SimulatedDevice): Promise<Snapshot> {
  const { chats } = device.client;
  const full: Record<string, Snapshot["chats"][string]> = {};
  for (const key of Object.keys(device.client.getState().chats.byKey) as ChatKey[]) {
    chats.open(key);
    await deliverEverything(simulation);
    const window = () => device.client.getState().chats.byKey[key]?.window;
    for (let page = 0; page < PAGES_MAX && window()?.hasOlder; page++) {
      chats.loadOlder(key);
      await deliverEverything(simulation);
    }
    for (let page = 0; page < PAGES_MAX && window()?.hasNewer; page++) {
      chats.loadNewer(key);
      await deliverEverything(simulation);
    }
    for (const message of window()?.messages ?? [])
      if (message.sending === "failed" && message.tmpId !== null) chats.discard(key, message.tmpId);
    const chat = snapshotOf(device.client.getState()).chats[key];
    if (chat !== undefined) full[key] = chat;
  }
  return { ...snapshotOf(device.client.getState()), chats: full };
}

function differences(
  simulation: Simulation,
  device: SimulatedDevice,
  actual: Snapshot,
  expected: Snapshot,
): string[] {
  const problems: string[] = [];
  const compare = (what: string, a: unknown, b: unknown) => {
    const [left, right] = [linesOf(a), linesOf(b)];
    const unexpected = left.filter((line) => !right.includes(line));
    const missing = right.filter((line) => !left.includes(line));
    if (left.join() !== right.join())
      problems.push(
        unexpected.length + missing.length === 0
          ? `INV6 ${device.name} ${what} has another order: ${left.join()}, not ${right.join()}`
          : `INV6 ${device.name} ${what}:\n  has      ${unexpected.join("; ")}\n  expected ${missing.join("; ")}`,
      );
  };
  const isLeft = (key: string) => hasLeft(simulation, device.userId, key);
  const withoutLeft = (keys: readonly string[]) => keys.filter((key) => !isLeft(key));
  compare("order", withoutLeft(actual.order), withoutLeft(expected.order));
  compare("friends", actual.friends, expected.friends);
  compare("requests", actual.requests, expected.requests);
  compare("groups", actual.groups, expected.groups);
  compare("saved messages", actual.saved, expected.saved);
  compare("requests of groups", actual.groupRequests, expected.groupRequests);
  for (const key of new Set([...Object.keys(actual.chats), ...Object.keys(expected.chats)])) {
    const [a, b] = [actual.chats[key], expected.chats[key]];
    if (a === undefined || b === undefined) {
      problems.push(`INV6 ${device.name} ${key} ${a === undefined ? "is missing" : "should not be there"}`);
    } else if (isLeft(key)) {
      // A person does not get the changes made while they were out of the group, so only the ids are compared.
      compare(`${key} ids`, a.messages.map(idIn), b.messages.map(idIn));
    } else
      for (const field of Object.keys(b) as (keyof typeof b)[])
        compare(`${key} ${field}`, a[field], b[field]);
  }
  return problems;
}

function linesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map((line) => JSON.stringify(line)) : [JSON.stringify(value)];
}

function idIn(line: string): number {
  return Number(/^(?:--- )?(\d+)/.exec(line)?.[1]);
}

/** Whether this person has ever been out of this group. */
function hasLeft(simulation: Simulation, userId: number, key: string): boolean {
  const target = parseChatKey(key);
  if (target?.type !== "GROUP") return false;
  const stays = simulation.rawDb
    .prepare<[number, number], { toId: number | null }>(
      "select toId from groupStay where groupId = ? and userId = ?",
    )
    .all(target.targetId, userId);
  return stays.length !== 1 || stays[0]?.toId !== null;
}

/** INV1: every acknowledged message is on a device of its sender and of everybody who may see it. */
function checkAcks(simulation: Simulation, expected: ReadonlyMap<number, Snapshot>): void {
  const { rawDb, people, problems } = simulation;
  const recipients = rawDb
    .prepare<[number, number, number], number>(
      "select userId from groupStay where groupId = ? and fromId < ? and (toId is null or toId >= ?)",
    )
    .pluck();
  for (const { isGroup, id, sendId, target } of simulation.acknowledged) {
    const readers = isGroup ? recipients.all(target, id, id) : [sendId, target];
    for (const reader of readers) {
      if (!people.some((person) => person.id === reader)) continue;
      const key = isGroup ? `GROUP:${target}` : `PRIVATE:${reader === sendId ? target : sendId}`;
      const lines = expected.get(reader)?.chats[key]?.messages ?? [];
      if (!lines.some((line) => idIn(line) === id))
        problems.push(`INV1 ${reader} does not have the acknowledged ${id} of ${sendId} in ${key}`);
    }
  }
}

/** INV1: an edited message has the text of its newest edit, because some clients get the message without the edit. */
function checkEdits({ rawDb, problems }: Simulation): void {
  const mismatches = rawDb
    .prepare<[], { id: number; content: string; editText: string }>(
      `select m.id, m.content, e.content as editText from message m join message e on e.quoteId = m.id and e.type = ${MessageType.EDIT}
       where m.noticeId is null and m.content <> e.content
       and not exists (select 1 from message later where later.quoteId = m.id and later.type = ${MessageType.EDIT} and later.id > e.id)`,
    )
    .all();
  for (const { id, content, editText } of mismatches)
    problems.push(`INV1 the message ${id} has the text "${content}", but its edit has "${editText}"`);
}

/** INV5: the unread counts of clients equal those of the stored rows. */
function checkUnread(simulation: Simulation, expected: ReadonlyMap<number, Snapshot>): void {
  const rows = {
    PRIVATE: simulation.rawDb.prepare<[number, number], { id: number; type: number }>(
      `select id, type from message where recvId = ? and sendId = ? and onlyFor is null and noticeId is null order by id`,
    ),
    GROUP: simulation.rawDb.prepare<[number, number, number], { id: number; type: number }>(
      `select m.id, m.type from message m join groupStay s on s.groupId = m.chatId and s.userId = ?
       where m.chatId = ? and m.sendId <> ? and m.onlyFor is null and m.noticeId is null
       and m.id > s.fromId and (s.toId is null or m.id <= s.toId)`,
    ),
  };
  const readIn = {
    PRIVATE: simulation.rawDb
      .prepare<[number, number], number>("select readId from privateChat where ownerId = ? and peerId = ?")
      .pluck(),
    GROUP: simulation.rawDb
      .prepare<[number, number], number>("select readId from groupRead where userId = ? and groupId = ?")
      .pluck(),
  };
  for (const [me, snapshot] of expected) {
    for (const [key, chat] of Object.entries(snapshot.chats)) {
      const target = parseChatKey(key);
      if (target === null || target.type === "SYSTEM") continue;
      const { type, targetId } = target;
      const all = type === "GROUP" ? rows.GROUP.all(me, targetId, me) : rows.PRIVATE.all(me, targetId);
      const readId = readIn[type].get(me, targetId) ?? -1;
      const unread = all.filter((row) => row.id > readId && kindOf(row.type)?.unread === true).length;
      if (unread !== chat.unread)
        simulation.problems.push(`INV5 ${me} ${key} counts ${chat.unread}, the server has ${unread}`);
    }
  }
}
