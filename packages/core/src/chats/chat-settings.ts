import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatActions } from "../client-api.ts";
import { DONE, fail } from "../connection/api.ts";
import type { ContactService } from "../contacts/contact-service.ts";
import type { GroupService } from "../groups/group-service.ts";
import type { ChatDeps } from "./chat-store.ts";
import { NOT_SENDABLE } from "./outbox.ts";

/** Pins chats and sets their alert levels. */
export type ChatSettings = Pick<ChatActions, "setTop" | "setAlerts">;

/** The services that keep the settings of chats. */
export interface ChatSettingsDeps extends Pick<ChatDeps, "chatStore"> {
  contactService: ContactService;
  groupService: GroupService;
}

/** Creates the settings of chats: those of private chats and groups are stored on the server. */
export function createChatSettings({
  chatStore,
  contactService,
  groupService,
}: ChatSettingsDeps): ChatSettings {
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
    setAlerts(key, msgRemind) {
      const target = parseChatKey(key);
      if (target?.type === ChatType.GROUP) {
        const level = msgRemind === 1 || msgRemind === 2 ? msgRemind : 0;
        return groupService.setSettings(target.targetId, { msgRemind: level, isDnd: level === 2 });
      }
      if (target?.type !== ChatType.PRIVATE) return Promise.resolve(fail(NOT_SENDABLE));
      const isDnd = msgRemind === 0;
      return contactService.setSettings(target.targetId, { msgRemind: isDnd ? 0 : 1, isDnd });
    },
  };
}
