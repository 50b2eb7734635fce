import type { ReactNode } from "react";
import { Bookmark, Check, Clock3, Pin } from "lucide-react";
import { isPinned } from "@parley/core/model/chats/pins";
import { hidesReads } from "@parley/core/model/chats/receipts";
import { isSaved } from "@parley/core/model/chats/saved-messages";
import { isMaskedQuote } from "@parley/core/model/chats/row-events";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { EVERYONE, MessageStatus } from "@parley/protocol/codes";
import type { QuoteMessage } from "@parley/protocol/message";
import { useLocale, useText } from "../../../../kit/i18n/i18n.ts";
import { myIdOf } from "../../../../kit/people/person.ts";
import { showMessage } from "../../../../kit/chats/show-message.ts";
import { clockTime, fullTime } from "../../../../kit/i18n/time-text.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS_14 } from "../../../../ui/icon-props.ts";
import { pictureOf } from "../media/media-content.ts";
import { quoteSummary, useSenderName } from "../message-summary.ts";
import styles from "./bubble.module.css";

/** The position of a message in a run of messages by the same sender. */
export type RunPosition = "single" | "top" | "mid" | "end";

/** The props of the bubble of every kind. */
export interface BubbleProps {
  chatKey: ChatKey;
  message: ChatMessage;
  position: RunPosition;
}

interface FrameProps extends BubbleProps {
  /**
   * `bare`: emoticons without a bubble; `faint`: a placeholder for what cannot be shown; `picture`: a picture that is the bubble, with the
   * time on it; `file` and `voice`: one line with the time in it.
   */
  variant?: "plain" | "bare" | "faint" | "card" | "picture" | "file" | "voice";
  children: ReactNode;
}

/** The bubble around the content of a message, with quote, time and state. */
export function BubbleFrame({ chatKey, message, position, variant = "plain", children }: FrameProps) {
  const side = message.selfSend ? styles.mine : styles.theirs;
  const isBubble = variant !== "bare" && variant !== "faint";
  const mentionsMe = useMentionsMe(message);
  return (
    <div
      className={classNames(
        styles.bubble,
        side,
        isBubble && styles[position],
        styles[variant],
        mentionsMe && styles.mentionsMe,
      )}
      dir="auto"
      data-bubble
      data-names-me={mentionsMe || undefined}
    >
      {message.quoteMessage !== null && <QuoteBlock chatKey={chatKey} quote={message.quoteMessage} />}
      {children}
      <MessageMeta chatKey={chatKey} message={message} />
    </div>
  );
}

/** A placeholder for a kind that this client cannot show. */
export function UnsupportedBubble(props: BubbleProps) {
  const t = useText();
  return (
    <BubbleFrame {...props} variant="faint">
      {t("chat.unsupported")}
    </BubbleFrame>
  );
}

/** The quoted message in one line, with a small picture if it is one. A click scrolls to it. */
function QuoteBlock({ chatKey, quote }: { chatKey: ChatKey; quote: QuoteMessage }) {
  const t = useText();
  const isUnavailable = quote.status === MessageStatus.RECALL || isMaskedQuote(quote);
  const text = quoteSummary(quote, t);
  const client = useClient();
  const thumb = isUnavailable ? null : (pictureOf(quote)?.thumbUrl ?? null);
  const name = useSenderName(chatKey, quote.sendId, null);
  return (
    <button
      type="button"
      className={styles.quote}
      aria-label={t("chat.quoted", { name, text })}
      disabled={isUnavailable}
      data-quote
      onClick={() => showMessage(chatKey, quote.id)}
    >
      {thumb !== null && (
        <img
          className={styles.thumb}
          src={client.fileUrl(thumb)}
          alt=""
          width={36}
          height={36}
          loading="lazy"
        />
      )}
      <span className={styles.lines}>
        {!isUnavailable && (
          <span className={styles.name} dir="auto">
            {name}
          </span>
        )}{" "}
        <span className={styles.text} dir="auto">
          {text}
        </span>
      </span>
    </button>
  );
}

/** Time and delivery state. It floats into the last line if there is room. A tooltip shows the full date and whether it was read. */
export function MessageMeta({ chatKey, message }: { chatKey: ChatKey; message: ChatMessage }) {
  const t = useText();
  const locale = useLocale();
  const { id, sendTime } = message;
  const isRead = useClientState(
    (state) =>
      message.selfSend &&
      id !== null &&
      !hidesReads(state) &&
      id <= (state.chats.byKey[chatKey]?.theirReadId ?? -1),
  );
  const isMarkedPinned = useClientState((clientState) => isPinned(message, clientState));
  const isMarkedSaved = useClientState((clientState) => isSaved(clientState, id));
  const sending = message.selfSend && message.sending !== "failed" ? message.sending : undefined;
  const state =
    sending === undefined ? null : t(sending !== null ? "chat.sending" : isRead ? "chat.read" : "chat.sent");
  const editedText =
    message.isEdited && message.editedAt !== null
      ? `${t("chat.edited")} ${fullTime(message.editedAt, locale)}`
      : null;
  const tooltip = [fullTime(sendTime, locale), state, editedText].filter(Boolean).join(" · ");
  const Icon = sending === null ? Check : Clock3;
  return (
    <span className={styles.meta} data-meta>
      <span className={styles.metaLine} dir="ltr" data-tip={tooltip} data-tip-side="top">
        {isMarkedPinned && (
          <span role="img" aria-label={t("pin.mark")}>
            <Pin {...ICON_PROPS_14} />
          </span>
        )}
        {isMarkedSaved && (
          <span role="img" aria-label={t("saved.mark")}>
            <Bookmark {...ICON_PROPS_14} />
          </span>
        )}
        {message.isEdited && <span>{t("chat.edited")}</span>}
        {state !== null && (
          <span role="img" aria-label={state}>
            <Icon {...ICON_PROPS_14} />
          </span>
        )}
        <time dateTime={new Date(sendTime).toISOString()}>{clockTime(sendTime, locale)}</time>
      </span>
    </span>
  );
}

/** Whether a message of somebody else mentions me or everyone. */
function useMentionsMe({ selfSend, group }: ChatMessage): boolean {
  return useClientState((state) => {
    if (selfSend || group === null || group.atUserIds.length === 0) return false;
    const myId = myIdOf(state);
    return group.atUserIds.some((id) => isMentionOfMe(id, myId));
  });
}

/** Whether a mentioned id is me or everyone. */
export function isMentionOfMe(id: number, myId: number): boolean {
  return id === myId || id === EVERYONE;
}
