/** Finding messages by their words. */
import { ChatType } from "@parley/protocol/codes";
import type { QueryOf } from "@parley/protocol/endpoint";
import type { SearchHit, searchMessages } from "@parley/protocol/endpoints/search";
import { SEARCH_PAGE } from "@parley/protocol/limits";
import type { Handlers, Limits } from "../../ports/call.ts";
import type { PrivateSearch, Store } from "../../ports/store.ts";
import { friendOf, privateMessage, statusFor } from "../../rules/messages.ts";

/** The answer's `total` counts no further. */
const TOTAL_MAX = 1_000;

export interface SearchDeps {
  store: Store;
  limits: Limits;
}

export function createSearch({ store, limits }: SearchDeps): Pick<Handlers, "searchMessages"> {
  return {
    async searchMessages({ actor, query }) {
      const me = actor.userId;
      await limits.take("searches", me);
      // There are no messages in groups yet, and notices are not searched.
      if (query.chatType !== undefined && query.chatType !== ChatType.PRIVATE)
        return { hits: [], total: 0, next: null };
      const found = await store.searchPrivate(me, searchOf(query));
      const friends = [...new Set(found.rows.map((row) => friendOf(me, row)))];
      const positions = await store.privateReadPositions(me, friends);
      const byFriend = new Map(positions.map((one) => [one.targetId, one]));
      const hits = found.rows.map((row): SearchHit => {
        const targetId = friendOf(me, row);
        const message = privateMessage(row, statusFor(me, row, byFriend.get(targetId)));
        return { chatType: ChatType.PRIVATE, targetId, message };
      });
      return { hits, total: found.total, next: found.next === null ? null : String(found.next) };
    },
  };
}

function searchOf({
  q,
  targetId,
  sendId,
  types,
  from,
  to,
  next,
}: QueryOf<typeof searchMessages>): PrivateSearch {
  return {
    text: q,
    size: SEARCH_PAGE,
    totalMax: TOTAL_MAX,
    ...(targetId !== undefined && { friendId: targetId }),
    ...(sendId !== undefined && { sendId }),
    // An empty list names no type, and asks for none.
    ...(types !== undefined && types.length > 0 && { types }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(next !== undefined && { below: Number(next) }),
  };
}
