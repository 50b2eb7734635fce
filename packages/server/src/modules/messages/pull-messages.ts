/** Sends all messages above a cursor, as pushes to the client that asked or as a list in the answer. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import {
  FIRST_PULL_GROUP_MAX,
  FIRST_PULL_PRIVATE_MAX,
  OFFLINE_WINDOW_MS,
  PULL_OVERLAP_MS,
} from "@parley/protocol/limits";
import type { GroupMessage, PrivateMessage, SystemMessage } from "@parley/protocol/message";
import { type Requester, type Delivery, frameOf, type FrameData } from "../../delivery.ts";
import { ApiError } from "../../calls/api-error.ts";
import type { Actor, Handlers } from "../../calls/call.ts";
import type { Language } from "../../calls/language.ts";
import type { ReadPositions } from "../../ports/change-store.ts";
import type { PrivateRow, PullStart } from "../../ports/private-message-store.ts";
import type { Store } from "../../ports/store.ts";
import { friendOf, privateMessage, statusFor, systemMessage } from "../../presenters/message-presenter.ts";
import { viewGroupMessages } from "./view-group-messages.ts";

export interface PullMessagesDeps {
  store: Store;
  delivery: Delivery;
  /** Takes over work that outlives its request: logs its failure, and makes the server wait for it before it closes. */
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
const QUEUED_PULLS_MAX = 5;

/** Batches of wire messages. `fromId` is set if older rows were left out. */
interface Pulled<Message> {
  batches: AsyncIterable<Message[]>;
  fromId?: number;
}

/** The person who asks, the time and the language. */
interface PullRequest {
  actor: Actor;
  now: number;
  language: Language;
}

interface RunningPull {
  readonly requester: Requester;
  readonly done: Promise<void>;
}

/**
 * Whether the frames of two pulls could mix on a socket: both requesters have the same sockets, or one of them has none yet. A client
 * that has reconnected while its old socket hangs has one socket more, and need not wait.
 */
function mayShareSocket(one: Requester, other: Requester): boolean {
  const [sockets, otherSockets] = [one.sockets(), other.sockets()];
  return sockets.length === 0 || otherSockets.length === 0 || sockets.join() === otherSockets.join();
}

/**
 * Opens the pull if a socket is connected; null if there is none, because a client asks for everything after its login. If the socket
 * connected during the lookup, it has missed what was stored meanwhile: the lookup is repeated.
 */
async function openOnline(
  requester: Requester,
  open: () => Promise<Pulled<FrameData<PullCmd>>>,
): Promise<Pulled<FrameData<PullCmd>> | null> {
  const isOnline = requester.sockets().length > 0;
  const pulled = await open();
  if (isOnline) return pulled;
  return requester.sockets().length > 0 ? open() : null;
}

export function createPullMessages({ store, delivery, inBackground }: PullMessagesDeps): PullHandlers {
  /** The running and waiting pulls by client instance and kind, in the order of their requests. */
  const running = new Map<string, RunningPull[]>();

  /** Pulls of a client instance wait for each other, so that their frames do not mix. */
  const pull = (actor: Actor, cmd: PullCmd, open: () => Promise<Pulled<FrameData<PullCmd>>>): null => {
    const requester = delivery.findRequester(actor);
    const key = `${requester.instance} ${cmd}`;
    const queue = running.get(key) ?? [];
    const before = queue.filter((other) => mayShareSocket(requester, other.requester));
    if (before.length >= QUEUED_PULLS_MAX) throw new ApiError("request.tooMany", { seconds: 1 });
    const done = Promise.allSettled(before.map((other) => other.done)).then(() =>
      push(actor.userId, requester, cmd, open),
    );
    const entry = { requester, done };
    queue.push(entry);
    running.set(key, queue);
    const removeFromQueue = () => {
      queue.splice(queue.indexOf(entry), 1);
      if (queue.length === 0) running.delete(key);
    };
    inBackground(done.finally(removeFromQueue));
    return null;
  };

  const push = async (
    userId: number,
    requester: Requester,
    cmd: PullCmd,
    open: () => Promise<Pulled<FrameData<PullCmd>>>,
  ): Promise<void> => {
    try {
      const pulled = await openOnline(requester, open);
      if (pulled === null) return;
      const { batches, fromId } = pulled;
      let isAnnounced = false;
      const announce = () => {
        if (isAnnounced) return;
        isAnnounced = true;
        requester.push(frameOf(cmd, loading(userId, "true", fromId)));
      };
      if (fromId !== undefined) announce();
      for await (const batch of batches) {
        announce();
        for (const message of batch) requester.push(frameOf(cmd, message));
        if (!(await requester.waitForDrain())) break;
      }
    } catch (error) {
      // Send the end anyway, so that the client does not wait. A client that knows `failed` asks again instead of relying on the rows.
      requester.push(frameOf(cmd, { ...loading(userId, "false"), failed: true }));
      throw error;
    }
    requester.push(frameOf(cmd, loading(userId, "false")));
  };

  const openPrivate = async (
    { actor: { userId }, now, language }: PullRequest,
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
    { actor: { userId }, now, language }: PullRequest,
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

function loading(userId: number, content: "true" | "false", fromId?: number) {
  const signal = { type: MessageType.LOADING, sendId: userId, recvId: userId, content };
  return fromId === undefined ? signal : { ...signal, fromId };
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
    yield viewGroupMessages(store, userId, rows, language, positions);
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
  for (const position of await store.privateReadPositions(userId, [...missing]))
    positions.set(position.targetId, position);
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
