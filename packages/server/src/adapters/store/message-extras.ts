import { TALLY_FIRST_MAX } from "@parley/protocol/limits";
import type { MessageExtra, OwnExtra, Tally, TallyKind } from "@parley/protocol/message-extra";
import type { Poll } from "@parley/protocol/poll";
import type { Kysely } from "kysely";
import type { RowOf } from "../../ports/message-store.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import type {
  ChosenKey,
  MessageExtraReads,
  MessageExtraWrites,
  SeenExtra,
} from "../../ports/message-extra-store.ts";
import { targetOfRow } from "./message-rows.ts";
import { inBatches, preparedListQuery, preparedQuery } from "./prepared-query.ts";
import type { MessageExtraTable, Tables } from "./tables.ts";
import { type Visibility, visibilities, visibleRows } from "./visibility.ts";

/** What everybody sees of an extra, as the table has it. */
type State = Omit<MessageExtra, "v" | "mine">;

type StoredExtra = Pick<MessageExtraTable, "messageId" | "v" | "state">;

/** This adapter wrote the text from this type. */
const parseState = (state: string): State => JSON.parse(state) as State;

/** Reads extras. */
export function messageExtraReads(db: Kysely<Tables>): MessageExtraReads {
  const chats = visibilities(db);
  const visible = [visibleRows(db, "PRIVATE", chats.PRIVATE), visibleRows(db, "GROUP", chats.GROUP)];
  const pinned: { [Kind in ChatKind]: ReturnType<typeof pinnedRows<Kind>> } = {
    PRIVATE: pinnedRows(db, "PRIVATE", chats.PRIVATE),
    GROUP: pinnedRows(db, "GROUP", chats.GROUP),
  };
  const pinCount = preparedQuery(db, (messageId: number) =>
    db
      .selectFrom("messagePin")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("chatId", "=", (eb) => eb.selectFrom("message").select("chatId").where("id", "=", messageId)),
  );
  const ownOf = ownExtras(db);
  const newest = newestVersion(db);

  const changed = preparedQuery(db, (userId: number, since: number, limit: number) =>
    db
      .selectFrom("messageExtra as e")
      .select(["e.messageId", "e.v", "e.state"])
      .where((eb) =>
        eb.or([
          eb("e.chatId", "in", eb.selectFrom("privateChat").select("chatId").where("ownerId", "=", userId)),
          eb("e.chatId", "in", eb.selectFrom("groupStay").select("groupId").where("userId", "=", userId)),
        ]),
      )
      .where("e.v", ">", since)
      .orderBy("e.v")
      .limit(limit),
  );
  const after = preparedQuery(db, (version: number, limit: number) =>
    db
      .selectFrom("messageExtra")
      .select(["messageId as id", "v"])
      .where("v", ">", version)
      .orderBy("v")
      .limit(limit),
  );
  const tally = preparedQuery(
    db,
    (messageId: number, kind: string, key: string, after: number, limit: number) =>
      db
        .selectFrom("messageTally")
        .select(["userId", "v", "at"])
        .where("messageId", "=", messageId)
        .where("kind", "=", kind)
        .where("key", "=", key)
        .where("v", ">", after)
        .orderBy("v")
        .limit(limit),
  );

  const duePolls = preparedQuery(db, (now: number, limit: number) =>
    db
      .selectFrom("pollEnd")
      .select("messageId")
      .where("closesAt", "<=", now)
      .orderBy("closesAt")
      .limit(limit),
  );

  /** Those of these extras whose messages the person sees and that are not recalled. */
  async function seenOf(userId: number, rows: readonly StoredExtra[]): Promise<SeenExtra[]> {
    const ids = rows.map(({ messageId }) => messageId);
    const messages = (await Promise.all(visible.map((of) => of(userId, ids)))).flat();
    const seen = new Map(messages.map((row) => [row.id, row]));
    const own = await ownOf(userId, [...seen.keys()]);
    return rows.flatMap((row): SeenExtra[] => {
      const message = seen.get(row.messageId);
      if (message === undefined || message.noticeId !== null) return [];
      const extra = toExtra(row, own.get(row.messageId));
      return [{ ...targetOfRow(userId, message), id: row.messageId, extra }];
    });
  }

  const find = preparedListQuery(db, (ids: readonly number[]) =>
    db
      .selectFrom("messageExtra")
      .select(["messageId", "v", "state"])
      .where("messageId", "in", [...ids])
      .orderBy("messageId"),
  );

  return {
    newestExtra: newest,
    listExtrasAfter: async (version, limit) => (await after(version, limit)).rows,

    async listExtras(userId, ids) {
      const states = await find(ids);
      const own = await ownOf(
        userId,
        states.map(({ messageId }) => messageId),
      );
      return new Map(states.map((row) => [row.messageId, toExtra(row, own.get(row.messageId))]));
    },

    async listExtraChanges(userId, since, limit) {
      // The version is read first: what changes during these reads is reported, and once more next time, and never missed.
      const upTo = await newest();
      const changes: SeenExtra[] = [];
      // A version that was never given: the database was restored.
      let next = since > upTo ? 0 : since;
      // A page of which the person does not see everything is filled up: the caller takes a short one for the last.
      for (let isLast = next >= upTo; !isLast && changes.length < limit;) {
        const { rows } = await changed(userId, next, limit);
        changes.push(...(await seenOf(userId, rows)));
        isLast = rows.length < limit;
        next = isLast ? Math.max(next, upTo) : (rows.at(-1)?.v ?? next);
      }
      const following = changes[limit];
      if (following === undefined) return { changes, next };
      return { changes: changes.slice(0, limit), next: following.extra.v - 1 };
    },

    listTally: async (kind, messageId, key, after, limit) =>
      (await tally(messageId, kind, key, after, limit)).rows,

    listDuePolls: async (now, limit) => (await duePolls(now, limit)).rows.map(({ messageId }) => messageId),
    countPins: async (messageId) => (await pinCount(messageId)).rows[0]?.count ?? 0,
    listPins: (kind, userId, targetId) => pinned[kind](userId, targetId),
  };
}

/** Reads the pinned messages of chats of one kind. */
function pinnedRows<Kind extends ChatKind>(db: Kysely<Tables>, kind: Kind, visibility: Visibility<Kind>) {
  const visible = visibleRows(db, kind, visibility);
  const inChat = preparedQuery(db, (userId: number, targetId: number) => {
    const privateChat = db
      .selectFrom("privateChat")
      .select("chatId")
      .where("ownerId", "=", userId)
      .where("peerId", "=", targetId);
    return db
      .selectFrom("messagePin")
      .select("messageId as id")
      .where("chatId", kind === "GROUP" ? "=" : "in", kind === "GROUP" ? targetId : privateChat)
      .orderBy("v", "desc");
  });
  return async (userId: number, targetId: number): Promise<{ rows: RowOf<Kind>[]; unseen: number }> => {
    const ids = (await inChat(userId, targetId)).rows.map(({ id }) => id);
    const rows = await visibility.toRows(userId, await visible(userId, ids));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return { rows: ids.flatMap((id) => byId.get(id) ?? []), unseen: ids.length - rows.length };
  };
}

/** Writes extras. */
export function messageExtraWrites(db: Kysely<Tables>): MessageExtraWrites {
  const newest = newestVersion(db);
  const insertChoice = preparedQuery(
    db,
    (messageId: number, userId: number, kind: string, key: string, v: number, at: number) =>
      db.insertInto("messageTally").values({ messageId, userId, kind, key, v, at }),
  );
  const deleteChoice = preparedQuery(db, (messageId: number, userId: number, kind: string, key: string) =>
    db
      .deleteFrom("messageTally")
      .where("messageId", "=", messageId)
      .where("userId", "=", userId)
      .where("kind", "=", kind)
      .where("key", "=", key),
  );
  const firstOf = preparedQuery(db, (messageId: number, kind: string, key: string) =>
    db
      .selectFrom("messageTally")
      .select("userId")
      .where("messageId", "=", messageId)
      .where("kind", "=", kind)
      .where("key", "=", key)
      .orderBy("v")
      .limit(TALLY_FIRST_MAX),
  );
  const insertExtra = preparedQuery(db, (messageId: number, v: number, state: string) =>
    db
      .insertInto("messageExtra")
      .columns(["messageId", "chatId", "v", "state"])
      .expression((eb) =>
        eb
          .selectFrom("message")
          .select((row) => ["id", "chatId", row.val(v).as("v"), row.val(state).as("state")])
          .where("id", "=", messageId),
      ),
  );
  const choicesOf = preparedQuery(db, (messageId: number, kind: string) =>
    db
      .selectFrom("messageTally")
      .select(["userId", "key"])
      .where("messageId", "=", messageId)
      .where("kind", "=", kind)
      .orderBy("v"),
  );
  const deletePollEnd = preparedQuery(db, (messageId: number) =>
    db.deleteFrom("pollEnd").where("messageId", "=", messageId),
  );
  const insertPin = preparedQuery(db, (messageId: number, v: number) =>
    db
      .insertInto("messagePin")
      .columns(["messageId", "chatId", "v"])
      .expression((eb) =>
        eb
          .selectFrom("message")
          .select((row) => ["id", "chatId", row.val(v).as("v")])
          .where("id", "=", messageId),
      ),
  );
  const updateExtra = preparedQuery(db, (messageId: number, v: number, state: string) =>
    db.updateTable("messageExtra").set({ v, state }).where("messageId", "=", messageId),
  );

  async function withChoice(tallies: readonly Tally[], choice: ChosenKey): Promise<Tally[]> {
    const { kind, messageId, userId, key, on } = choice;
    const before = tallies.find((one) => one.key === key);
    if (before === undefined) return [...tallies, { key, count: 1, first: [userId] }];
    const count = before.count + (on ? 1 : -1);
    if (count === 0) return tallies.filter((one) => one !== before);
    const isFirstChanged = on ? before.first.length < TALLY_FIRST_MAX : before.first.includes(userId);
    const first = isFirstChanged
      ? (await firstOf(messageId, kind, key)).rows.map((row) => row.userId)
      : before.first;
    return tallies.map((one) => (one === before ? { key, count, first } : one));
  }

  /** Stores the state that a change makes of an extra, and returns the extra after it. */
  async function store(
    messageId: number,
    before: MessageExtra | undefined,
    change: (before: State, v: number) => Promise<State>,
  ): Promise<MessageExtra & { mine: OwnExtra }> {
    const v = (await newest()) + 1;
    const { v: _, mine = {}, ...stateBefore } = before ?? { v };
    const state = await change(stateBefore, v);
    const write = before === undefined ? insertExtra : updateExtra;
    await write(messageId, v, JSON.stringify(state));
    return { v, ...state, mine };
  }

  /** The state of a poll, with the votes as everybody may see them. */
  async function withVotes({ votes: _, ...state }: State, messageId: number, poll: Poll): Promise<State> {
    const choices = (await choicesOf(messageId, "votes")).rows;
    const counted: State = {
      ...state,
      poll: { ...poll, voters: new Set(choices.map((one) => one.userId)).size },
    };
    if (choices.length === 0 || (poll.hidden && poll.closedAt === undefined)) return counted;
    const byKey = [...Map.groupBy(choices, ({ key }) => key)];
    const votes = byKey.map(([key, people]): Tally => {
      const first = poll.secret ? [] : people.slice(0, TALLY_FIRST_MAX).map(({ userId }) => userId);
      return { key, count: people.length, first };
    });
    return { ...counted, votes };
  }

  return {
    async changeTally(choice, before) {
      const { kind, messageId, userId, key, on, at } = choice;
      const { mine, ...extra } = await store(messageId, before, async (state, v) => {
        if (on) await insertChoice(messageId, userId, kind, key, v, at);
        else await deleteChoice(messageId, userId, kind, key);
        return { ...state, [kind]: await withChoice(state[kind] ?? [], choice) };
      });
      const others = (mine[kind] ?? []).filter((one) => one !== key);
      const { [kind]: _, ...otherKinds } = mine;
      const keys = on ? [...others, key] : others;
      return { ...extra, mine: { ...otherKinds, ...(keys.length > 0 && { [kind]: keys }) } };
    },

    setPin: (messageId, pin, before) =>
      store(messageId, before, async ({ pin: _, ...state }, v) => {
        await db.deleteFrom("messagePin").where("messageId", "=", messageId).execute();
        if (pin === null) return state;
        await insertPin(messageId, v);
        return { ...state, pin };
      }),

    createPoll: (messageId, poll) =>
      store(messageId, undefined, async () => {
        if (poll.closesAt !== undefined)
          await db.insertInto("pollEnd").values({ messageId, closesAt: poll.closesAt }).execute();
        return { poll };
      }),

    async setVotes({ messageId, userId, options, at }, before) {
      const mine = before.mine?.votes ?? [];
      const { mine: ownBefore, ...extra } = await store(messageId, before, async (state, v) => {
        for (const key of mine)
          if (!options.includes(key)) await deleteChoice(messageId, userId, "votes", key);
        for (const key of options)
          if (!mine.includes(key)) await insertChoice(messageId, userId, "votes", key, v, at);
        return withVotes(state, messageId, pollOf(state, messageId));
      });
      const { votes: _, ...otherKinds } = ownBefore;
      return { ...extra, mine: { ...otherKinds, ...(options.length > 0 && { votes: [...options] }) } };
    },

    changePoll: (messageId, poll, before) =>
      store(messageId, before, (state) => Promise.resolve({ ...state, poll })),

    closePoll: (messageId, at, before) =>
      store(messageId, before, async (state) => {
        await deletePollEnd(messageId);
        return withVotes(state, messageId, { ...pollOf(state, messageId), closedAt: at });
      }),
  };
}

/** The poll of a state. Throws if there is none. */
function pollOf({ poll }: State, messageId: number): Poll {
  if (poll === undefined) throw new Error(`the message ${messageId} is no poll`);
  return poll;
}

/** Removes what people did to a message that is recalled. The version stays, so that no other extra gets it again. */
export function extraRemoval(db: Kysely<Tables>): (messageId: number) => Promise<void> {
  return async (messageId) => {
    await db.deleteFrom("messageTally").where("messageId", "=", messageId).execute();
    await db.deleteFrom("messagePin").where("messageId", "=", messageId).execute();
    await db.deleteFrom("pollEnd").where("messageId", "=", messageId).execute();
    await db.updateTable("messageExtra").set({ state: "{}" }).where("messageId", "=", messageId).execute();
  };
}

/** Unpins what a member has written in a group, which nobody sees any more. */
export function memberUnpinning(db: Kysely<Tables>): (groupId: number, userId: number) => Promise<void> {
  return async (groupId, userId) => {
    const theirs = db
      .selectFrom("messagePin as p")
      .innerJoin("message as m", "m.id", "p.messageId")
      .select("p.messageId")
      .where("p.chatId", "=", groupId)
      .where("m.sendId", "=", userId);
    await db.deleteFrom("messagePin").where("messageId", "in", theirs).execute();
  };
}

function toExtra({ v, state }: StoredExtra, mine: OwnExtra | undefined): MessageExtra {
  return { v, ...parseState(state), mine: mine ?? {} };
}

/** The highest version of an extra. */
function newestVersion(db: Kysely<Tables>): () => Promise<number> {
  const find = preparedQuery(db, () =>
    db.selectFrom("messageExtra").select("v").orderBy("v", "desc").limit(1),
  );
  return async () => (await find()).rows[0]?.v ?? 0;
}

/** What one person did to messages, by message, in the order in which they did it. */
function ownExtras(
  db: Kysely<Tables>,
): (userId: number, ids: readonly number[]) => Promise<Map<number, OwnExtra>> {
  const query = (userId: number) =>
    db
      .selectFrom("messageTally")
      .select(["messageId", "kind", "key"])
      .where("userId", "=", userId)
      .orderBy("v");
  const ofMessage = preparedQuery(db, (userId: number, messageId: number) =>
    query(userId).where("messageId", "=", messageId),
  );
  async function find(userId: number, ids: readonly number[]) {
    const [first] = ids;
    if (first !== undefined && ids.length === 1) return (await ofMessage(userId, first)).rows;
    const rows: { messageId: number; kind: string; key: string }[] = [];
    for (const batch of inBatches(ids))
      rows.push(...(await query(userId).where("messageId", "in", batch).execute()));
    return rows;
  }
  return async (userId, ids) => {
    const own = new Map<number, OwnExtra>();
    for (const { messageId, kind, key } of await find(userId, ids)) {
      const before = own.get(messageId) ?? {};
      own.set(messageId, { ...before, [kind]: [...(before[kind as TallyKind] ?? []), key] });
    }
    return own;
  };
}
