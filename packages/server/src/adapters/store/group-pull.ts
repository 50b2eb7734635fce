import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { GroupMessageStore } from "../../ports/group-message-store.ts";
import { isVisibleInGroup, visibleRanges } from "./group-visibility.ts";
import type { IdRange } from "./history-page.ts";
import { preparedQuery } from "./prepared-query.ts";
import { pullStart } from "./private-pull.ts";
import type { Tables } from "./tables.ts";
import { monotonicTime } from "./monotonic-time.ts";

/** Groups looked at in one turn of the event loop. */
const GROUPS_PER_TURN = 16;

/** Ids come from the indexes alone; the rows are read as they are sent. */
export function groupPullReads(db: Kysely<Tables>): Pick<GroupMessageStore, "startGroupPull"> {
  const messageTimes = monotonicTime(db, "groupMessage");
  const ranges = visibleRanges(db);
  const newest = preparedQuery(
    db,
    (userId: number, groupId: number, from: number, to: number, limit: number) =>
      db
        .selectFrom("groupMessage as m")
        .select("m.id")
        .where("m.groupId", "=", groupId)
        .where("m.id", ">=", from)
        .where("m.id", "<=", to)
        .where(isVisibleInGroup(userId))
        .orderBy("m.id", "desc")
        .limit(limit),
  );

  return {
    async startGroupPull(userId, window) {
      const since = await pullStart(messageTimes, window);
      const max = window.minId === 0 ? window.firstMax : Number.MAX_SAFE_INTEGER;
      const ids: number[] = [];
      let fromId: number | null = null;
      let looked = 0;

      /** Ids of the group between these, the newest first. */
      const between = async (groupId: number, own: readonly IdRange[], span: IdRange, limit: number) => {
        const found: number[] = [];
        for (const { from, to } of [...own].reverse()) {
          const [low, high] = [Math.max(from, span.from), Math.min(to, span.to)];
          if (low > high || found.length >= limit) continue;
          const { rows } = await newest(userId, groupId, low, high, limit - found.length);
          for (const row of rows) found.push(row.id);
        }
        return found;
      };

      for (const [groupId, own] of await ranges.everywhere(userId)) {
        const sent = await between(groupId, own, { from: since, to: Number.MAX_SAFE_INTEGER }, max);
        ids.push(...sent);
        const start = sent.length < max ? since : (sent.at(-1) ?? since);
        if (start > window.minId + 1) {
          const left = await between(groupId, own, { from: window.minId + 1, to: start - 1 }, 1);
          if (left.length > 0) fromId = Math.max(fromId ?? 0, start);
        }
        if (++looked % GROUPS_PER_TURN === 0) await nextTurn();
      }
      return { ids: ids.sort((a, b) => a - b), fromId };
    },
  };
}
