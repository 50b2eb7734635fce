/** Checks the invariants that must hold at every step: INV2, INV3, INV4, INV5 (within a client), INV9 and INV11. */
import { PULL_OVERLAP_MS } from "@parley/protocol/limits";
import { MessageStatus } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import type { Chat, State } from "@parley/core/model/state";
import type { Database } from "@parley/core/ports";
import { createMessageRegistry, type MessageRegistry } from "./message-registry.ts";
import type { SimulatedDevice, Simulation } from "./simulation.ts";
import { ORIGIN } from "./store-template.ts";

/** The checks of one simulation. */
export interface Invariants {
  readonly registry: MessageRegistry;
  /** Checks everything that changed since the last call. */
  check(): Promise<void>;
}

/** How many ids below a cursor are checked again, because a row may be committed late. */
const LATE_IDS = 200;

/** Creates the checks. */
export function createInvariants(simulation: Simulation): Invariants {
  const { rawDb, problems } = simulation;
  const registry = createMessageRegistry(rawDb);
  const positions = new Map<string, number>();
  const checked = new WeakSet<Chat>();
  const readIds = new WeakMap<SimulatedDevice["client"], Map<string, number>>();
  const databases = new WeakMap<SimulatedDevice["client"], Database>();
  const reads = rawDb.prepare<[], { name: string; position: number }>(
    `select 'private ' || ownerId || ' ' || peerId as name, readId as position from privateChat
     union all select 'group ' || userId || ' ' || groupId, readId from groupRead
     union all select 'system ' || userId, systemRead from userState`,
  );
  const privateIds = rawDb
    .prepare<number[], number>(
      `select id from message m where chatId < 0 and id > ? and id <= ? and (sendId = ? or recvId = ?)
       and (onlyFor is null or onlyFor = ?)
       and not exists (select 1 from hiddenMessage h where h.ownerId = ? and h.messageId = m.id)
       and id > coalesce((select clearedPrivate from userState where userId = ?), 0)
       and sendTime < (select max(sendTime) from message where id <= ?) - ${PULL_OVERLAP_MS}`,
    )
    .pluck();
  const groupIds = rawDb
    .prepare<number[], number>(
      `select m.id from message m join groupStay s on s.groupId = m.chatId and s.userId = ?
       where m.id > ? and m.id <= ? and m.id > s.fromId and (s.toId is null or m.id <= s.toId) and m.type not in (7, 10)
       and (onlyFor is null or onlyFor = ?)
       and not exists (select 1 from hiddenMessage h where h.ownerId = ? and h.messageId = m.id)
       and sendTime < (select max(sendTime) from message where id <= ?) - ${PULL_OVERLAP_MS}`,
    )
    .pluck();

  const tmpIdOf = rawDb.prepare<[number], string | null>("select tmpId from message where id = ?").pluck();

  function checkPositions(): void {
    for (const { name, position } of reads.all()) {
      const before = positions.get(name) ?? -1;
      if (position < before)
        problems.push(`INV11 the read position ${name} went from ${before} back to ${position}`);
      positions.set(name, position);
    }
  }

  function checkClient(device: SimulatedDevice): void {
    const state = device.client.getState();
    const readBefore = readIds.get(device.client) ?? new Map<string, number>();
    readIds.set(device.client, readBefore);
    for (const chat of Object.values(state.chats.byKey)) {
      if (checked.has(chat)) continue;
      checked.add(chat);
      for (const problem of problemsIn(chat)) problems.push(`${problem} (${device.name} ${chat.key})`);
      const before = readBefore.get(chat.key) ?? -1;
      if (chat.readId < before)
        problems.push(`INV11 ${device.name} ${chat.key} was read up to ${before}, now up to ${chat.readId}`);
      readBefore.set(chat.key, chat.readId);
    }
  }

  async function checkCursors(device: SimulatedDevice): Promise<void> {
    const { session } = device.client.getState();
    if (session.kind !== "active") return;
    let database = databases.get(device.client);
    if (database === undefined) {
      database = await device.ports.storage.open(`parley-chats:${ORIGIN}:${device.userId}`);
      databases.set(device.client, database);
    }
    const cursors = (await database.value("cursors")) as { PRIVATE?: number; GROUP?: number } | undefined;
    const me = device.userId;
    const cursor = cursors?.PRIVATE ?? 0;
    const groupCursor = cursors?.GROUP ?? 0;
    const { received } = device;
    // A message in the outbox may be stored already; its retry will bring the row.
    const waiting = new Set((await database.outbox()).map(({ tmpId }) => tmpId));
    if (Math.max(...received.PRIVATE, 0) > cursor) simulation.coverage["a gap held a cursor"]++;
    const missing = privateIds
      .all(cursor - LATE_IDS, cursor, me, me, me, me, me, cursor)
      .filter((id) => !received.PRIVATE.has(id) && !waiting.has(tmpIdOf.get(id) ?? ""));
    const missingInGroups = groupIds
      .all(me, groupCursor - LATE_IDS, groupCursor, me, me, groupCursor)
      .filter((id) => !received.GROUP.has(id) && !waiting.has(tmpIdOf.get(id) ?? ""));
    if (missing.length > 0)
      problems.push(`INV4 ${device.name} has a cursor at ${cursor} and never received ${missing.join()}`);
    if (missingInGroups.length > 0)
      problems.push(
        `INV4 ${device.name} has a cursor of groups at ${groupCursor} and never received ${missingInGroups.join()}`,
      );
  }

  return {
    registry,
    async check() {
      if (!simulation.isChanged) return;
      simulation.isChanged = false;
      problems.push(...registry.sync());
      checkPositions();
      for (const device of simulation.devices) {
        if (device.isDown) continue;
        if (!device.isTouched) continue;
        device.isTouched = false;
        checkClient(device);
        await checkCursors(device);
      }
    },
  };
}

function problemsIn(chat: Chat): string[] {
  const problems: string[] = [];
  const { messages } = chat.window;
  const texts = new Map<string, string>();
  let last = 0;
  for (const { id, tmpId, sending, content, type, group } of messages) {
    const name = `${id} ${tmpId} ${sending}`;
    if (id !== null && id <= last) problems.push(`INV3 ${id} is shown after ${last}`);
    last = id ?? last;
    const other = texts.get(content);
    if (type === 0 && other !== undefined)
      problems.push(`INV2 "${content}" is shown twice, as ${other} and ${name}`);
    texts.set(content, name);
    if (group !== null && group.readedCount >= GROUP_SIZE_MAX)
      problems.push(`INV11 ${id} was read by ${group.readedCount}, which is more than the other members`);
  }
  const isComplete = !chat.window.hasOlder && !chat.window.hasNewer && messages.length > 0;
  if (isComplete && chat.type !== "SYSTEM") {
    const unread = messages.filter(
      (message) =>
        !message.selfSend &&
        (message.id ?? 0) > chat.readId &&
        message.status !== MessageStatus.RECALL &&
        message.status !== MessageStatus.READED &&
        kindOf(message.type)?.unread === true,
    ).length;
    if (unread !== chat.unread)
      problems.push(
        `INV5 counts ${chat.unread} unread (${chat.sync.unread.join()}) and shows ${unread} (${messages.map(({ id, status, type }) => `${id}/${type}/${status}`).join()}), read up to ${chat.readId}`,
      );
  }
  return problems;
}

/** The members of the largest group. One of them is the sender. */
const GROUP_SIZE_MAX = 5;

/** Whether the client waits for the end of a pull. */
export function isPulling({ chats }: State): boolean {
  return Object.values(chats.loading).some(Boolean);
}
