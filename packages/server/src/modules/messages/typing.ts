/** Tells the others in a chat who types. Nothing of it is stored, and what is lost is lost. */
import { ChatType } from "@parley/protocol/codes";
import type { Capability } from "@parley/protocol/frame";
import type { Handlers } from "../../api/api-call.ts";
import { refuseIfLimited } from "../../api/api-error.ts";
import type { Delivery } from "../../delivery/delivery.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { ChatStrategies } from "./chat-strategy.ts";

const REQUIRED_CAPABILITY: Capability = "typing";

export interface TypingDeps extends ChatStrategies {
  delivery: Pick<Delivery, "toUsers">;
  rateLimiter: Pick<RateLimiter, "take">;
}

export function createTyping({
  delivery,
  rateLimiter,
  privateChats,
  groupChats,
}: TypingDeps): Pick<Handlers, "tellTyping"> {
  return {
    async tellTyping({ actor: { userId }, body: { type, targetId, what, on = true }, now }) {
      refuseIfLimited(rateLimiter.take("typing", userId, 1, now));
      const chats = type === ChatType.PRIVATE ? privateChats : groupChats;
      const { userIds, name } = await chats.typingAudience(userId, targetId);
      if (userIds.length === 0) return null;
      const frame = chats.typingFrame(userId, targetId, name, { what, on });
      delivery.toUsers(userIds, frame, REQUIRED_CAPABILITY);
      return null;
    },
  };
}
