import { useRef, useState } from "react";
import {
  Bell,
  BellOff,
  BellRing,
  MessageSquareDot,
  MessageSquareText,
  Pin,
  PinOff,
  Trash2,
} from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import type { Chat, ChatKey, Contacts, Groups, Result } from "@parley/core/model/state";
import { hasDraft } from "@parley/core/model/chats/has-draft";
import { isMuted } from "@parley/core/model/selectors";
import { ALERT_LEVELS } from "../../../kit/alert-levels.ts";
import { isNotesChat } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { MenuAt, MenuItem, MenuRadioGroup, MenuSeparator, SubMenu } from "../../../ui/menu.tsx";
import type { Point } from "../../../ui/use-menu-point.ts";

interface ChatMenuProps {
  chatKey: ChatKey;
  /** Where the menu opens; null: show only the dialog to delete the chat. */
  menuAt: Point | null;
  /** The element that gets the focus back. */
  opener: HTMLElement | null;
  onClose: () => void;
  onRemoved: () => void;
}

/** The context menu of a chat in the list, and the dialog to delete the chat. */
export function ChatMenu({ chatKey, menuAt, opener, onClose, onRemoved }: ChatMenuProps) {
  const t = useText();
  const { chats } = useClient();
  const chat = useClientState((state) => state.chats.byKey[chatKey]);
  const friends = useClientState((state) => state.contacts.friends);
  const groups = useClientState((state) => state.groups);
  const isNotes = useClientState((state) => isNotesChat(chatKey, state.me));
  const [isConfirming, setConfirming] = useState(menuAt === null);
  const willConfirm = useRef(false);
  if (chat === undefined) return null;
  if (isConfirming) {
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
          chats.remove(chatKey);
        }}
      />
    );
  }
  const isChatMuted = isMuted(chat);
  const available = availableSettings(chat, friends, groups, isNotes);
  const isUnread = chat.unread > 0 || chat.isMarkedUnread;
  return (
    <MenuAt
      x={menuAt?.x ?? 0}
      y={menuAt?.y ?? 0}
      label={t("chatMenu.label")}
      opener={opener}
      // The dialog opens after the menu has closed.
      onClose={() => (willConfirm.current ? setConfirming(true) : onClose())}
    >
      {available.pin && (
        <MenuItem
          icon={chat.isTop ? <PinOff {...ICON_PROPS} /> : <Pin {...ICON_PROPS} />}
          onSelect={() => void showFailure(chats.setTop(chatKey, !chat.isTop))}
        >
          {t(chat.isTop ? "chatMenu.unpin" : "chatMenu.pin")}
        </MenuItem>
      )}
      {chat.type === ChatType.GROUP && available.remind && (
        <SubMenu
          icon={isChatMuted ? <BellOff {...ICON_PROPS} /> : <BellRing {...ICON_PROPS} />}
          label={t("remind.label")}
          width={208}
        >
          <MenuRadioGroup
            label={t("remind.label")}
            value={String(chat.msgRemind)}
            items={ALERT_LEVELS.map((value) => ({ value: String(value), text: t(`remind.${value}`) }))}
            onChange={(value) => void showFailure(chats.setAlerts(chatKey, Number(value)))}
          />
        </SubMenu>
      )}
      {chat.type === ChatType.PRIVATE && available.remind && (
        <MenuItem
          icon={isChatMuted ? <Bell {...ICON_PROPS} /> : <BellOff {...ICON_PROPS} />}
          onSelect={() => void showFailure(chats.setAlerts(chatKey, isChatMuted ? 1 : 0))}
        >
          {t(isChatMuted ? "chatMenu.unmute" : "chatMenu.mute")}
        </MenuItem>
      )}
      <MenuItem
        icon={isUnread ? <MessageSquareText {...ICON_PROPS} /> : <MessageSquareDot {...ICON_PROPS} />}
        onSelect={() => (isUnread ? chats.markRead(chatKey) : chats.markUnread(chatKey))}
      >
        {t(isUnread ? "chatMenu.markRead" : "chatMenu.markUnread")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 {...ICON_PROPS} />}
        keys="Del"
        isDanger
        onSelect={() => (willConfirm.current = true)}
      >
        {t("chatMenu.delete")}
      </MenuItem>
    </MenuAt>
  );
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
): { readonly pin: boolean; readonly remind: boolean } {
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
async function showFailure(change: Promise<Result<null>>): Promise<void> {
  const result = await change;
  if (!result.ok) toasts.failure(result.failure);
}
