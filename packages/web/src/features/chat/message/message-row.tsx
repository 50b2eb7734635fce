import { memo, useState } from "react";
import { CircleAlert } from "lucide-react";
import { kindOf } from "@parley/protocol/message";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { failureText } from "../../../kit/failure-text.ts";
import { useLocale, useText } from "../../../kit/i18n.ts";
import type { Person } from "../../../kit/person.ts";
import { clockTime } from "../../../kit/time-text.ts";
import { useClient } from "../../../kit/use-client.ts";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { Bubble } from "./bubbles/bubble.tsx";
import type { RunPosition } from "./bubbles/bubble-frame.tsx";
import type { DeliveryStatus } from "./delivery-status.ts";
import { SelectionCheckbox } from "./selection-checkbox.tsx";
import { toggleSelected, useConversationUi, useConversationUiState } from "./conversation-ui.ts";
import { HoverBar } from "./hover-bar.tsx";
import { messageLabel } from "./message-summary.ts";
import { canResend } from "./message-actions.ts";
import { hasReceipt, ReceiptStatus } from "./receipt-status.tsx";
import { RowAvatar, SenderLine, statusText } from "./row-parts.tsx";
import { useCanWrite } from "./use-can-write.ts";
import { useRowGestures } from "./use-row-gestures.ts";
import styles from "./message-row.module.css";

interface MessageRowProps {
  chatKey: ChatKey;
  message: ChatMessage;
  position: RunPosition;
  sender: Person;
  /** The role of a group member. If given, name and role are shown above the first message of a run. */
  role?: number;
  status: DeliveryStatus | null;
}

/** A message with avatar, bubble and status. */
export const MessageRow = memo(function MessageRow({
  chatKey,
  message,
  position,
  sender,
  role,
  status,
}: MessageRowProps) {
  const t = useText();
  const locale = useLocale();
  const client = useClient();
  const ui = useConversationUi();
  const canWrite = useCanWrite();
  const isSelecting = useConversationUiState((state) => state.selected !== null);
  const isSelected = useConversationUiState((state) => state.selected?.has(message.key) === true);
  const hasMenu = useConversationUiState((state) => state.messageMenu?.key === message.key);
  const [isHovered, setHovered] = useState(false);
  const { openMenu, ...gestures } = useRowGestures(message, canWrite);
  const isMine = message.selfSend;
  const isFirst = position === "single" || position === "top";
  const { tmpId } = message;
  const isFailed = message.sending === "failed";
  const statusLine = statusText(status, t);
  const reason = isFailed && message.failure !== null ? failureText(message.failure, t) : t("chat.notSent");
  const label = [
    isMine ? t("chat.me") : sender.name,
    messageLabel(message, t),
    clockTime(message.sendTime, locale),
    isFailed ? reason : statusLine,
  ];
  return (
    // The gap above is outside the row: it depends on the message before, and the row itself must not change with it.
    <div className={isFirst ? styles.first : styles.joined}>
      <div
        className={classNames(styles.row, isMine && styles.mine, isSelecting && styles.choosing)}
        role="article"
        aria-label={label.filter(Boolean).join(t("app.listSeparator"))}
        tabIndex={-1}
        data-key={message.key}
        data-mid={message.id ?? tmpId ?? message.key}
        data-seen-id={isMine ? undefined : (message.id ?? undefined)}
        {...gestures}
        onClick={isSelecting && message.id !== null ? () => toggleSelected(ui, message) : undefined}
        onPointerEnter={(event) => event.pointerType === "mouse" && setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        onFocus={(event) => event.target.matches(":focus-visible") && setHovered(true)}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setHovered(false)}
      >
        {isSelecting && (
          <SelectionCheckbox message={message} isSelected={isSelected} className={styles.checkbox} />
        )}
        <div className={styles.avatarColumn} inert={isSelecting}>
          {isFirst && <RowAvatar sender={sender} message={message} />}
        </div>
        <div className={styles.body} inert={isSelecting}>
          {isFirst && role !== undefined && <SenderLine sender={sender} role={role} />}
          <div className={styles.line}>
            {isFailed && tmpId !== null && canResend(message) && (
              <IconButton
                label={`${t("chat.resend")}${t("app.listSeparator")}${reason}`}
                size={32}
                isDanger
                onClick={() => client.chats.resend(chatKey, tmpId)}
              >
                <CircleAlert {...ICON_PROPS} />
              </IconButton>
            )}
            <div className={styles.bubble} data-mine={isMine || undefined}>
              <Bubble chatKey={chatKey} message={message} position={position} />
              {(isHovered || hasMenu) && !isSelecting && message.id !== null && (
                <HoverBar message={message} canWrite={canWrite} onMenu={openMenu} />
              )}
            </div>
          </div>
          {isFailed && tmpId !== null ? (
            <FailedStatus
              chatKey={chatKey}
              tmpId={tmpId}
              reason={reason}
              canResend={canResend(message)}
              isExplained={hasFile(message)}
            />
          ) : (
            statusLine !== null && <div className={styles.status}>{statusLine}</div>
          )}
          {hasReceipt(message) && (
            <div className={styles.status}>
              <ReceiptStatus message={message} />
            </div>
          )}
        </div>
      </div>
    </div>
  );
});

interface FailedStatusProps {
  chatKey: ChatKey;
  tmpId: string;
  reason: string;
  canResend: boolean;
  /** The reason is shown, and not only in the tooltip: with a file there is more that can be wrong. */
  isExplained: boolean;
}

function hasFile({ type }: ChatMessage): boolean {
  return kindOf(type)?.fileFields !== undefined;
}

/** Says that a message was not sent, and offers what can be done about it. */
function FailedStatus({ chatKey, tmpId, reason, canResend, isExplained }: FailedStatusProps) {
  const t = useText();
  const { chats } = useClient();
  return (
    <div className={classNames(styles.status, styles.failed)} data-tip={reason}>
      <span>{isExplained ? reason : t("chat.notSent")}</span>
      {canResend && (
        <>
          <span aria-hidden="true">·</span>
          <button type="button" onClick={() => chats.resend(chatKey, tmpId)}>
            {t("chat.resend")}
          </button>
        </>
      )}
      <span aria-hidden="true">·</span>
      <button type="button" onClick={() => chats.discard(chatKey, tmpId)}>
        {t("chat.discard")}
      </button>
    </div>
  );
}
