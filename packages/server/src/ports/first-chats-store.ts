/** The top of the chat list: the part of `store.ts` for a device that has nothing yet. */
import type { ChatType } from "@parley/protocol/codes";
import type { GroupMessageRow } from "./group-message-store.ts";
import type { PrivateRow } from "./private-message-store.ts";
import type { SystemRow } from "./system-message-store.ts";

/** Which chats are wanted, by the rules of a first pull: what that leaves out is not in the list either. */
export interface FirstChatsWindow {
  limit: number;
  /** Messages older than this time are left out. */
  notBefore: number;
  /** The pull of private messages has this many rows, the newest. */
  privateMax: number;
  /** That of groups has this many rows of each group. */
  groupMax: number;
  /** Counts of unread messages end here. */
  unreadMax: number;
}

/** What the list shows of every kind of chat. */
export interface FirstChatState {
  targetId: number;
  /** How this person calls the friend or the group; null if they use its own name. */
  remark: string | null;
  isTop: boolean;
  /** Null: this person has no settings for the chat. */
  msgRemind: number | null;
  unread: number;
  firstUnreadId: number | null;
  atMe: boolean;
  atAll: boolean;
  /** Read positions; -1: nothing read. */
  mine: number;
  theirs: number;
}

/** A chat and its newest message with a preview that this person sees. */
export type FirstChatRow = FirstChatState &
  (
    | { type: typeof ChatType.PRIVATE; row: PrivateRow }
    | { type: typeof ChatType.GROUP; row: GroupMessageRow }
    | { type: typeof ChatType.SYSTEM; row: SystemRow }
  );

/** What is read for a first sign-in. */
export interface FirstChatReads {
  /** Pinned chats first, then the newest first. The number of statements does not depend on the number of chats. */
  listFirstChats(userId: number, window: FirstChatsWindow): Promise<FirstChatRow[]>;
}
