/** What people have set for chats: the part of `store.ts` for it. */
import type { ChatPrefs, PrefChange, VersionedPrefs } from "@parley/protocol/chat-prefs";
import type { ChatType } from "@parley/protocol/codes";

/** A chat as one person sees it: `targetId` is the other person or the group, 0 in the system chat. */
export interface ChatRef {
  type: ChatType;
  targetId: number;
}

/** The prefs of a chat. */
export interface PrefsOfChat extends ChatRef {
  prefs: ChatPrefs;
}

/** What is read about prefs. What changed is a part of `ChangeReads`. */
export interface ChatPrefReads {
  /**
   * Whether the person has this chat: with somebody who is or was a friend, or who has written to them or been written to; a group that they
   * are or were in; the system chat.
   */
  hasChat(userId: number, chat: ChatRef): Promise<boolean>;
  /** Everything that the person has set. */
  listChatPrefs(userId: number): Promise<PrefsOfChat[]>;
}

/** What a transaction writes about prefs. */
export interface ChatPrefWrites {
  /**
   * Sets prefs of a chat and leaves the others as they are. Returns what is set now, and whether that is new: it gets the person's next
   * change number as its version then, and 0 is the version of a chat for which nothing was ever set.
   */
  setChatPrefs(
    userId: number,
    chat: ChatRef,
    set: PrefChange,
  ): Promise<{ current: VersionedPrefs; isNew: boolean }>;
}
