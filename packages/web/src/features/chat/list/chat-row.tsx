import { memo } from "react";
import { BellOff, CircleAlert, Clock3, Pin } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import type { Chat, ChatKey, State } from "@parley/core/model/state";
import { ChatAvatar } from "../../../kit/chat-avatar.tsx";
import { useChatAppearance } from "../../../kit/chat-name.ts";
import { emoticonsToText, useEmoticonNames } from "../../../kit/emoticon-names.ts";
import { hasEmoticon } from "@parley/protocol/emoticons";
import { memberNameOf } from "../../../kit/group.ts";
import { useLocale, useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import { previewText } from "../../../kit/preview-text.ts";
import { listTime } from "../../../kit/time-text.ts";
import { isMuted } from "@parley/core/model/selectors";
import { useClientState } from "../../../kit/use-client.ts";
import { useToday } from "../../../kit/use-today.ts";
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
  /** Where the arrow keys are. */
  isActive: boolean;
  isCollapsed: boolean;
  onOpen: (key: ChatKey) => void;
}

export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const { id, chatKey, position, count, isOpen, isActive, isCollapsed, onOpen } = props;
  const t = useText();
  const locale = useLocale();
  useToday();
  const isMobile = useIsMobile();
  const chat = useClientState((state) => state.chats.byKey[chatKey]);
  const appearance = useChatAppearance(chatKey);
  const { name } = appearance;
  const me = useClientState((state) => state.me?.id ?? null);
  const sender = useClientState((state) => senderOf(chat, state, t));
  const ended = useClientState((state) => endedText(chat, state));
  const unsent = chat === undefined ? "" : unsentText(chat);
  useEmoticonNames(hasEmoticon((chat?.preview?.text ?? "") + unsent));
  const common = { id, position, count, isSelected: isOpen, isActive, isCollapsed };
  const open = { "data-chat": chatKey, onClick: () => onOpen(chatKey) };
  const picture = <ChatAvatar appearance={appearance} size={isMobile ? 48 : 40} />;
  // Found before it was begun.
  if (chat === undefined)
    return <ListRow {...common} {...open} label={name} tip={name} picture={picture} name={name} />;
  const words = previewText(chat.preview, t, me);
  const preview = sender === null ? words : t("chat.announce", { name: sender, text: words });
  const draft = emoticonsToText(unsent, t);
  const hasDraft = unsent !== "" && !isOpen;
  const time = chat.lastSendTime > 0 ? listTime(chat.lastSendTime, Date.now(), locale, t) : "";
  const isSilent = isMuted(chat);
  const called = chat.atMe ? "atMe" : chat.atAll ? "atAll" : null;
  const label = [
    name,
    ended !== null && t(`chat.${ended}`),
    chat.unread > 0
      ? t("chat.unreadCount", { count: chat.unread })
      : chat.isMarkedUnread && t("chat.markedUnread"),
    called !== null && t(`chat.${called}Label`),
    hasDraft ? `${t("chat.draft")} ${draft}` : preview,
    time,
    chat.isTop && t("chat.pinned"),
    isSilent && t("chat.muted"),
  ];
  const badge = (className?: string) => (
    <Badge count={chat.unread} isMuted={isSilent} isMarked={chat.isMarkedUnread} className={className} />
  );
  return (
    <ListRow
      {...common}
      {...open}
      isTinted={chat.isTop}
      label={label.filter(Boolean).join(t("app.listSeparator"))}
      tip={[name, called !== null && t(`chat.${called}Label`), preview].filter(Boolean).join("\n")}
      picture={picture}
      corner={badge(styles.corner)}
      name={name}
      beside={
        <>
          {ended !== null && (
            <span className={styles.ended}>
              <Chip>{t(`chat.${ended}`)}</Chip>
            </span>
          )}
          {isSilent && <BellOff {...ICON_PROPS_14} className={classNames(styles.quiet, styles.muted)} />}
          <span className={styles.time}>{time}</span>
        </>
      }
      second={
        hasDraft && called === null ? (
          <>
            <span className={styles.mark}>{t("chat.draft")}</span> <bdi>{draft}</bdi>
          </>
        ) : (
          <>
            {called !== null && <span className={styles.mark}>{t(`chat.${called}`)} </span>}
            {isSilent &&
              chat.unread > 1 &&
              called === null &&
              `${t("chat.mutedCount", { count: chat.unread })} `}
            <SendingMark chat={chat} />
            <bdi>{preview}</bdi>
          </>
        )
      }
      end={
        chat.unread > 0 || chat.isMarkedUnread
          ? badge()
          : chat.isTop && <Pin {...ICON_PROPS_14} className={styles.quiet} />
      }
    />
  );
});

/** Who wrote the last line of a group; null when it says so itself, or was me. */
function senderOf(chat: Chat | undefined, state: State, t: Text): string | null {
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

/** Why nothing can happen in a group any more; null: it can. */
function endedText(chat: Chat | undefined, { groups }: State): "dissolved" | "left" | null {
  const group = chat?.type === ChatType.GROUP ? groups.byId[chat.targetId] : undefined;
  if (group === undefined) return null;
  return group.dissolve ? "dissolved" : group.quit ? "left" : null;
}

/** What was begun here: a draft, else an edit. */
function unsentText({ draft, draftEdit }: Chat): string {
  return draft.trim() === "" ? (draftEdit?.text.trim() ?? "") : draft;
}

function SendingMark({ chat }: { chat: Chat }) {
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
