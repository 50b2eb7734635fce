import { ChatType } from "@parley/protocol/codes";
import { TYPING_MEMBERS_MAX } from "@parley/protocol/limits";
import type { TypingKind } from "@parley/protocol/signal";
import type { ChatKey, State } from "../state.ts";
import { parseChatKey } from "./chat-rows.ts";

/** Who is about to send what. It is never stored, and each entry ends by itself. */

/** Somebody who writes a text or records a voice message. */
export interface Typist {
  readonly userId: number;
  /** In groups the name that came with the signal; null in private chats. */
  readonly name: string | null;
  readonly what: TypingKind;
}

/** Those who type in a chat, in the order in which they began. A chat in which nobody does has no entry. */
export type Typists = Readonly<Record<ChatKey, readonly Typist[]>>;

/** With this person, who keeps their place if they were there. */
export function withTypist(typists: Typists, key: ChatKey, typist: Typist): Typists {
  const before = typists[key] ?? [];
  const index = before.findIndex(({ userId }) => userId === typist.userId);
  return { ...typists, [key]: index < 0 ? [...before, typist] : before.with(index, typist) };
}

/** Without this person; the same object if they were not there. */
export function withoutTypist(typists: Typists, key: ChatKey, userId: number): Typists {
  const before = typists[key];
  const after = before?.filter((typist) => typist.userId !== userId);
  if (before === undefined || after === undefined || after.length === before.length) return typists;
  const { [key]: _, ...others } = typists;
  return after.length === 0 ? others : { ...others, [key]: after };
}

/** The chat as the server names it, if anybody is to be told there that I type: not in large groups, not in notes to oneself. */
export function typingTarget(
  { groups, session }: Pick<State, "groups" | "session">,
  key: ChatKey,
): { type: "PRIVATE" | "GROUP"; targetId: number } | null {
  const chat = parseChatKey(key);
  if (chat === null || session.kind !== "active") return null;
  const { type, targetId } = chat;
  switch (type) {
    case ChatType.PRIVATE:
      return targetId === session.userId ? null : { type, targetId };
    case ChatType.GROUP:
      return (groups.byId[targetId]?.membersCount ?? 0) > TYPING_MEMBERS_MAX ? null : { type, targetId };
    default:
      return null;
  }
}
