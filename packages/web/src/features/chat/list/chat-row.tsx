import { memo, useMemo } from "react";
import { BellOff, CircleAlert, Clock3, Phone, Pin } from "lucide-react";
import { ChatType, MessageType } from "@parley/protocol/codes";
import { isVisible } from "@parley/protocol/text";
import { isMarkedUnread, isMuted } from "@parley/core/model/chats/chat-prefs";
import { listedChat } from "@parley/core/model/chats/first-chats";
import type { Chat, ChatKey, State } from "@parley/core/model/state";
import { ChatAvatar } from "../../../kit/chats/chat-avatar.tsx";
import { useAlertLevelEnd } from "../../../kit/chats/alert-level-end.ts";
import { useChatAppearance } from "../../../kit/chats/chat-name.ts";
import { emoticonsToText } from "../../../kit/i18n/emoticon-names.ts";
import { memberNameOf } from "../../../kit/chats/group.ts";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import type { Translate } from "../../../kit/i18n/i18n.ts";
import { previewText } from "../../../kit/chats/preview-text.ts";
import { useReactionNoticeText } from "../../../kit/chats/reaction-notice-text.ts";
import { useTypingText } from "../../../kit/chats/typing-text.ts";
import { listTime, useToday } from "../../../kit/i18n/time-text.ts";
import { hasGroupCall } from "@parley/core/model/selectors";
import { useClientState } from "../../../kit/loading/use-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS_14 } from "../../../ui/icon-props.ts";
import { ListRow } from "../../../ui/listbox.tsx";
import { useIsMobile } from "../../../ui/use-media.ts";
import styles from "./chat-row.module.css";

interface ChatRowProps {
  id: string;
  chatKey: ChatKey;
  /** 1-based. */
  position: number;
  count: number;
  isOpen: boolean;
  /** The row that arrow keys have reached. */
  isActive: boolean;
  isCollapsed: boolean;
  onOpen: (key: ChatKey) => void;
}

/** A chat in the list: avatar, name, preview, time and unread count. */
export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const { id, chatKey, position, count, isOpen, isActive, isCollapsed, onOpen } = props;
  const t = useText();
  const locale = useLocale();
  useToday();
  const isMobile = useIsMobile();
  const known = useClientState((state) => state.chats.byKey[chatKey]);
  const first = useClientState((state) => state.firstChats?.byKey[chatKey]?.chat);
  const chat = useMemo(() => listedChat(first, known), [first, known]);
  const appearance = useChatAppearance(chatKey);
  const { name } = appearance;
  const me = useClientState((state) => state.me?.id ?? null);
  const sender = useClientState((state) => senderOf(chat, state, t));
  const ended = useClientState((state) => endedText(chat, state));
  const isMarked = useClientState((state) => chat !== undefined && isMarkedUnread(state, chat));
  const isInCall = useClientState(
    (state) => chat?.type === ChatType.GROUP && hasGroupCall(state, chat.targetId),
  );
  const typing = useTypingText(chatKey);
  const reacted = useReactionNoticeText(chatKey);
  const levelEnd = useAlertLevelEnd(chat);
  const unsent = chat === undefined ? "" : unsentText(chat, t);
  const rowProps = { id, position, count, isSelected: isOpen, isActive, isCollapsed };
  const chatProps = { "data-chat": chatKey, onClick: () => onOpen(chatKey) };
  const picture = <ChatAvatar appearance={appearance} size={isMobile ? 48 : 40} />;
  // A search can find a chat that has no messages yet.
  if (chat === undefined)
    return <ListRow {...rowProps} {...chatProps} label={name} tooltip={name} picture={picture} name={name} />;
  const text = previewText(chat.preview, t, me);
  const senderLabel = sender === null ? "" : t("chat.announce", { name: sender, text: "" });
  const preview = reacted ?? senderLabel + text;
  const draft = emoticonsToText(unsent, t);
  const hasDraft = unsent !== "" && !isOpen;
  const time = chat.lastSendTime > 0 ? listTime(chat.lastSendTime, Date.now(), locale, t) : "";
  const isChatMuted = isMuted(chat);
  const mutedText = levelEnd === null ? t("chat.muted") : t("chat.mutedUntil", { time: levelEnd });
  const mention = chat.atMe ? "atMe" : chat.atAll ? "atAll" : null;
  const marker = mention ?? (hasDraft ? "draft" : null);
  const label = [
    name,
    ended !== null && t(`chat.${ended}`),
    isInCall && t("groupCall.running"),
    chat.unread > 0 ? t("chat.unreadCount", { count: chat.unread }) : isMarked && t("chat.markedUnread"),
    mention !== null && t(`chat.${mention}Label`),
    hasDraft ? `${t("chat.draft")} ${draft}` : preview,
    time,
    chat.isTop && t("chat.pinned"),
    isChatMuted && mutedText,
  ];
  const badge = (className?: string) => (
    <Badge count={chat.unread} isMuted={isChatMuted} isMarked={isMarked} className={className} />
  );
  return (
    <ListRow
      {...rowProps}
      {...chatProps}
      isTinted={chat.isTop}
      label={label.filter(Boolean).join(t("app.listSeparator"))}
      tooltip={[
        name,
        isInCall && t("groupCall.running"),
        mention !== null && t(`chat.${mention}Label`),
        preview,
      ]
        .filter(Boolean)
        .join("\n")}
      picture={picture}
      corner={badge(styles.corner)}
      name={name}
      beside={
        <>
          {ended !== null && (
            <span className={styles.endedChip}>
              <Chip>{t(`chat.${ended}`)}</Chip>
            </span>
          )}
          {isInCall && <Phone {...ICON_PROPS_14} className={classNames(styles.icon, styles.call)} />}
          {isChatMuted && (
            <span className={styles.icon} data-tip={mutedText}>
              <BellOff {...ICON_PROPS_14} className={styles.muted} />
            </span>
          )}
        </>
      }
      time={time}
      second={
        <>
          {marker !== null && <span className={styles.marker}>{t(`chat.${marker}`)} </span>}
          {marker !== "draft" && typing === null && reacted === null && (
            <>
              {isChatMuted && chat.unread > 1 && marker === null && (
                <span>{t("chat.mutedCount", { count: chat.unread })} </span>
              )}
              <SendingIcon chat={chat} />
              {sender !== null && <bdi>{senderLabel}</bdi>}
            </>
          )}
          {/* The name of the row stays as it is, so that screen readers do not repeat it. */}
          {marker !== "draft" && typing !== null ? (
            <bdi className={styles.typing}>{typing}</bdi>
          ) : (
            <bdi>{marker === "draft" ? draft : (reacted ?? text)}</bdi>
          )}
        </>
      }
      end={
        chat.unread > 0 || isMarked
          ? badge()
          : chat.isTop && <Pin {...ICON_PROPS_14} className={styles.icon} />
      }
    />
  );
});

/** The sender to show before the preview of a group; null for tips and my own messages. */
function senderOf(chat: Chat | undefined, state: State, t: Translate): string | null {
  if (chat?.type !== ChatType.GROUP || chat.preview === null) return null;
  const { sendId, tip } = chat.preview;
  if (tip !== null || sendId === state.me?.id || sendId <= 0) return null;
  const { newest } = chat.sync;
  return memberNameOf(
    state,
    chat.targetId,
    sendId,
    newest?.preview.sendId === sendId ? newest.sendNickName : null,
    t,
  );
}

/** Why a group chat has ended; null if it has not. */
function endedText(chat: Chat | undefined, { groups }: State): "dissolved" | "left" | null {
  const group = chat?.type === ChatType.GROUP ? groups.byId[chat.targetId] : undefined;
  if (group === undefined) return null;
  return group.dissolve ? "dissolved" : group.quit ? "left" : null;
}

/** The unsent content of a chat: the text of its draft, or else an unfinished edit, or else the kind of the first file that waits. */
function unsentText({ draft, draftEdit, draftFiles: [file] }: Chat, t: Translate): string {
  if (isVisible(draft)) return draft;
  const edit = draftEdit?.text.trim() ?? "";
  return edit === "" && file !== undefined ? t(FILE_PREVIEWS[file.type]) : edit;
}

const FILE_PREVIEWS = {
  [MessageType.IMAGE]: "preview.image",
  [MessageType.FILE]: "preview.file",
  [MessageType.VIDEO]: "preview.video",
} as const;

function SendingIcon({ chat }: { chat: Chat }) {
  const sending = chat.preview?.sending ?? null;
  if (sending === null) return null;
  return sending === "failed" ? (
    <span className={classNames(styles.sending, styles.failed)}>
      <CircleAlert {...ICON_PROPS_14} />
    </span>
  ) : (
    <span className={styles.sending}>
      <Clock3 {...ICON_PROPS_14} />
    </span>
  );
}
