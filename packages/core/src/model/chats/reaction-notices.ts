import type { ExtraAct } from "@parley/protocol/message-extra";
import type { ChatKey } from "../state.ts";

/** The last reaction of somebody else to a message of mine in a chat. */
export interface ReactionNotice {
  readonly messageId: number;
  /** Who reacted. */
  readonly by: number;
  /** An emoji or the token of an emoticon. */
  readonly reaction: string;
}

/** The notices of all chats. A chat has none when something newer happened there, or when it was opened. */
export type ReactionNotices = Readonly<Partial<Record<ChatKey, ReactionNotice>>>;

/** What was done to a message, as a push tells it. */
export interface ToldActs {
  readonly key: ChatKey;
  readonly messageId: number;
  /** The author of the message. */
  readonly sendId: number;
  readonly acts: readonly ExtraAct[];
}

/** The notice after what others and I did to a message of mine. Taking a reaction back ends its notice. */
export function noticeAfter(
  notice: ReactionNotice | undefined,
  { messageId, acts }: Pick<ToldActs, "messageId" | "acts">,
  me: number,
): ReactionNotice | undefined {
  let after = notice;
  for (const { by, kind, key, on } of acts) {
    if (kind !== "reactions" || by === me) continue;
    if (on) after = { messageId, by, reaction: key };
    else if (after?.messageId === messageId && after.by === by && after.reaction === key) after = undefined;
  }
  return after;
}
