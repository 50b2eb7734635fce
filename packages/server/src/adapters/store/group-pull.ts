import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { GroupMessageStore } from "../../ports/group-message-store.ts";
import { isVisibleInGroup, visibleRanges } from "./group-visibility.ts";
import type { IdRange } from "./history-page.ts";
import { preparedQuery } from "./prepared-query.ts";
import { pullStart } from "./private-message-repository.ts";
import type { Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";

/** Groups processed in one turn of the event loop. */
const GROUPS_PER_TURN = 16;
/** Ids that one statement reads. SQLite blocks the server until a statement has ended. */
const IDS_PER_TURN = 1_000;

/** Starts pulls of group messages. Ids are read from the indexes alone; the rows are read when they are pulled. */
export function groupPullReads(db: Kysely<Tables>): Pick<GroupMessageStore, "startGroupPull"> {
  const messageTimes = monotonicTime(db);
  const ranges = visibleRanges(db);
  const newest = preparedQuery(
    db,
    (userId: number, groupId: number, from: number, to: number, limit: number) =>
      db
        .selectFrom("message as m")
        .select("m.id")
        .where("m.chatId", "=", groupId)
        .where("m.id", ">=", from)
        .where("m.id", "<=", to)
        .where(isVisibleInGroup(userId))
        .orderBy("m.id", "desc")
        .limit(limit),
  );

  // At most reconnects few groups have anything new. One statement finds them; one for each group would be a round trip each.
  const groupsFrom = preparedQuery(db, (userId: number, fromId: number) =>
    db
      .selectFrom("groupStay as s")
      .select("s.groupId")
      .distinct()
      .where("s.userId", "=", userId)
      // Not `exists`, for which a database may read all messages since then, of all groups, instead of one of each.
      .where((eb) =>
        eb(
          eb
            .selectFrom("message as m")
            .select("m.id")
            .whereRef("m.chatId", "=", "s.groupId")
            .where("m.id", ">=", fromId)
            .limit(1),
          "is not",
          null,
        ),
      ),
  );

  return {
    async startGroupPull(userId, window) {
      const startId = await pullStart(messageTimes, window);
      const { rows: groups } = await groupsFrom(userId, Math.min(startId, window.minId + 1));
      const hasRows = new Set(groups.map(({ groupId }) => groupId));
      const max = window.minId === 0 ? window.firstMax : Number.MAX_SAFE_INTEGER;
      const ids: number[] = [];
      let fromId: number | null = null;
      let processed = 0;

      /** Visible ids of the group inside these bounds, newest first. */
      const between = async (
        groupId: number,
        visible: readonly IdRange[],
        bounds: IdRange,
        limit: number,
      ) => {
        const foundIds: number[] = [];
        for (const { from, to } of [...visible].reverse()) {
          const low = Math.max(from, bounds.from);
          let high = Math.min(to, bounds.to);
          while (low <= high && foundIds.length < limit) {
            const size = Math.min(limit - foundIds.length, IDS_PER_TURN);
            const { rows } = await newest(userId, groupId, low, high, size);
            for (const row of rows) foundIds.push(row.id);
            if (rows.length < IDS_PER_TURN) break;
            high = (rows.at(-1)?.id ?? 0) - 1;
            await nextTurn();
          }
        }
        return foundIds;
      };

      for (const [groupId, visible] of await ranges.everywhere(userId)) {
        if (!hasRows.has(groupId)) continue;
        const pulled = await between(groupId, visible, { from: startId, to: Number.MAX_SAFE_INTEGER }, max);
        ids.push(...pulled);
        const start = pulled.length < max ? startId : (pulled.at(-1) ?? startId);
        if (start > window.minId + 1) {
          const omitted = await between(groupId, visible, { from: window.minId + 1, to: start - 1 }, 1);
          if (omitted.length > 0) fromId = Math.max(fromId ?? 0, start);
        }
        if (++processed % GROUPS_PER_TURN === 0) await nextTurn();
      }
      return { ids: ids.sort((a, b) => a - b), fromId };
    },
  };
}
