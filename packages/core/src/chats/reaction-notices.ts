import { ChatType, MessageType } from "@parley/protocol/codes";
import type { ChangedRow, ChatInput } from "../model/chats/chat-input.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import { noticeAfter, type ReactionNotice, type ToldActs } from "../model/chats/reaction-notices.ts";
import { isMuted } from "../model/chats/chat-prefs.ts";
import type { ChatKey } from "../model/state.ts";
import type { Notice } from "../notice.ts";
import type { SessionEvents } from "../session-events.ts";
import type { ChatDeps } from "./chat-store.ts";

/** In larger groups nobody is told of single reactions. */
const MEMBERS_MAX = 100;

/** Tells a person who reacts to their messages, while they are here: nothing of it is stored, counted or makes a sound. */
export interface ReactionNotices extends Pick<SessionEvents, "rowsApplied" | "reset"> {
  receive(told: ToldActs): void;
  /** What was applied to the chats, except the rows. */
  applied(inputs: readonly ChatInput[]): void;
}

/** Creates them; nothing is told. */
export function createReactionNotices({
  stateStore,
  chatStore,
  me,
  notify,
}: Pick<ChatDeps, "stateStore" | "chatStore" | "me"> & { notify(notice: Notice): void }): ReactionNotices {
  /** The newest message of a chat when its notice came: what is newer ends the notice. */
  const newest = new Map<ChatKey, number>();

  function set(key: ChatKey, notice: ReactionNotice | undefined): void {
    const { [key]: before, ...others } = stateStore.get().reactionNotices;
    if (notice === before) return;
    stateStore.set({ reactionNotices: notice === undefined ? others : { ...others, [key]: notice } });
    if (notice === undefined) newest.delete(key);
    else newest.set(key, chatStore.chatOf(key)?.sync.newest?.id ?? 0);
  }

  function isLargeGroup(key: ChatKey): boolean {
    const chat = parseChatKey(key);
    if (chat?.type !== ChatType.GROUP) return false;
    return (stateStore.get().groups.byId[chat.targetId]?.membersCount ?? 0) > MEMBERS_MAX;
  }

  return {
    receive({ key, messageId, sendId, acts }) {
      const chat = chatStore.chatOf(key);
      if (sendId !== me || chat === undefined || isLargeGroup(key)) return;
      const before = stateStore.get().reactionNotices[key];
      const after = noticeAfter(before, { messageId, acts }, me);
      // Who has the chat open sees it there.
      const isOpen = stateStore.get().chats.openKey === key;
      set(key, isOpen ? undefined : after);
      const isNew = after !== undefined && after !== before;
      if (isNew && !isMuted(chat)) notify({ kind: "reaction", key, ...after });
    },
    applied(inputs) {
      for (const input of inputs) {
        if (input.kind === "open") set(input.key, undefined);
        if (input.kind !== "event" || input.event.type !== MessageType.RECALL) continue;
        if (stateStore.get().reactionNotices[input.key]?.messageId === input.event.targetId)
          set(input.key, undefined);
      }
    },
    rowsApplied(rows: readonly ChangedRow[]) {
      if (newest.size === 0) return;
      for (const { key, message } of rows)
        if ((message.id ?? 0) > (newest.get(key) ?? Infinity)) set(key, undefined);
    },
    reset() {
      newest.clear();
      stateStore.set({ reactionNotices: {} });
    },
  };
}
