/**
 * What was written in a group as one person was there for it. An edit is told to those whose stays in the group hold it; to everybody else
 * the message stands as they knew it: with the text of its newest edit that they were there for, or with its first text.
 */
import { MessageType } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import type { GroupMessageReads } from "../../ports/group-message-store.ts";
import type { QuotedRow } from "../../ports/stored-message.ts";
import { isWithin, visibleRanges } from "./group-visibility.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** A text that stands no longer; null: it was not kept. */
interface Version {
  content: string | null;
  editedAt: number | null;
}

interface Edit {
  eventId: number;
  content: string;
  sendTime: number;
}

interface VisibleRow {
  id: number;
  groupId: number;
  type: number;
  content: string;
  editedAt: number | null;
  quote?: QuotedRow | null;
}

export function groupMessageVersions(db: Kysely<Tables>) {
  const ranges = visibleRanges(db);
  const formerGroups = preparedQuery(db, (userId: number) =>
    db
      .selectFrom("groupStay")
      .select("groupId")
      .distinct()
      .where("userId", "=", userId)
      .where("toId", "is not", null),
  );
  /** Those who were there for a message and whose stay has ended; by the members, since stays are kept by person. */
  const wherePresent = (groupId: number, id: number) =>
    db
      .selectFrom("groupMember as p")
      .innerJoin("groupStay as s", (join) =>
        join.onRef("s.userId", "=", "p.userId").onRef("s.groupId", "=", "p.groupId"),
      )
      .select("p.userId")
      .where("p.groupId", "=", groupId)
      .where("s.fromId", "<", id)
      .where("s.toId", ">=", id);
  const someFormer = preparedQuery(db, (groupId: number, id: number) => wherePresent(groupId, id).limit(1));
  const returned = preparedQuery(db, (groupId: number, id: number) =>
    wherePresent(groupId, id).where("p.quit", "=", 0),
  );

  /** The edits of each message, the oldest first; messages without any are left out. */
  async function editsOf(ids: readonly number[]): Promise<Map<number, Edit[]>> {
    const found = new Map<number, Edit[]>();
    for (const piece of inBatches(ids)) {
      const rows = await db
        .selectFrom("groupEdit as e")
        .innerJoin("groupMessage as m", "m.id", "e.eventId")
        .select(["e.targetId", "e.eventId", "m.content", "m.sendTime"])
        .where("e.targetId", "in", piece)
        .orderBy("e.eventId")
        .execute();
      for (const { targetId, ...edit } of rows) {
        const known = found.get(targetId);
        if (known === undefined) found.set(targetId, [edit]);
        else known.push(edit);
      }
    }
    return found;
  }

  async function firstTextsOf(ids: readonly number[]): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    for (const piece of inBatches(ids)) {
      const rows = await db
        .selectFrom("groupFirstText")
        .select(["messageId", "content"])
        .where("messageId", "in", piece)
        .execute();
      for (const { messageId, content } of rows) found.set(messageId, content);
    }
    return found;
  }

  /** Which of these messages of a group stand otherwise for this person, and how. */
  async function formerOf(
    userId: number,
    groupId: number,
    ids: readonly number[],
  ): Promise<Map<number, Version>> {
    const found = new Map<number, Version>();
    const edits = await editsOf(ids);
    if (edits.size === 0) return found;
    const stays = await ranges.ofStays(userId, groupId);
    for (const [id, all] of edits) {
      const seen = all.filter((edit) => isWithin(stays, edit.eventId)).at(-1);
      if (seen === all.at(-1)) continue;
      found.set(id, { content: seen?.content ?? null, editedAt: seen?.sendTime ?? null });
    }
    const first = await firstTextsOf(
      [...found].filter(([, version]) => version.editedAt === null).map(([id]) => id),
    );
    for (const [id, content] of first) found.set(id, { content, editedAt: null });
    return found;
  }

  return {
    /** Rows and their quotes with the texts that this person was there for. */
    async asSeen<Row extends VisibleRow>(userId: number, rows: readonly Row[]): Promise<Row[]> {
      const asked = new Map<number, Set<number>>();
      for (const { id, groupId, editedAt, quote } of rows) {
        const ids = asked.get(groupId) ?? new Set<number>();
        if (editedAt !== null) ids.add(id);
        if (quote?.type === MessageType.TEXT) ids.add(quote.id);
        if (ids.size > 0) asked.set(groupId, ids);
      }
      const found = new Map<number, Version>();
      if (asked.size > 0) {
        // Nobody but those who have once left has missed an edit of what they see.
        for (const { groupId } of (await formerGroups(userId)).rows) {
          const ids = asked.get(groupId);
          if (ids === undefined) continue;
          for (const [id, version] of await formerOf(userId, groupId, [...ids])) found.set(id, version);
        }
      }
      if (found.size === 0) return [...rows];
      return rows.map((row) => withVersions(row, found));
    },

    /** Before a message of a group has another text: keeps its first one for those who were there for it and are out of reach now. */
    async keepFirstText({
      id,
      groupId,
      content,
    }: Pick<VisibleRow, "id" | "groupId" | "content">): Promise<void> {
      const isMissed = (await someFormer(groupId, id)).rows.length > 0;
      if (!isMissed) return;
      await db
        .insertInto("groupFirstText")
        .values({ messageId: id, content })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async forgetFirstText(id: number): Promise<void> {
      await db.deleteFrom("groupFirstText").where("messageId", "=", id).execute();
    },

    async listGroupFormerTexts(
      groupId: number,
      id: number,
    ): Promise<{ userId: number; content: string | null }[]> {
      const people: { userId: number; content: string | null }[] = [];
      if ((await editsOf([id])).size === 0) return people;
      for (const { userId } of (await returned(groupId, id)).rows) {
        const version = (await formerOf(userId, groupId, [id])).get(id);
        if (version !== undefined) people.push({ userId, content: version.content });
      }
      return people;
    },
  } satisfies Pick<GroupMessageReads, "listGroupFormerTexts"> & Record<string, unknown>;
}

function withVersions<Row extends VisibleRow>(row: Row, found: ReadonlyMap<number, Version>): Row {
  const own = row.editedAt === null ? undefined : found.get(row.id);
  const quoted = row.quote ? found.get(row.quote.id) : undefined;
  if (own === undefined && quoted === undefined) return row;
  return {
    ...row,
    ...(own && { editedAt: own.editedAt, ...textOf(own) }),
    ...(quoted && row.quote && { quote: { ...row.quote, ...textOf(quoted) } }),
  };
}

function textOf({ content }: Version): { content: string; type?: number } {
  return content === null ? { content: "", type: MessageType.TIP_TEXT } : { content };
}
