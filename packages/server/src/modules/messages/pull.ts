/** Everything above a cursor, pushed to the client that asked or answered as a list. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import {
  FIRST_PULL_GROUP_MAX,
  FIRST_PULL_PRIVATE_MAX,
  OFFLINE_WINDOW_MS,
  PULL_OVERLAP_MS,
} from "@parley/protocol/limits";
import type { GroupMessage, PrivateMessage, Signal, SystemMessage } from "@parley/protocol/message";
import { type Asker, type Delivery, frameOf } from "../../delivery.ts";
import { type Actor, type Handlers, Refusal } from "../../ports/call.ts";
import type { Language } from "../../ports/language.ts";
import type { PrivateRow, PullStart, ReadPositions, Store } from "../../ports/store.ts";
import { friendOf, privateMessage, statusFor, systemMessage } from "../../rules/messages.ts";
import { viewGroupRows } from "./group-view.ts";

export interface PullDeps {
  store: Store;
  delivery: Delivery;
  /** Takes care of work that outlives its request: logs its failure, and the server waits for it before it closes. */
  inBackground(work: Promise<void>): void;
}

type PullHandlers = Pick<
  Handlers,
  | "pullPrivateMessages"
  | "pullGroupMessages"
  | "pullSystemMessages"
  | "loadPrivateMessages"
  | "loadGroupMessages"
>;
type PullCmd = typeof Cmd.PRIVATE | typeof Cmd.GROUP | typeof Cmd.SYSTEM;

const BATCH_ROWS = 200;
const PULLS_IN_LINE_MAX = 5;

/** Batches of wire messages; `fromId` when rows before the first were left out. */
interface Pulled<Message> {
  batches: AsyncIterable<Message[]>;
  fromId?: number;
}

/** Who asks, when and in which language. */
interface PullCall {
  actor: Actor;
  now: number;
  language: Language;
}

interface UnderWay {
  readonly asker: Asker;
  readonly end: Promise<void>;
}

/**
 * Whether frames of both may mix where somebody listens: both go to the same sockets, or one of the askers has none yet. A client that is
 * back while its old socket hangs has one more and need not wait.
 */
function mayMix(one: Asker, other: Asker): boolean {
  const [mine, theirs] = [one.sockets(), other.sockets()];
  return mine.length === 0 || theirs.length === 0 || mine.join() === theirs.join();
}

/**
 * What there is to push; null: nobody listens, and who logs in now asks for all of it. A socket that came while this was looked up has not
 * been told what was stored meanwhile: it is looked up again.
 */
async function openFor(asker: Asker, open: () => Promise<Pulled<object>>): Promise<Pulled<object> | null> {
  const isThere = asker.sockets().length > 0;
  const pulled = await open();
  if (isThere) return pulled;
  return asker.sockets().length > 0 ? open() : null;
}

export function createPull({ store, delivery, inBackground }: PullDeps): PullHandlers {
  /** By client instance and kind, in the order in which they were asked for. */
  const underWay = new Map<string, UnderWay[]>();

  /** Pulls of a client instance wait for each other, so that their frames do not mix. */
  const pull = (actor: Actor, cmd: PullCmd, open: () => Promise<Pulled<object>>): null => {
    const asker = delivery.findAsker(actor);
    const key = `${asker.instance} ${cmd}`;
    const line = underWay.get(key) ?? [];
    const before = line.filter((other) => mayMix(asker, other.asker));
    if (before.length >= PULLS_IN_LINE_MAX) throw new Refusal("request.tooMany", { seconds: 1 });
    const end = Promise.allSettled(before.map((other) => other.end)).then(() =>
      push(actor.userId, asker, cmd, open),
    );
    const mine = { asker, end };
    line.push(mine);
    underWay.set(key, line);
    const leave = () => {
      line.splice(line.indexOf(mine), 1);
      if (line.length === 0) underWay.delete(key);
    };
    inBackground(end.finally(leave));
    return null;
  };

  const push = async (
    userId: number,
    asker: Asker,
    cmd: PullCmd,
    open: () => Promise<Pulled<object>>,
  ): Promise<void> => {
    try {
      const pulled = await openFor(asker, open);
      if (pulled === null) return;
      const { batches, fromId } = pulled;
      let isAnnounced = false;
      const announce = () => {
        if (isAnnounced) return;
        isAnnounced = true;
        asker.push(frameOf(cmd, loading(userId, "true", fromId)));
      };
      if (fromId !== undefined) announce();
      for await (const batch of batches) {
        announce();
        for (const message of batch) asker.push(frameOf(cmd, message));
        if (!(await asker.hasRoom())) break;
      }
    } catch (error) {
      // An end like any other, so that nobody waits; who knows the mark asks again instead of trusting the rows to be whole.
      asker.push(frameOf(cmd, { ...loading(userId, "false"), failed: true }));
      throw error;
    }
    asker.push(frameOf(cmd, loading(userId, "false")));
  };

  const openPrivate = async (
    { actor: { userId }, now, language }: PullCall,
    minId: number,
  ): Promise<Pulled<PrivateMessage>> => {
    const start = await store.startPrivatePull(userId, {
      minId,
      overlapMs: PULL_OVERLAP_MS,
      notBefore: now - OFFLINE_WINDOW_MS,
      firstMax: FIRST_PULL_PRIVATE_MAX,
    });
    const batches = privateBatches(store, userId, start, language);
    return start.isTruncated ? { batches, fromId: start.fromId } : { batches };
  };

  const openGroups = async (
    { actor: { userId }, now, language }: PullCall,
    minId: number,
  ): Promise<Pulled<GroupMessage>> => {
    const { ids, fromId } = await store.startGroupPull(userId, {
      minId,
      overlapMs: PULL_OVERLAP_MS,
      notBefore: now - OFFLINE_WINDOW_MS,
      firstMax: FIRST_PULL_GROUP_MAX,
    });
    const batches = groupBatches(store, userId, ids, language);
    return fromId === null ? { batches } : { batches, fromId };
  };

  return {
    pullPrivateMessages: (call) => pull(call.actor, Cmd.PRIVATE, () => openPrivate(call, call.query.minId)),

    pullGroupMessages: (call) => pull(call.actor, Cmd.GROUP, () => openGroups(call, call.query.minId)),

    pullSystemMessages: ({ actor, query }) =>
      pull(actor, Cmd.SYSTEM, async () => ({ batches: systemBatches(store, actor.userId, query.minSeqNo) })),

    async loadPrivateMessages(call) {
      return listAll(await openPrivate(call, call.query.minId));
    },

    async loadGroupMessages(call) {
      return listAll(await openGroups(call, call.query.minId));
    },
  };
}

function loading(userId: number, content: "true" | "false", fromId?: number): Signal {
  const signal: Signal = { type: MessageType.LOADING, sendId: userId, recvId: userId, content };
  if (fromId !== undefined) signal.fromId = fromId;
  return signal;
}

async function listAll<Message>({ batches }: Pulled<Message>): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const batch of batches) messages.push(...batch);
  return messages;
}

async function* groupBatches(
  store: Store,
  userId: number,
  ids: readonly number[],
  language: Language,
): AsyncGenerator<GroupMessage[]> {
  const positions = await store.groupReadPositions(userId);
  for (let start = 0; start < ids.length; start += BATCH_ROWS) {
    const rows = await store.listGroupMessages(userId, ids.slice(start, start + BATCH_ROWS));
    yield viewGroupRows(store, userId, rows, language, positions);
  }
}

async function* privateBatches(
  store: Store,
  userId: number,
  start: PullStart,
  language: Language,
): AsyncGenerator<PrivateMessage[]> {
  const positions = new Map<number, ReadPositions>();
  for (let fromId = start.fromId; fromId <= start.upTo;) {
    const rows = await store.listPrivate(userId, fromId, start.upTo, BATCH_ROWS);
    if (rows.length > 0) {
      await addPositions(store, userId, rows, positions);
      yield rows.map((row) =>
        privateMessage(row, statusFor(userId, row, positions.get(friendOf(userId, row))), language),
      );
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    fromId = last.id + 1;
  }
}

/** Loads the read positions of the chats of these rows that are not loaded yet. */
async function addPositions(
  store: Store,
  userId: number,
  rows: readonly PrivateRow[],
  positions: Map<number, ReadPositions>,
): Promise<void> {
  const missing = new Set(rows.map((row) => friendOf(userId, row)).filter((id) => !positions.has(id)));
  if (missing.size === 0) return;
  for (const found of await store.privateReadPositions(userId, [...missing]))
    positions.set(found.targetId, found);
}

async function* systemBatches(store: Store, userId: number, after: number): AsyncGenerator<SystemMessage[]> {
  for (;;) {
    const rows = await store.listSystem(userId, after, BATCH_ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    const position = await store.systemReadPosition(userId);
    yield rows.map((row) => systemMessage(row, position));
    after = last.seqNo;
  }
}
