import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, Result } from "../model/state.ts";
import { DONE, fail } from "../connection/api.ts";
import type { ContactService } from "../contacts/contact-service.ts";
import type { GroupService } from "../groups/group-service.ts";
import type { TabSync } from "../storage/tab-sync.ts";
import type { ChatPrefsService } from "./chat-prefs.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { DraftFiles } from "./draft-files.ts";
import type { DraftStash } from "./draft-stash.ts";
import { NOT_SENDABLE } from "./chat-api.ts";
import type { ReadPositions } from "./read-positions.ts";

/** What a person does with the entries of the chat list. */
export interface ChatListActions {
  /** Pins a chat. Shown at once, and undone if the server refuses. The caller shows a failure. */
  setTop(key: ChatKey, isTop: boolean): Promise<Result<null>>;
  /**
   * Sets the alert level. Private chats: 1 all, 0 none. With a time in epoch ms of this device, the level before follows then. Shown at
   * once, and undone if the server refuses.
   */
  setAlerts(key: ChatKey, msgRemind: number, until?: number): Promise<Result<null>>;
  /** Marks the chat as read up to its newest message, and removes the unread mark. */
  markRead(key: ChatKey): void;
  /** Removes the chat from the list, marks it as read and drops its draft. Opening it or its next message brings it back. */
  remove(key: ChatKey): void;
}

/** The services that keep what the list shows of a chat. */
export interface ChatListActionsDeps extends Pick<ChatDeps, "stateStore" | "chatStore"> {
  contactService: ContactService;
  groupService: GroupService;
  readPositions: ReadPositions;
  chatPrefs: Pick<ChatPrefsService, "endUnreadMark" | "keepFromArchive">;
  tabSync: TabSync;
  draftStash: DraftStash;
  draftFiles: DraftFiles;
}

/** Creates the actions on the chat list. The server stores the settings of private chats and groups. */
export function createChatListActions({
  stateStore,
  chatStore,
  contactService,
  groupService,
  readPositions,
  tabSync,
  draftStash,
  draftFiles,
  chatPrefs,
}: ChatListActionsDeps): ChatListActions {
  function markRead(key: ChatKey): void {
    readPositions.markAllRead(key);
    // Often that has ended it.
    chatPrefs.endUnreadMark(key);
  }

  return {
    setTop(key, isTop) {
      const target = parseChatKey(key);
      if (target?.type === ChatType.PRIVATE) return contactService.setSettings(target.targetId, { isTop });
      if (target?.type === ChatType.GROUP) return groupService.setSettings(target.targetId, { isTop });
      const chat = chatStore.chatOf(key);
      // The pin of the system chat is stored only on this device.
      if (target?.type !== ChatType.SYSTEM || chat === undefined) return Promise.resolve(fail(NOT_SENDABLE));
      chatStore.dispatch([{ kind: "settings", key, isTop, msgRemind: chat.msgRemind }]);
      return Promise.resolve(DONE);
    },
    setAlerts(key, msgRemind, until) {
      // Muted, it would need another reason to be in the list.
      chatPrefs.keepFromArchive(key);
      const target = parseChatKey(key);
      const msgRemindUntil = until === undefined ? null : until - stateStore.get().clockAheadMs;
      if (target?.type === ChatType.GROUP) {
        const level = msgRemind === 1 || msgRemind === 2 ? msgRemind : 0;
        return groupService.setSettings(target.targetId, {
          msgRemind: level,
          isDnd: level === 2,
          msgRemindUntil,
        });
      }
      if (target?.type !== ChatType.PRIVATE) return Promise.resolve(fail(NOT_SENDABLE));
      const isDnd = msgRemind === 0;
      return contactService.setSettings(target.targetId, { msgRemind: isDnd ? 0 : 1, isDnd, msgRemindUntil });
    },
    markRead,
    remove(key) {
      stateStore.batch(() => {
        draftStash.remove(key);
        draftFiles.forget(key);
        markRead(key);
        tabSync.dispatch({ kind: "remove", key });
      });
    },
  };
}
