import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { GroupMessageStore } from "../../ports/group-messages.ts";
import { isShownInGroup, seenRanges } from "./group-visible.ts";
import type { IdRange } from "./pages.ts";
import { prepared } from "./prepared.ts";
import { pullStart } from "./pull.ts";
import type { Tables } from "./tables.ts";
import { timeLine } from "./time-line.ts";

/** Groups looked at in one turn of the event loop. */
const TURN_GROUPS = 16;

/** Ids come from the indexes alone; the rows are read as they are sent. */
export function groupPulls(db: Kysely<Tables>): Pick<GroupMessageStore, "startGroupPull"> {
  const line = timeLine(db, "groupMessage");
  const ranges = seenRanges(db);
  const newest = prepared(db, (userId: number, groupId: number, from: number, to: number, limit: number) =>
    db
      .selectFrom("groupMessage as m")
      .select("m.id")
      .where("m.groupId", "=", groupId)
      .where("m.id", ">=", from)
      .where("m.id", "<=", to)
      .where(isShownInGroup(userId))
      .orderBy("m.id", "desc")
      .limit(limit),
  );

  return {
    async startGroupPull(userId, window) {
      const since = await pullStart(line, window);
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
        if (++looked % TURN_GROUPS === 0) await nextTurn();
      }
      return { ids: ids.sort((a, b) => a - b), fromId };
    },
  };
}
