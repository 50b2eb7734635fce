import { memo } from "react";
import { Bell, CircleAlert, Clock3, Pin } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import type { Chat, ChatKey } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import { usePerson } from "../../../kit/people.ts";
import { listTime } from "../../../kit/time-text.ts";
import { isMuted } from "@parley/core/model/selectors";
import { useClientState } from "../../../kit/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_14, ICON } from "../../../ui/icon.ts";
import { useIsMobile } from "../../../ui/use-media.ts";
import { previewText } from "../preview-text.ts";
import { SYSTEM_AVATAR } from "../system/system-avatar.ts";
import styles from "./chat-row.module.css";

interface ChatRowProps {
  id: string;
  chatKey: ChatKey;
  /** 1-based. */
  place: number;
  count: number;
  isOpen: boolean;
  /** Where the arrow keys are. */
  isActive: boolean;
  isCollapsed: boolean;
  onOpen: (key: ChatKey) => void;
}

export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const { id, chatKey, place, count, isOpen, isActive, isCollapsed, onOpen } = props;
  const t = useText();
  const locale = useLocale();
  const isMobile = useIsMobile();
  const chat = useClientState((state) => state.chats.byKey[chatKey]);
  const person = usePerson(chat?.targetId ?? 0);
  if (chat === undefined) return <div />;
  const name = chatName(chat, person.name, t);
  const preview = previewText(chat.preview, t);
  const hasDraft = chat.draft.trim() !== "" && !isOpen;
  const time = chat.lastSendTime > 0 ? listTime(chat.lastSendTime, Date.now(), locale, t) : "";
  const label = [
    name,
    chat.unread > 0 && t("chat.unreadCount", { count: chat.unread }),
    hasDraft ? `${t("chat.draft")} ${chat.draft}` : preview,
    time,
    chat.isTop && t("chat.pinned"),
  ];
  return (
    <div
      id={id}
      role="option"
      aria-selected={isOpen}
      aria-posinset={place}
      aria-setsize={count}
      className={classNames(
        styles.row,
        chat.isTop && styles.pinned,
        isOpen && styles.open,
        isActive && styles.active,
        isCollapsed && styles.collapsed,
      )}
      data-chat={chatKey}
      data-tip={isCollapsed ? [name, preview].filter(Boolean).join("\n") : undefined}
      data-tip-side="right"
      onClick={() => onOpen(chatKey)}
    >
      {/* The row's name; what is seen of it follows another order. */}
      <span className="visually-hidden">{label.filter(Boolean).join(t("app.listSeparator"))}</span>
      <Avatar
        name={name}
        url={person.picture}
        id={chat.type === ChatType.SYSTEM ? SYSTEM_AVATAR : chat.targetId}
        size={isMobile ? 48 : 40}
        shape={chat.type === ChatType.PRIVATE ? "circle" : "rounded"}
        isOnline={chat.type === ChatType.PRIVATE && person.isOnline}
        icon={chat.type === ChatType.SYSTEM ? <Bell {...ICON} /> : undefined}
      />
      {isCollapsed ? (
        <Badge count={chat.unread} className={styles.corner} />
      ) : (
        <div className={styles.words} aria-hidden="true">
          <div className={styles.top}>
            <span className={styles.name}>
              <bdi>{name}</bdi>
            </span>
            <span className={styles.time}>{time}</span>
          </div>
          <div className={styles.bottom}>
            <span className={styles.preview}>
              {hasDraft ? (
                <>
                  <span className={styles.mark}>{t("chat.draft")}</span> <bdi>{chat.draft}</bdi>
                </>
              ) : (
                <>
                  <SendingMark chat={chat} />
                  <bdi>{preview}</bdi>
                </>
              )}
            </span>
            {chat.unread > 0 ? (
              <Badge count={chat.unread} isMuted={isMuted(chat)} />
            ) : (
              chat.isTop && (
                <span className={styles.pin}>
                  <Pin {...ICON_14} />
                </span>
              )
            )}
          </div>
        </div>
      )}
    </div>
  );
});

/** What the chat is called: the person, or the system chat's own name. */
function chatName(chat: Pick<Chat, "type" | "targetId">, person: string, t: Text): string {
  if (chat.type === ChatType.SYSTEM) return t("chat.system");
  return chat.type === ChatType.GROUP ? t("chat.group", { id: chat.targetId }) : person;
}

function SendingMark({ chat }: { chat: Chat }) {
  const sending = chat.preview?.sending ?? null;
  if (sending === null) return null;
  return sending === "failed" ? (
    <span className={classNames(styles.sending, styles.failed)}>
      <CircleAlert {...ICON_14} />
    </span>
  ) : (
    <span className={styles.sending}>
      <Clock3 {...ICON_14} />
    </span>
  );
}
