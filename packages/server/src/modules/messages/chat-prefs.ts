/** What a person sets for a chat, the same on all their devices. */
import type { Handlers } from "../../api/api-call.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import { changesFrame, type Delivery } from "../../delivery/delivery.ts";
import type { ChatPrefReads, ChatPrefWrites } from "../../ports/chat-pref-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { Transactions } from "../../ports/store.ts";

export interface ChatPrefsDeps {
  store: Transactions<ChatPrefReads & ChatPrefWrites>;
  delivery: Delivery;
  rateLimiter: Pick<RateLimiter, "take">;
}

export function createChatPrefs({
  store,
  delivery,
  rateLimiter,
}: ChatPrefsDeps): Pick<Handlers, "setChatPrefs"> {
  return {
    async setChatPrefs({ actor, body: { set, ...chat }, now }) {
      const { userId } = actor;
      refuseIfLimited(rateLimiter.take("acts", userId, 1, now));
      const { current, isNew } = await store.write(async (tx) => {
        // Else a person could store prefs of as many chats as there are numbers.
        if (!(await tx.hasChat(userId, chat))) throw new ApiError("pref.noChat");
        return tx.setChatPrefs(userId, chat, set);
      });
      if (isNew) delivery.toOwnOthers(actor, changesFrame(userId, ""), "changes");
      return current;
    },
  };
}
