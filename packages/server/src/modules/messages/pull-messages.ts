/** Sends all messages above a cursor, as pushes to the client that asked or as a list in the answer. */
import { ChatType, Cmd, MessageType } from "@parley/protocol/codes";
import { OFFLINE_WINDOW_MS, PULL_OVERLAP_MS } from "@parley/protocol/limits";
import type { SystemMessage } from "@parley/protocol/message";
import { type Requester, type Delivery, frameOf, type FrameData } from "../../delivery/delivery.ts";
import { type Actor, type ApiCall, type Handlers, ListInPieces } from "../../api/api-call.ts";
import { ApiError } from "../../api/api-error.ts";
import { type Language, languageOf } from "../../api/language.ts";
import { changeCount } from "../../collections/maps.ts";
import type { ClusterAnswer, ClusterQuery } from "../../ports/bus.ts";
import type { MessageExtraReads } from "../../ports/message-extra-store.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { SystemMessageReads } from "../../ports/system-message-store.ts";
import { systemMessage } from "../../presenters/message-presenter.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import type { ChatStrategies, ChatStrategy, MessageOf, Pulled } from "./chat-strategy.ts";

/** Rows that a pull reads and sends at once. */
export const PULL_BATCH_ROWS = 200;

export interface PullMessagesDeps extends ChatStrategies {
  store: SystemMessageReads & Pick<MessageExtraReads, "newestExtra">;
  delivery: Delivery;
  /** Takes over work that outlives its request: logs its failure, and makes the server wait for it before it closes. */
  inBackground(work: Promise<void>): void;
  /** Epoch milliseconds. */
  now(): number;
  /** Whether other nodes may have the socket of who asks. */
  hasOtherNodes: boolean;
  /** Asks the other nodes; undefined if none of them answers. */
  ask(query: ClusterQuery): Promise<ClusterAnswer | undefined>;
  metrics: Pick<Metrics, "clock" | "pullEnded">;
}

type PullQuery = Extract<ClusterQuery, { about: "pull" }>;

/** Pulls of a node. */
export interface PullMessages {
  handlers: PullHandlers;
  /** Sends the rows if a socket of the client that asked another node is here. */
  pullFor(query: PullQuery): ClusterAnswer | undefined;
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

const QUEUED_PULLS_MAX = 5;
/** Both kinds for each of three devices. */
const LISTS_MAX = 6;

/** The cursor, the person who asks, the time and the language. */
interface PullRequest {
  query: { minId: number };
  actor: Actor;
  now: number;
  language: Language;
}

type PullWindowRequest = Pick<PullQuery, "minId" | "actor" | "language"> & { now: number };

/** Field by field, because copies of a call lack those that it computes, such as the language. */
const pullOf = ({ query, actor, now, language }: PullRequest): PullWindowRequest => ({
  actor,
  now,
  language,
  minId: query.minId,
});

const CMDS: Record<ChatType, PullCmd> = { PRIVATE: Cmd.PRIVATE, GROUP: Cmd.GROUP, SYSTEM: Cmd.SYSTEM };

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

export function createPullMessages({
  store,
  delivery,
  inBackground,
  privateChats,
  groupChats,
  now,
  hasOtherNodes,
  ask,
  metrics,
}: PullMessagesDeps): PullMessages {
  /** The running and waiting pulls by client instance and kind, in the order of their requests. */
  const running = new Map<string, RunningPull[]>();

  /** How each kind of pull begins. */
  const openers: Record<ChatType, (request: PullQuery) => () => Promise<Pulled<FrameData<PullCmd>>>> = {
    PRIVATE: (request) => () => openPull(privateChats, { ...request, now: now() }),
    GROUP: (request) => () => openPull(groupChats, { ...request, now: now() }),
    SYSTEM:
      ({ actor, minId }) =>
      async () => ({ batches: systemBatches(store, actor.userId, minId) }),
  };

  /** Pulls of a client instance wait for each other, so that their frames do not mix. False if too many wait. */
  const pullHere = (request: PullQuery): boolean => {
    const { actor } = request;
    const cmd = CMDS[request.type];
    const requester = delivery.findRequester(actor);
    const key = `${requester.instance} ${cmd}`;
    const queue = running.get(key) ?? [];
    const before = queue.filter((other) => mayShareSocket(requester, other.requester));
    if (before.length >= QUEUED_PULLS_MAX) return false;
    const done = Promise.allSettled(before.map((other) => other.done)).then(() =>
      push(request, requester, openers[request.type](request)),
    );
    const entry = { requester, done };
    queue.push(entry);
    running.set(key, queue);
    const removeFromQueue = () => {
      queue.splice(queue.indexOf(entry), 1);
      if (queue.length === 0) running.delete(key);
    };
    inBackground(done.finally(removeFromQueue));
    return true;
  };

  const makeList = createListMaker();

  const hasSocketHere = (actor: Actor) => delivery.findRequester(actor).sockets().length > 0;

  /**
   * The node that has the socket sends the rows, so that it alone decides when a slow client gets more, and its end is the end of the pull.
   * Several have one if an earlier socket of the client hangs: each of them answers on its own.
   */
  const pull = async (request: PullQuery): Promise<null> => {
    const elsewhere = ask(request);
    const isHere = hasSocketHere(request.actor);
    let answer: ClusterAnswer | undefined;
    if (!isHere && hasOtherNodes) answer = await elsewhere;
    if (answer === undefined) {
      // Nobody has the socket, or the bus has lost the query. The client asks again, as no rows and no end would come.
      if (!isHere && hasOtherNodes && !hasSocketHere(request.actor)) throw new ApiError("server.unavailable");
      answer = pullHere(request) ? "yes" : "refused";
    }
    if (answer === "refused") throw new ApiError("request.tooMany", { seconds: 1 });
    return null;
  };

  const push = async (
    { type, actor: { userId }, minId }: PullQuery,
    requester: Requester,
    open: () => Promise<Pulled<FrameData<PullCmd>>>,
  ): Promise<void> => {
    const cmd = CMDS[type];
    const began = metrics.clock();
    let rows = 0;
    let isComplete = true;
    try {
      // Read before the rows. The feed of changes brings to a new device what happens from then on.
      const extras = minId === 0 && type !== ChatType.SYSTEM ? await store.newestExtra() : undefined;
      const pulled = await openOnline(requester, open);
      if (pulled === null) return;
      const { batches, fromId } = pulled;
      let isAnnounced = false;
      const announce = () => {
        if (isAnnounced) return;
        isAnnounced = true;
        requester.push(
          frameOf(cmd, {
            ...loading(userId, "true"),
            ...(fromId !== undefined && { fromId }),
            ...(extras !== undefined && { extras }),
          }),
        );
      };
      if (fromId !== undefined) announce();
      for await (const batch of batches) {
        announce();
        for (const message of batch) requester.push(frameOf(cmd, message));
        rows += batch.length;
        isComplete = await requester.waitForDrain();
        if (!isComplete) break;
      }
    } catch (error) {
      isComplete = false;
      // Send the end anyway, so that the client does not wait. A client that knows `failed` asks again instead of relying on the rows.
      requester.push(frameOf(cmd, { ...loading(userId, "false"), failed: true }));
      throw error;
    } finally {
      metrics.pullEnded(type, rows, began, isComplete);
    }
    requester.push(frameOf(cmd, loading(userId, "false")));
  };

  const pullFrames = (type: ChatType, minId: number, { actor, language }: Omit<PullRequest, "query">) =>
    pull({ about: "pull", type, minId, actor, language });

  return {
    handlers: {
      pullPrivateMessages: (call) => pullFrames(ChatType.PRIVATE, call.query.minId, call),
      pullGroupMessages: (call) => pullFrames(ChatType.GROUP, call.query.minId, call),
      pullSystemMessages: (call) => pullFrames(ChatType.SYSTEM, call.query.minSeqNo, call),
      loadPrivateMessages(call) {
        return makeList(call, async () => listOf(await openPull(privateChats, pullOf(call))));
      },
      loadGroupMessages(call) {
        return makeList(call, async () => listOf(await openPull(groupChats, pullOf(call))));
      },
    },
    pullFor(query) {
      if (!hasSocketHere(query.actor)) return undefined;
      return pullHere(query) ? "yes" : "refused";
    },
  };
}

function openPull<Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  { minId, actor, now, language }: PullWindowRequest,
): Promise<Pulled<MessageOf<Kind>>> {
  const window = {
    minId,
    overlapMs: PULL_OVERLAP_MS,
    notBefore: now - OFFLINE_WINDOW_MS,
    firstMax: chats.firstPullMax,
  };
  return chats.pull(actor.userId, window, languageOf(language));
}

function loading(userId: number, content: "true" | "false") {
  return { type: MessageType.LOADING, sendId: userId, recvId: userId, content };
}

/**
 * Makes lists, of which a person may have few at once that are not read yet: each may have many megabytes to read and to send. A list that
 * is being opened counts also after its connection has ended. Throws if there are too many.
 */
function createListMaker() {
  const lists = new Map<number, number>();
  return async <List>(
    call: Pick<ApiCall, "onAnswered"> & { actor: Actor },
    make: () => Promise<List>,
  ): Promise<List> => {
    const { userId } = call.actor;
    const count = lists.get(userId) ?? 0;
    if (count >= LISTS_MAX) throw new ApiError("request.tooMany", { seconds: 1 });
    changeCount(lists, userId, 1);
    let isHalfOver = false;
    const endHalf = () => {
      if (isHalfOver) changeCount(lists, userId, -1);
      isHalfOver = true;
    };
    call.onAnswered(endHalf);
    return make().finally(endHalf);
  };
}

function listOf<Message>({ batches }: Pulled<Message>): ListInPieces<Message[]> {
  return new ListInPieces(batches);
}

async function* systemBatches(
  store: SystemMessageReads,
  userId: number,
  minSeqNo: number,
): AsyncGenerator<SystemMessage[]> {
  for (let after = await store.systemSeqNoBefore(userId, minSeqNo, PULL_OVERLAP_MS); ;) {
    const rows = await store.listSystem(userId, after, PULL_BATCH_ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    const position = await store.systemReadPosition(userId);
    yield rows.map((row) => systemMessage(row, position));
    after = last.seqNo;
  }
}
