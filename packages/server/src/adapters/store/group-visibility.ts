import { MessageType } from "@parley/protocol/codes";
import type { ExpressionBuilder, Kysely } from "kysely";
import type { GroupMessageTable } from "./group-tables.ts";
import type { IdRange } from "./history-page.ts";
import { preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Everything that keeps a row `m` from a person who was in the group when it was written. */
export function isVisibleInGroup(
  userId: number,
): (eb: ExpressionBuilder<Tables & { m: GroupMessageTable }, "m">) => ReturnType<typeof eb.and> {
  return (eb) =>
    eb.and([
      eb.or([eb("m.onlyFor", "is", null), eb("m.onlyFor", "=", userId)]),
      isNotRemovedByModerator(eb),
      eb.not(
        eb.exists(
          eb
            .selectFrom("hiddenGroup as h")
            .select("h.messageId")
            .where("h.ownerId", "=", userId)
            .whereRef("h.messageId", "=", "m.id"),
        ),
      ),
    ]);
}

/** Its sender was not removed with all that he wrote. That somebody's message was recalled stays true, whoever has done it. */
export function isNotRemovedByModerator(eb: ExpressionBuilder<Tables & { m: GroupMessageTable }, "m">) {
  return eb.or([
    eb("m.type", "=", eb.lit(MessageType.RECALL)),
    eb.not(
      eb.exists(
        eb
          .selectFrom("groupPurge as p")
          .select("p.upTo")
          .whereRef("p.groupId", "=", "m.groupId")
          .whereRef("p.userId", "=", "m.sendId")
          .whereRef("p.upTo", ">=", "m.id"),
      ),
    ),
  ]);
}

/** Where a person sees anything: while a member, above the cleared mark. */
export function visibleRanges(db: Kysely<Tables>) {
  const cleared = preparedQuery(db, (userId: number) =>
    db.selectFrom("userState").select("clearedGroup").where("userId", "=", userId),
  );
  const stays = (userId: number) =>
    db.selectFrom("groupStay").select(["groupId", "fromId", "toId"]).where("userId", "=", userId);
  const staysIn = preparedQuery(db, (userId: number, groupId: number) =>
    stays(userId).where("groupId", "=", groupId).orderBy("fromId"),
  );
  const allStays = preparedQuery(db, (userId: number) => stays(userId).orderBy("groupId").orderBy("fromId"));

  const clearedUpTo = async (userId: number) => (await cleared(userId)).rows[0]?.clearedGroup ?? 0;
  const rangeOf = (stay: { fromId: number; toId: number | null }, mark: number): IdRange => ({
    from: Math.max(stay.fromId, mark) + 1,
    to: stay.toId ?? Number.MAX_SAFE_INTEGER,
  });
  const isNotEmpty = ({ from, to }: IdRange) => from <= to;

  return {
    clearedUpTo,
    /** Also what was cleared since. */
    async ofStays(userId: number, groupId: number): Promise<IdRange[]> {
      return (await staysIn(userId, groupId)).rows.map((stay) => rangeOf(stay, 0)).filter(isNotEmpty);
    },
    /** Ascending. */
    async inGroup(userId: number, groupId: number): Promise<IdRange[]> {
      const mark = await clearedUpTo(userId);
      return (await staysIn(userId, groupId)).rows.map((stay) => rangeOf(stay, mark)).filter(isNotEmpty);
    },
    async everywhere(userId: number): Promise<Map<number, IdRange[]>> {
      const mark = await clearedUpTo(userId);
      const found = new Map<number, IdRange[]>();
      for (const { groupId, ...stay } of (await allStays(userId)).rows) {
        const range = rangeOf(stay, mark);
        if (!isNotEmpty(range)) continue;
        const known = found.get(groupId);
        if (known === undefined) found.set(groupId, [range]);
        else known.push(range);
      }
      return found;
    },
  };
}

export function isWithin(ranges: readonly IdRange[], id: number): boolean {
  return ranges.some(({ from, to }) => id >= from && id <= to);
}
