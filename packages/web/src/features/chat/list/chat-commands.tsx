import type { ComponentType } from "react";
import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  BellRing,
  MessageSquareDot,
  MessageSquareText,
  Pin,
  PinOff,
  Timer,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import { mutedLevel, usualLevel } from "@parley/protocol/alert-level";
import { ChatType } from "@parley/protocol/codes";
import type { ChatActions } from "@parley/core/client-api";
import type { Chat, ChatKey, Contacts, Groups, Result } from "@parley/core/model/state";
import { isArchived, isMarkedUnread, isMuted } from "@parley/core/model/chats/chat-prefs";
import { hasDraft } from "@parley/core/model/chats/has-draft";
import { useAlertLevelEnd } from "../../../kit/chats/alert-level-end.ts";
import { ALERT_LEVELS } from "../../../kit/chats/group.ts";
import { MUTE_TIMES, muteEnd } from "../../../kit/chats/mute-times.ts";
import { isNotesChat } from "../../../kit/chats/chat-name.ts";
import { currentText, useText } from "../../../kit/i18n/i18n.ts";
import type { TextId } from "../../../kit/i18n/i18n.ts";
import type { ChatCommandShortcut } from "../../../kit/settings/shortcuts.ts";
import { toasts } from "../../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";

/** Which settings a chat offers. */
interface AvailableSettings {
  readonly pin: boolean;
  readonly remind: boolean;
}

/** A chat with what is set for it. */
interface CommandedChat extends Chat {
  readonly isMarkedUnread: boolean;
  readonly isArchived: boolean;
  /** When it is loud again, as a text; null: it is not muted, or for good. */
  readonly mutedUntil: string | null;
}

/** What one can do with a chat of the list. The menu of the chat, the switches of the side panel and shortcuts are made of it. */
export type ChatCommand = {
  readonly id: string;
  readonly text: (chat: CommandedChat) => TextId;
  readonly Icon: (chat: CommandedChat) => LucideIcon;
  /** It is at the end of the menu, after a line. */
  readonly isDanger?: true;
  isOffered?(chat: CommandedChat, available: AvailableSettings): boolean;
} & (
  | {
      run(chats: ChatActions, chat: CommandedChat): void;
      /** It is also a switch of the panel, with this label. */
      readonly panelSwitch?: {
        readonly text: TextId;
        readonly isOn: (chat: CommandedChat) => boolean;
        /** Until when it is on, as a text; null: for good. */
        readonly until?: (chat: CommandedChat) => string | null;
      };
    }
  /** It has a menu of its own. */
  | { readonly choices: Choices }
  /** It asks first. */
  | {
      readonly Dialog: ComponentType<ChatDialogProps>;
      /** It opens the dialog of the row that has the focus. */
      readonly shortcut?: ChatCommandShortcut;
    }
);

interface Choices {
  readonly items: readonly { readonly value: string; readonly text: TextId }[];
  /** Which item the chat has now. Absent: what is chosen happens. */
  readonly current?: (chat: CommandedChat) => string;
  choose(chats: ChatActions, chat: CommandedChat, value: string): void;
}

interface ChatDialogProps {
  readonly chat: Chat;
  /** The element that gets the focus back. */
  readonly opener: HTMLElement | null;
  readonly onClose: () => void;
  /** The chat has left the list. */
  readonly onRemoved: () => void;
}

/** All commands, in the order of the menu. */
export const CHAT_COMMANDS: readonly ChatCommand[] = [
  {
    id: "pin",
    text: ({ isTop }) => (isTop ? "chatMenu.unpin" : "chatMenu.pin"),
    Icon: ({ isTop }) => (isTop ? PinOff : Pin),
    isOffered: (_, { pin }) => pin,
    panelSwitch: { text: "groupInfo.top", isOn: ({ isTop }) => isTop },
    run: (chats, { key, isTop }) => void showFailure(chats.setTop(key, !isTop)),
  },
  {
    id: "alerts",
    text: () => "remind.label",
    Icon: (chat) => (isMuted(chat) ? BellOff : BellRing),
    isOffered: ({ type }, { remind }) => type === ChatType.GROUP && remind,
    choices: {
      items: ALERT_LEVELS.map((value) => ({ value: String(value), text: `remind.${value}` })),
      current: ({ msgRemind }) => String(msgRemind),
      choose: (chats, { key }, value) => void showFailure(chats.setAlerts(key, Number(value))),
    },
  },
  {
    id: "mute",
    text: (chat) => (isMuted(chat) ? "chatMenu.unmute" : "chatMenu.mute"),
    Icon: (chat) => (isMuted(chat) ? Bell : BellOff),
    isOffered: ({ type }, { remind }) => type === ChatType.PRIVATE && remind,
    panelSwitch: { text: "chatMenu.mute", isOn: isMuted, until: ({ mutedUntil }) => mutedUntil },
    run: (chats, chat) =>
      void showFailure(chats.setAlerts(chat.key, (isMuted(chat) ? usualLevel : mutedLevel)(chat.type))),
  },
  {
    id: "muteFor",
    text: () => "chatMenu.muteFor",
    Icon: () => Timer,
    isOffered: (_, { remind }) => remind,
    choices: {
      items: MUTE_TIMES.map((value) => ({ value, text: `muteFor.${value}` })),
      choose(chats, { key, type }, value) {
        const time = MUTE_TIMES.find((one) => one === value);
        if (time !== undefined)
          void showFailure(chats.setAlerts(key, mutedLevel(type), muteEnd(time, Date.now())));
      },
    },
  },
  {
    id: "read",
    text: (chat) => (isUnread(chat) ? "chatMenu.markRead" : "chatMenu.markUnread"),
    Icon: (chat) => (isUnread(chat) ? MessageSquareText : MessageSquareDot),
    run: (chats, chat) => (isUnread(chat) ? chats.markRead(chat.key) : chats.markUnread(chat.key)),
  },
  {
    id: "archive",
    text: (chat) => (chat.isArchived ? "chatMenu.unarchive" : "chatMenu.archive"),
    Icon: (chat) => (chat.isArchived ? ArchiveRestore : Archive),
    panelSwitch: { text: "chatMenu.archive", isOn: (chat) => chat.isArchived },
    run: (chats, chat) => (chat.isArchived ? chats.setArchived(chat.key, false) : archive(chats, chat.key)),
  },
  {
    id: "delete",
    text: () => "chatMenu.delete",
    Icon: () => Trash2,
    isDanger: true,
    shortcut: "delete",
    Dialog: DeleteChat,
  },
];

/** A chat and the commands that it offers now. */
export function useChatCommands(key: ChatKey) {
  const known = useClientState((state) => state.chats.byKey[key]);
  const isMarked = useClientState((state) => known !== undefined && isMarkedUnread(state, known));
  const isInArchive = useClientState((state) => known !== undefined && isArchived(state, known));
  const friends = useClientState((state) => state.contacts.friends);
  const groups = useClientState((state) => state.groups);
  const isNotes = useClientState((state) => isNotesChat(key, state.me));
  const levelEnd = useAlertLevelEnd(known);
  if (known === undefined) return null;
  const chat: CommandedChat = {
    ...known,
    isMarkedUnread: isMarked,
    isArchived: isInArchive,
    mutedUntil: isMuted(known) ? levelEnd : null,
  };
  const available = availableSettings(chat, friends, groups, isNotes);
  return { chat, commands: CHAT_COMMANDS.filter((one) => one.isOffered?.(chat, available) ?? true) };
}

function DeleteChat({ chat, opener, onClose, onRemoved }: ChatDialogProps) {
  const t = useText();
  const { chats } = useClient();
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t("chatMenu.deleteTitle")}
      body={t(hasDraft(chat) ? "chatMenu.deleteDraftBody" : "chatMenu.deleteBody")}
      confirmLabel={t("chatMenu.deleteConfirm")}
      cancelLabel={t("app.cancel")}
      opener={opener}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        onRemoved();
        chats.remove(chat.key);
      }}
    />
  );
}

/** Archives a chat and offers to take that back, because its row vanishes. */
function archive(chats: ChatActions, key: ChatKey): void {
  const t = currentText();
  chats.setArchived(key, true);
  toasts.offer(t("chatMenu.archived"), { label: t("app.undo"), run: () => chats.setArchived(key, false) });
}

function isUnread(chat: CommandedChat): boolean {
  return chat.unread > 0 || chat.isMarkedUnread;
}

/**
 * Which settings a chat offers. Without friendship or membership there are none, except that a pinned chat can be unpinned. The chat with
 * oneself can only be pinned.
 */
export function availableSettings(
  { type, targetId, isTop }: Pick<Chat, "type" | "targetId" | "isTop">,
  friends: Contacts["friends"],
  { byId }: Pick<Groups, "byId">,
  isNotes: boolean,
): AvailableSettings {
  if (type === ChatType.SYSTEM || isNotes) return { pin: true, remind: false };
  if (type === ChatType.PRIVATE) {
    const friend = friends[targetId];
    const isFriend = friend?.isDeleted === false;
    return { pin: isFriend || (friend !== undefined && isTop), remind: isFriend };
  }
  const group = byId[targetId];
  const hasEnded = group !== undefined && (group.quit || group.dissolve);
  return { pin: !hasEnded, remind: !hasEnded };
}

/** Shows the reason if a change failed; the core has already reverted it. */
export async function showFailure(change: Promise<Result<null>>): Promise<void> {
  const result = await change;
  if (!result.ok) toasts.failure(result.failure);
}
