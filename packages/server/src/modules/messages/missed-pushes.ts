/**
 * Finds messages that were stored but not pushed on this node, and pushes them. A node may die between its commit and its push, get no answer
 * to the commit, or fail to read what the push needs, and the bus may lose events. Ids are in the order of the commits, and every push names
 * the id of its message. So a message was missed if it is old enough for its push to have arrived and its id was not seen. If the push was
 * only late, clients merge by id. The versions of extras are in the order of the commits as well.
 */
import { ChatType, Cmd, MessageType } from "@parley/protocol/codes";
import type { Capability } from "@parley/protocol/frame";
import { CHANGED_PEOPLE } from "@parley/protocol/message";
import type { Language } from "../../api/language.ts";
import {
  changesFrame,
  contentOfFrame,
  extraVersionOfFrame,
  frameOf,
  frameOfJson,
} from "../../delivery/delivery.ts";
import type { Bus, BusEvent } from "../../ports/bus.ts";
import type { GroupMessageReads } from "../../ports/group-message-store.ts";
import type { MissedPushReads, SeenMessage } from "../../ports/missed-push-store.ts";
import type { MessageExtraReads } from "../../ports/message-extra-store.ts";
import type { MessageReads } from "../../ports/message-store.ts";
import type { SystemMessageReads } from "../../ports/system-message-store.ts";
import { systemMessage } from "../../presenters/message-presenter.ts";
import type { ChatStrategies } from "./chat-strategy.ts";

/** Ids that are read at once. A sweep reads as many times as it must, or it would fall behind a server that stores more. */
const IDS_MAX = 2_000;
/** After a gap of the bus, contacts are loaded again when it has been quiet for so long: a bus that is away reports gaps again and again. */
const QUIET_MS = 12_000;
/** How long before a gap was noticed its first push may have been lost, and a change may have been seen late. */
const NOTICE_MS = 20_000;
/** The feed of changes, and what it does not contain, concern clients that know it. */
const FEED: Capability = "changes";
/** The signals that tell of something in the feed. Others, such as those of calls, would hide that one of these was lost. */
const FEED_SIGNALS: ReadonlySet<number> = new Set([
  MessageType.READED,
  MessageType.RECEIPT,
  MessageType.GROUP_KICK_USER_MSG,
  MessageType.CHANGES,
]);

export interface MissedPushesDeps extends ChatStrategies {
  store: MissedPushReads &
    Pick<MessageExtraReads, "newestExtra" | "listExtrasAfter"> &
    MessageReads &
    GroupMessageReads &
    SystemMessageReads;
  bus: Bus;
  /** The people with a socket on this node. */
  connectedUsers(): readonly number[];
  /** Sends to the sockets of these people on this node. */
  send(userIds: readonly number[], frame: string, capability?: Capability): void;
  /** The language of pushes. */
  defaultLanguage: Language;
  /** Epoch milliseconds. */
  now(): number;
}

/** Pushes what this node has missed. */
export interface MissedPushes {
  /** Call it every two seconds. Clients pull what was stored before the first call. */
  sweep(): Promise<void>;
}

/** What is known of the messages of one kind, or of the extras of all messages, which are counted by their versions. */
interface Sequence {
  /** Everything up to this id is done. */
  doneUpTo: number;
  /** The newest id at the last sweep: what is not above it was stored before that, so its push should have arrived. */
  newest: number;
  /** Ids above `doneUpTo` whose push was heard. */
  heard: Set<number>;
}

const EXTRAS = "extras";
type SequenceName = ChatType | typeof EXTRAS;

/** What is known of a person's changes. */
interface KnownChanges {
  last: number;
  /** Changes at the last sweep for which no push was heard until then. */
  unheard: number;
  /** Pushes since the last sweep that may have told of a change. */
  pushes: number;
  /** When the last change was seen (epoch ms). */
  changedAt: number;
}

/** Creates the search; it does nothing before the first sweep. */
export function createMissedPushes(deps: MissedPushesDeps): MissedPushes {
  const { store, bus, connectedUsers, send, now } = deps;
  const sequences = new Map<SequenceName, Sequence>();
  const hear = (sequence: Sequence | undefined, id: number): boolean => {
    const isNew = sequence !== undefined && id > sequence.doneUpTo && !sequence.heard.has(id);
    if (isNew) sequence.heard.add(id);
    return isNew;
  };
  const changes = new Map<number, KnownChanges>();
  /** Since when nobody knows which pushes of changes were lost (epoch ms); Infinity: it is known. */
  let doubtfulSince = Infinity;
  /** When everybody loads their contacts again; Infinity: nothing was lost. */
  let reloadAt = Infinity;

  const onPush = ({ audience, frame }: Extract<BusEvent, { kind: "push" }>): void => {
    // A server on SQLite does not sweep.
    if (sequences.size === 0) return;
    const content = contentOfFrame(frame);
    if (content === undefined) return;
    if ("signal" in content) {
      if (content.signal === MessageType.EXTRA) {
        const version = extraVersionOfFrame(frame);
        if (version !== undefined) hear(sequences.get(EXTRAS), version);
        return;
      }
      if (!FEED_SIGNALS.has(content.signal)) return;
    } else {
      const isNew = hear(sequences.get(content.chat), content.id);
      // A message is no change. One of the system chat that is pushed again tells of one.
      if (isNew || content.chat !== ChatType.SYSTEM) return;
    }
    for (const userId of audience.userIds) {
      const known = changes.get(userId);
      if (known !== undefined) known.pushes++;
    }
  };
  bus.subscribe((event) => {
    if (event.kind === "push") onPush(event);
    else if (event.kind === "interrupted") {
      doubtfulSince = Math.min(doubtfulSince, now() - event.gapMs - NOTICE_MS);
      reloadAt = now() + QUIET_MS;
    }
  });

  const pushMissed = createPushMissed(deps);

  /** Calls `onMissed` for what is old enough and was not heard; `listAfter` reads what follows an id, ascending. */
  const sweepSequence = async <Item>(
    name: SequenceName,
    newest: number,
    listAfter: (after: number) => Promise<Item[]>,
    idOf: (item: Item) => number,
    onMissed: (missed: readonly Item[]) => Promise<void>,
  ): Promise<void> => {
    const sequence = sequences.get(name);
    if (sequence === undefined)
      return void sequences.set(name, { doneUpTo: newest, newest, heard: new Set() });
    const { heard } = sequence;
    const upTo = sequence.newest;
    sequence.newest = newest;
    while (sequence.doneUpTo < upTo) {
      const items = await listAfter(sequence.doneUpTo);
      const missed = items.filter((item) => idOf(item) <= upTo && !heard.has(idOf(item)));
      if (missed.length > 0) await onMissed(missed);
      const last = items.at(-1);
      sequence.doneUpTo = last === undefined ? upTo : Math.min(idOf(last), upTo);
    }
    for (const id of heard) if (id <= upTo) heard.delete(id);
  };

  const sweepMessages = async (type: ChatType, userIds: readonly number[]): Promise<void> =>
    sweepSequence(
      type,
      await store.newestIdOf(type),
      (after) => store.listIdsAfter(type, after, IDS_MAX),
      (id) => id,
      async (ids) => {
        if (userIds.length > 0) await pushMissed[type](ids, userIds);
      },
    );

  /** Who sees a message loads its extra from the feed, because only that tells each person what they themselves did. */
  const sweepExtras = async (userIds: readonly number[]): Promise<void> =>
    sweepSequence(
      EXTRAS,
      await store.newestExtra(),
      (after) => store.listExtrasAfter(after, IDS_MAX),
      ({ v }) => v,
      async (missed) => {
        const ids = missed.map(({ id }) => id);
        const readers = new Set<number>();
        for (const kind of [ChatType.PRIVATE, ChatType.GROUP] as const)
          for (const { userId } of await store.listSeenBy(kind, ids, userIds)) readers.add(userId);
        for (const userId of readers) send([userId], changesFrame(userId, ""), FEED);
      },
    );

  const sweepChanges = async (userIds: readonly number[]): Promise<void> => {
    const since = doubtfulSince;
    doubtfulSince = Infinity;
    const pushesBefore = new Map(userIds.map((userId) => [userId, changes.get(userId)?.pushes ?? 0]));
    const lastChanges = await store.lastChangesOf(userIds);
    const missed: number[] = [];
    for (const userId of userIds) {
      const last = lastChanges.get(userId) ?? 0;
      const known = changes.get(userId) ?? { last, unheard: 0, pushes: 0, changedAt: now() };
      changes.set(userId, known);
      if (last !== known.last) known.changedAt = now();
      const heard = pushesBefore.get(userId) ?? 0;
      if (known.changedAt >= since) {
        // Whatever was heard, the push of a change may be among those that were lost.
        missed.push(userId);
        known.unheard = 0;
      } else {
        if (known.unheard > heard) missed.push(userId);
        // What was heard beyond the earlier changes told of new ones.
        const unused = Math.max(0, heard - known.unheard);
        known.unheard = Math.max(0, last - known.last - unused);
      }
      known.last = last;
      known.pushes -= heard;
    }
    if (changes.size > userIds.length) {
      const connected = new Set(userIds);
      for (const userId of changes.keys()) if (!connected.has(userId)) changes.delete(userId);
    }
    for (const userId of missed) send([userId], changesFrame(userId, ""), FEED);
  };

  const reloadContacts = (userIds: readonly number[]): void => {
    if (now() < reloadAt) return;
    reloadAt = Infinity;
    for (const userId of userIds) send([userId], changesFrame(userId, CHANGED_PEOPLE), FEED);
  };

  return {
    async sweep() {
      const userIds = connectedUsers();
      for (const type of [ChatType.PRIVATE, ChatType.GROUP, ChatType.SYSTEM] as const)
        await sweepMessages(type, userIds);
      await sweepExtras(userIds);
      await sweepChanges(userIds);
      reloadContacts(userIds);
    },
  };
}

type PushMissed = Record<ChatType, (ids: readonly number[], userIds: readonly number[]) => Promise<void>>;

/** Pushes messages to those of these people who see them, in the current state of the messages. */
function createPushMissed({
  store,
  privateChats,
  groupChats,
  send,
  defaultLanguage,
}: MissedPushesDeps): PushMissed {
  const byPerson = (seen: readonly SeenMessage[]) => Map.groupBy(seen, ({ userId }) => userId);
  const idsOf = (seen: readonly SeenMessage[]) => [...new Set(seen.map(({ id }) => id))];
  const byId = <Row extends { readonly id: number }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [row.id, row]));

  return {
    async PRIVATE(ids, userIds) {
      const seen = await store.listSeenBy(ChatType.PRIVATE, ids, userIds);
      const found = byId(await store.findMessages(ChatType.PRIVATE, idsOf(seen)));
      for (const [userId, messages] of byPerson(seen)) {
        const rows = messages.flatMap(({ id }) => found.get(id) ?? []);
        for (const message of await privateChats.view(userId, rows, defaultLanguage))
          send([userId], frameOf(Cmd.PRIVATE, message));
      }
    },

    async GROUP(ids, userIds) {
      const seen = await store.listSeenBy(ChatType.GROUP, ids, userIds);
      const found = byId(await store.findMessages(ChatType.GROUP, idsOf(seen)));
      const own: SeenMessage[] = [];
      for (const [id, readers] of Map.groupBy(seen, (one) => one.id)) {
        const row = found.get(id);
        // What somebody sees of a quote depends on their stays. Everything else is the same for all.
        if (row === undefined || row.quote !== null) own.push(...readers);
        else {
          const frame = frameOfJson(Cmd.GROUP, JSON.stringify(groupChats.viewNew(row, defaultLanguage)));
          send(
            readers.map(({ userId }) => userId),
            frame,
          );
        }
      }
      for (const [userId, messages] of byPerson(own)) {
        const rows = await store.listGroupMessages(
          userId,
          messages.map(({ id }) => id),
        );
        for (const message of await groupChats.view(userId, rows, defaultLanguage))
          send([userId], frameOf(Cmd.GROUP, message));
      }
    },

    async SYSTEM(ids, userIds) {
      const connected = new Set(userIds);
      for (const id of ids) {
        const row = await store.findSystem(id);
        if (row === undefined || !connected.has(row.userId)) continue;
        const position = await store.systemReadPosition(row.userId);
        send([row.userId], frameOf(Cmd.SYSTEM, systemMessage(row, position)));
      }
    },
  };
}
