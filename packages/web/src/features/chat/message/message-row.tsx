import { memo, useMemo, useState } from "react";
import { CircleAlert } from "lucide-react";
import { RequestSource } from "@parley/protocol/codes";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { failureText } from "../../../kit/failure-text.ts";
import { useLocale, useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import type { Person } from "../../../kit/person.ts";
import { RoleChip } from "../../../kit/role-chip.tsx";
import { clockTime } from "../../../kit/time-text.ts";
import { useClient } from "../../../kit/use-client.ts";
import { lazyHook } from "../../../kit/lazy-hook.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { avatarColour } from "../../../ui/initials.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { Bubble } from "./bubbles/bubble.tsx";
import type { RunPosition } from "./bubbles/bubble-frame.tsx";
import type { DeliveryStatus } from "./delivery-status.ts";
import { openUserCard } from "../../../kit/open-user-card.ts";
import { SelectionCheckbox } from "./selection-checkbox.tsx";
import { toggleSelected, useConversationUi, useConversationUiState } from "./conversation-ui.ts";
import { HoverBar } from "./hover-bar.tsx";
import { messageSummary } from "./message-summary.ts";
import { hasReceipt, ReceiptStatus } from "./receipt-status.tsx";
import { useCanWrite } from "./use-can-write.ts";
import { useRowGestures } from "./use-row-gestures.ts";
import styles from "./message-row.module.css";

/** Only groups need them. */
const useAvatarGestures = lazyHook(() => import("../group-modules.ts").then((part) => part.avatarGestures));

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
    messageSummary(message, t),
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
        {isSelecting && <SelectionCheckbox message={message} isSelected={isSelected} />}
        <div className={styles.avatarColumn} inert={isSelecting}>
          {isFirst &&
            (isMine ? <PersonAvatar person={sender} /> : <SenderAvatar sender={sender} message={message} />)}
        </div>
        <div className={styles.body} inert={isSelecting}>
          {isFirst && role !== undefined && (
            <div className={styles.sender} data-text>
              <bdi className={styles.name} style={{ color: `var(--name${avatarColour(sender.id)})` }}>
                {sender.name}
              </bdi>
              <RoleChip role={role} />
            </div>
          )}
          <div className={styles.line}>
            {isFailed && tmpId !== null && (
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
            <FailedStatus chatKey={chatKey} tmpId={tmpId} reason={reason} />
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

function PersonAvatar({ person: { id, name, picture } }: { person: Person }) {
  return <Avatar name={name} url={picture} id={id} size={36} />;
}

/** The avatar of somebody else. A click opens their card; members of a group have more gestures. */
function SenderAvatar({ sender, message }: { sender: Person; message: ChatMessage }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isGroup = message.group !== null;
  const avatarGestures = useAvatarGestures(isGroup);
  const { sendId: userId, sendNickName: name } = message;
  const gestures = useMemo(
    () => avatarGestures?.(client, ui, { userId, name }),
    [avatarGestures, client, ui, userId, name],
  );
  return (
    <button
      type="button"
      className={styles.avatar}
      aria-label={t("card.open", { name: sender.name })}
      {...gestures}
      onClick={(event) =>
        openUserCard(sender.id, event.currentTarget, isGroup ? RequestSource.GROUP : undefined)
      }
    >
      <PersonAvatar person={sender} />
    </button>
  );
}

/** Says that a message was not sent, and offers what can be done about it. */
function FailedStatus({ chatKey, tmpId, reason }: { chatKey: ChatKey; tmpId: string; reason: string }) {
  const t = useText();
  const { chats } = useClient();
  return (
    <div className={classNames(styles.status, styles.failed)} data-tip={reason}>
      <span>{t("chat.notSent")}</span>
      <span aria-hidden="true">·</span>
      <button type="button" onClick={() => chats.resend(chatKey, tmpId)}>
        {t("chat.resend")}
      </button>
      <span aria-hidden="true">·</span>
      <button type="button" onClick={() => chats.discard(chatKey, tmpId)}>
        {t("chat.discard")}
      </button>
    </div>
  );
}

function statusText(status: DeliveryStatus | null, t: Text): string | null {
  if (status === null) return null;
  if (typeof status === "object") return t("chat.waitingNetwork", { count: status.waiting });
  return t(status === "read" ? "chat.read" : "chat.unread");
}
