import { MessageType } from "@parley/protocol/codes";
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SqlBool,
  expressionBuilder,
} from "kysely";
import type { GroupStayTable } from "./group-tables.ts";
import type { IdRange } from "./history-page.ts";
import { isShownTo } from "./message-visibility.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { MessageTable, Tables } from "./tables.ts";

/** The condition that a person who was in the group at the time may see a group message `m`. */
export function isVisibleInGroup(userId: number): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { m: MessageTable }, "m">();
  return eb.and([isShownTo(userId), isNotRemovedByModerator(eb)]);
}

/** The condition that a moderator did not remove the sender's messages. Recall events stay: what they recall is recalled, whoever recalled it. */
export function isNotRemovedByModerator(eb: ExpressionBuilder<Tables & { m: MessageTable }, "m">) {
  return eb.or([
    eb("m.type", "=", eb.lit(MessageType.RECALL)),
    eb.not(
      eb.exists(
        eb
          .selectFrom("groupPurge as p")
          .select("p.upTo")
          .whereRef("p.groupId", "=", "m.chatId")
          .whereRef("p.userId", "=", "m.sendId")
          .whereRef("p.upTo", ">=", "m.id"),
      ),
    ),
  ]);
}

/** The id ranges in which a person sees group messages: during their stays, above the id up to which they cleared their history. */
export function visibleRanges(db: Kysely<Tables>) {
  const clearedGroup = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").select("clearedGroup").where("userId", "=", userId),
  );
  const stays = (userId: number) =>
    db.selectFrom("groupStay").select(["groupId", "fromId", "toId"]).where("userId", "=", userId);
  const staysIn = preparedQuery(db, (userId: number, groupId: number) =>
    stays(userId).where("groupId", "=", groupId).orderBy("fromId"),
  );
  const allStays = preparedQuery(db, (userId: number) => stays(userId).orderBy("groupId").orderBy("fromId"));

  const clearedUpTo = async (userId: number) => (await clearedGroup(userId)).rows[0]?.clearedGroup ?? 0;
  const rangeOf = (stay: { fromId: number; toId: number | null }, clearedUpToId: number): IdRange => ({
    from: Math.max(stay.fromId, clearedUpToId) + 1,
    to: stay.toId ?? Number.MAX_SAFE_INTEGER,
  });
  const isNotEmpty = ({ from, to }: IdRange) => from <= to;

  return {
    clearedUpTo,
    /** The ranges of all stays, including messages that the person has cleared since. */
    async ofStays(userId: number, groupId: number): Promise<IdRange[]> {
      return (await staysIn(userId, groupId)).rows.map((stay) => rangeOf(stay, 0)).filter(isNotEmpty);
    },
    /** The visible ranges in one group, ascending. */
    async inGroup(userId: number, groupId: number): Promise<IdRange[]> {
      const cleared = await clearedUpTo(userId);
      return (await staysIn(userId, groupId)).rows.map((stay) => rangeOf(stay, cleared)).filter(isNotEmpty);
    },
    /** The visible ranges in all groups, by group id. */
    async everywhere(userId: number): Promise<Map<number, IdRange[]>> {
      const cleared = await clearedUpTo(userId);
      const ranges = (await allStays(userId)).rows.map((stay) => ({
        groupId: stay.groupId,
        ...rangeOf(stay, cleared),
      }));
      return Map.groupBy(ranges.filter(isNotEmpty), (range) => range.groupId);
    },
  };
}

type Stay = "mine" | "theirs";

/** The condition that two stays overlap. A tip follows whoever comes, so that nobody who went after it has left at the same id. */
export function staysOverlap(
  eb: ExpressionBuilder<Tables & Record<Stay, GroupStayTable>, Stay>,
): Expression<SqlBool> {
  const beginsBeforeEnd = (one: Stay, other: Stay) =>
    eb.or([eb(`${other}.toId`, "is", null), eb(`${one}.fromId`, "<", eb.ref(`${other}.toId`))]);
  return eb.and([beginsBeforeEnd("mine", "theirs"), beginsBeforeEnd("theirs", "mine")]);
}

/** Whether one of the ranges contains the id. */
export function isWithin(ranges: readonly IdRange[], id: number): boolean {
  return ranges.some(({ from, to }) => id >= from && id <= to);
}
