/**
 * Group messages with the text that one person may see. An edit reaches only people whose stays in the group contain it. Everybody else sees
 * the text of the newest edit made during their stays, or the first text.
 */
import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import type { Kysely } from "kysely";
import type { GroupMessageReads } from "../../ports/group-message-store.ts";
import type { QuotedRow } from "../../ports/stored-message.ts";
import { endedStaysOver, groupFirstTexts } from "./group-first-texts.ts";
import { isWithin, visibleRanges } from "./group-visibility.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** An earlier text of a message. */
interface Version {
  /** null: it was not stored. */
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

/** Reads earlier texts of edited group messages. */
export function groupMessageVersions(db: Kysely<Tables>) {
  const ranges = visibleRanges(db);
  const firstTexts = groupFirstTexts(db);
  const formerGroups = preparedQuery(db, (userId: number) =>
    db
      .selectFrom("groupStay")
      .select("groupId")
      .distinct()
      .where("userId", "=", userId)
      .where("toId", "is not", null),
  );
  const rejoined = preparedQuery(db, (groupId: number, id: number) =>
    endedStaysOver(db, groupId, id).where("p.quit", "=", 0),
  );

  /** The edits of each message, oldest first; messages without edits are left out. */
  async function editsOf(ids: readonly number[]): Promise<Map<number, Edit[]>> {
    const edits: (Edit & { targetId: number })[] = [];
    for (const batch of inBatches(ids)) {
      const rows = await db
        .selectFrom("messageEdit as e")
        .innerJoin("message as m", "m.id", "e.eventId")
        .select(["e.targetId", "e.eventId", "m.content", "m.sendTime"])
        .where("e.targetId", "in", batch)
        .orderBy("e.eventId")
        .execute();
      edits.push(...rows);
    }
    return Map.groupBy(edits, (edit) => edit.targetId);
  }

  /** The earlier versions that this person sees of these messages, for those that have a newer text. */
  async function earlierVersions(
    userId: number,
    groupId: number,
    ids: readonly number[],
  ): Promise<Map<number, Version>> {
    const versions = new Map<number, Version>();
    const edits = await editsOf(ids);
    if (edits.size === 0) return versions;
    const stays = await ranges.ofStays(userId, groupId);
    for (const [id, all] of edits) {
      const lastSeen = all.filter((edit) => isWithin(stays, edit.eventId)).at(-1);
      if (lastSeen === all.at(-1)) continue;
      versions.set(id, { content: lastSeen?.content ?? null, editedAt: lastSeen?.sendTime ?? null });
    }
    const unedited = [...versions].filter(([, version]) => version.editedAt === null).map(([id]) => id);
    for (const [id, content] of await firstTexts.find(unedited))
      versions.set(id, { content, editedAt: null });
    return versions;
  }

  return {
    /** Returns the rows and their quotes with the texts that this person may see. */
    async asSeen<Row extends VisibleRow>(userId: number, rows: readonly Row[]): Promise<Row[]> {
      const idsByGroup = new Map<number, Set<number>>();
      for (const { id, groupId, editedAt, quote } of rows) {
        const ids = idsByGroup.get(groupId) ?? new Set<number>();
        if (editedAt !== null) ids.add(id);
        if (quote && kindOf(quote.type)?.isEditable === true) ids.add(quote.id);
        if (ids.size > 0) idsByGroup.set(groupId, ids);
      }
      const versions = new Map<number, Version>();
      if (idsByGroup.size > 0) {
        // Only people who once left the group can have missed an edit of a message that they see.
        for (const { groupId } of (await formerGroups(userId)).rows) {
          const ids = idsByGroup.get(groupId);
          if (ids === undefined) continue;
          for (const [id, version] of await earlierVersions(userId, groupId, [...ids]))
            versions.set(id, version);
        }
      }
      if (versions.size === 0) return [...rows];
      return rows.map((row) => withVersions(row, versions));
    },

    async listGroupFormerTexts(
      groupId: number,
      id: number,
    ): Promise<{ userId: number; content: string | null }[]> {
      const people: { userId: number; content: string | null }[] = [];
      if ((await editsOf([id])).size === 0) return people;
      for (const { userId } of (await rejoined(groupId, id)).rows) {
        const version = (await earlierVersions(userId, groupId, [id])).get(id);
        if (version !== undefined) people.push({ userId, content: version.content });
      }
      return people;
    },
  } satisfies Pick<GroupMessageReads, "listGroupFormerTexts"> & Record<string, unknown>;
}

function withVersions<Row extends VisibleRow>(row: Row, versions: ReadonlyMap<number, Version>): Row {
  const ownVersion = row.editedAt === null ? undefined : versions.get(row.id);
  const quotedVersion = row.quote ? versions.get(row.quote.id) : undefined;
  if (ownVersion === undefined && quotedVersion === undefined) return row;
  return {
    ...row,
    ...(ownVersion && { editedAt: ownVersion.editedAt, ...textOf(ownVersion) }),
    ...(quotedVersion && row.quote && { quote: { ...row.quote, ...textOf(quotedVersion) } }),
  };
}

function textOf({ content }: Version): { content: string; type?: number } {
  return content === null ? { content: "", type: MessageType.TIP_TEXT } : { content };
}
