import * as z from "zod/mini";
import { prefChange, type PrefChange } from "@parley/protocol/chat-prefs";
import { setChatPrefs } from "@parley/protocol/endpoints/chat-prefs";
import { SILENT } from "../connection/api.ts";
import { isBackFromArchive, isMarkedUnread, newestPositionOf } from "../model/chats/chat-prefs.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import { hasOldMark, saveChat } from "../model/chats/saved-chat.ts";
import { chatKey } from "../model/schemas.ts";
import type { ChatKey } from "../model/state.ts";
import type { Notice } from "../notice.ts";
import type { ChatRecord } from "../ports.ts";
import type { SessionEvents } from "../session-events.ts";
import type { SharedValues } from "../storage/shared-values.ts";
import { broadcastToTabs, listenToOwnTabs } from "../storage/tab-messages.ts";
import { createUnsentStates } from "../storage/unsent-states.ts";
import type { ChatDeps } from "./chat-store.ts";

/** What a person sets for a chat on all their devices. */
export interface ChatPrefActions {
  /** Marks a chat as unread. Shown at once. A refusal, which may come after a reload, undoes it and is a notice. */
  markUnread(key: ChatKey): void;
  /**
   * Puts a chat into the archive, where it stays until a later message brings it back, or takes it out of it. Nothing is read by that. Shown
   * and refused as a mark is.
   */
  setArchived(key: ChatKey, isArchived: boolean): void;
}

/** Sets prefs of chats, each as a state of its chat (`createUnsentStates`), which shows in all tabs of this browser. */
export interface ChatPrefsService extends Pick<SessionEvents, "restore" | "retry" | "reset"> {
  readonly actions: ChatPrefActions;
  /** Removes the unread mark of a chat, if it has one. */
  endUnreadMark(key: ChatKey): void;
  /** Lets a chat that a later message has brought back from the archive stay in the list, if there is such a chat. */
  keepFromArchive(key: ChatKey): void;
  /** Takes over the marks of version 0.1.0 from the chats that were read from the local database, once. */
  adoptOldMarks(stored: readonly ChatRecord[]): void;
}

/** Prefs that the server has not confirmed. */
export interface UnsentPref {
  readonly key: ChatKey;
  readonly set: PrefChange;
}

const unsentPref: z.ZodMiniType<UnsentPref> = z.object({ key: chatKey, set: prefChange });

/** Creates the service; `restore` loads what a reload interrupted. */
export function createChatPrefs({
  ports,
  api,
  database,
  chatStore,
  stateStore,
  sharedValues,
  me,
  notify,
}: ChatDeps & { sharedValues: SharedValues; notify(notice: Notice): void }): ChatPrefsService {
  const { put, ...events } = createUnsentStates<UnsentPref>({
    ports,
    database,
    prefix: "unsentPref ",
    idOf: ({ key, set: change }) => `${key} ${Object.keys(change).join()}`,
    schema: unsentPref,
    async send({ key, set: change }) {
      const chat = parseChatKey(key);
      if (chat === null) return null;
      const { type, targetId } = chat;
      const result = await api.call(setChatPrefs, { body: { type, targetId, set: change } }, SILENT);
      if (!result.ok) return result.failure;
      sharedValues.change("chatPrefs", { key, ...result.value });
      return null;
    },
    show(entries) {
      const unsentPrefs: Record<ChatKey, PrefChange> = {};
      for (const { key, set: change } of entries) unsentPrefs[key] = { ...unsentPrefs[key], ...change };
      stateStore.set({ unsentPrefs });
    },
    notify,
  });

  // Each tab sends it, so that none sends an older value that it has from the local database.
  listenToOwnTabs(ports.tabs, me, "chatPref", ({ key, set: change }) => put({ key, set: change }));

  /** Sets one pref. */
  function set(entry: UnsentPref): void {
    put(entry);
    broadcastToTabs(ports.tabs, { kind: "chatPref", userId: me, ...entry });
  }

  return {
    actions: {
      markUnread(key) {
        const chat = chatStore.chatOf(key);
        if (chat !== undefined) set({ key, set: { unreadMark: newestPositionOf(chat) } });
      },
      setArchived(key, isArchived) {
        const chat = chatStore.chatOf(key);
        if (chat !== undefined) set({ key, set: { archived: isArchived ? newestPositionOf(chat) : null } });
      },
    },
    endUnreadMark(key) {
      const chat = chatStore.chatOf(key);
      if (chat !== undefined && isMarkedUnread(stateStore.get(), chat))
        set({ key, set: { unreadMark: null } });
    },
    keepFromArchive(key) {
      const chat = chatStore.chatOf(key);
      if (chat !== undefined && isBackFromArchive(stateStore.get(), chat))
        set({ key, set: { archived: null } });
    },
    adoptOldMarks(stored) {
      const marked = stored.filter(hasOldMark).flatMap(({ key }) => chatStore.chatOf(key) ?? []);
      for (const chat of marked) set({ key: chat.key, set: { unreadMark: newestPositionOf(chat) } });
      if (marked.length > 0) database.save({ chats: marked.map(saveChat) });
    },
    ...events,
  };
}
