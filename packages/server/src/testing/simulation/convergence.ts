/** Faults end and everything is delivered: then all must be there and equal, within a bounded number of steps (INV1, INV5, INV6, INV7). */
import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { type Snapshot, snapshotOf } from "@parley/core/testing/snapshot";
import { reconnectToBus, logIn, passTime, reload } from "./random-actions.ts";
import { deliverEverything } from "./simulated-network.ts";
import { type SimulatedDevice, type Simulation, addDevice } from "./simulation.ts";

/** Long enough for a reconnect, retries, and whatever was put off. */
const QUIET_STEPS = 16;
const QUIET_STEP_MS = 5_000;
const PAGES_MAX = 200;

/** Within so many steps everything has come to rest. */
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
  for (let i = 0; i < QUIET_STEPS; i++) {
    if (!(await deliverEverything(simulation))) simulation.problems.push("it does not come to rest");
    for (const device of simulation.devices) logIn(device);
    if (!(await deliverEverything(simulation))) simulation.problems.push("it does not come to rest");
    await passTime(simulation, QUIET_STEP_MS);
  }
  await deliverEverything(simulation);
}

export async function checkConvergence(simulation: Simulation): Promise<void> {
  const { problems } = simulation;
  const expected = new Map<number, Snapshot>();
  const old = [...simulation.devices];
  for (const person of simulation.people) {
    const fresh = addDevice(simulation, person, "-fresh");
    logIn(fresh);
    await deliverEverything(simulation);
    expected.set(person.id, await fullSnapshot(simulation, fresh));
  }
  for (const device of old) {
    const { connection, chats } = device.client.getState();
    if (connection.kind !== "online") problems.push(`${device.name} is ${connection.kind}`);
    for (const [type, isOn] of Object.entries(chats.loading))
      if (isOn) problems.push(`INV7 ${device.name} still loads ${type}`);
    const actual = await fullSnapshot(simulation, device);
    const wanted = expected.get(device.userId);
    if (wanted !== undefined) problems.push(...differences(simulation, device, actual, wanted));
  }
  checkAcks(simulation, expected);
  checkEdits(simulation);
  checkUnread(simulation, expected);
}

/** The state with every chat read up to its beginning. */
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
    const has = left.filter((line) => !right.includes(line));
    const lacks = right.filter((line) => !left.includes(line));
    if (left.join() !== right.join())
      problems.push(
        has.length + lacks.length === 0
          ? `INV6 ${device.name} ${what} stands in another order: ${left.join()}, not ${right.join()}`
          : `INV6 ${device.name} ${what}:\n  has      ${has.join("; ")}\n  expected ${lacks.join("; ")}`,
      );
  };
  const isLeft = (key: string) => hasLeft(simulation, device.userId, key);
  const kept = (keys: readonly string[]) => keys.filter((key) => !isLeft(key));
  compare("order", kept(actual.order), kept(expected.order));
  compare("friends", actual.friends, expected.friends);
  compare("requests", actual.requests, expected.requests);
  compare("groups", actual.groups, expected.groups);
  compare("requests of groups", actual.groupRequests, expected.groupRequests);
  for (const key of new Set([...Object.keys(actual.chats), ...Object.keys(expected.chats)])) {
    const [a, b] = [actual.chats[key], expected.chats[key]];
    if (a === undefined || b === undefined) {
      problems.push(`INV6 ${device.name} ${key} ${a === undefined ? "is missing" : "should not be there"}`);
    } else if (isLeft(key)) {
      // What was done in a group while somebody was out of it is told by nobody; that each message is there once is all that can be asked.
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
  const stays = simulation.probe
    .prepare<[number, number], { toId: number | null }>(
      "select toId from groupStay where groupId = ? and userId = ?",
    )
    .all(target.targetId, userId);
  return stays.length !== 1 || stays[0]?.toId !== null;
}

/** INV1: what was acknowledged is with its sender, and with everybody it was for. */
function checkAcks(simulation: Simulation, expected: ReadonlyMap<number, Snapshot>): void {
  const { probe, people, problems } = simulation;
  const recipients = probe
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

/** INV1: a message that was edited has the words of its newest edit: who never hears of the edit reads the message alone. */
function checkEdits({ probe, problems }: Simulation): void {
  for (const table of ["privateMessage", "groupMessage"]) {
    const unkept = probe
      .prepare<[], { id: number; content: string; wanted: string }>(
        `select m.id, m.content, e.content as wanted from ${table} m join ${table} e on e.quoteId = m.id and e.type = ${MessageType.EDIT}
         where m.noticeId is null and m.content <> e.content
         and not exists (select 1 from ${table} later where later.quoteId = m.id and later.type = ${MessageType.EDIT} and later.id > e.id)`,
      )
      .all();
    for (const { id, content, wanted } of unkept)
      problems.push(`INV1 the ${table} ${id} says "${content}", its edit "${wanted}"`);
  }
}

/** INV5: what clients count is what the stored rows say. */
function checkUnread(simulation: Simulation, expected: ReadonlyMap<number, Snapshot>): void {
  const rows = {
    PRIVATE: simulation.probe.prepare<[number, number], { id: number; type: number }>(
      `select id, type from privateMessage where recvId = ? and sendId = ? and onlyFor is null and noticeId is null order by id`,
    ),
    GROUP: simulation.probe.prepare<[number, number, number], { id: number; type: number }>(
      `select m.id, m.type from groupMessage m join groupStay s on s.groupId = m.groupId and s.userId = ?
       where m.groupId = ? and m.sendId <> ? and m.onlyFor is null and m.noticeId is null
       and m.id > s.fromId and (s.toId is null or m.id <= s.toId)`,
    ),
  };
  const readIn = {
    PRIVATE: simulation.probe
      .prepare<[number, number], number>("select readId from privateChat where ownerId = ? and peerId = ?")
      .pluck(),
    GROUP: simulation.probe
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
