import { type ComponentProps, memo, useMemo, useState } from "react";
import { CircleAlert } from "lucide-react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { RequestSource } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import { failureText } from "../../../kit/i18n/failure-text.ts";
import { roleOf, useMember } from "../../../kit/chats/group.ts";
import { type Translate, useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { openUserCard } from "../../../kit/dialogs/open-dialog.ts";
import type { Person } from "../../../kit/people/person.ts";
import { RoleChip } from "../../../kit/chats/role-chip.tsx";
import { clockTime } from "../../../kit/i18n/time-text.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { avatarColour } from "../../../ui/initials.ts";
import { avatarGestures } from "./avatar-gestures.ts";
import { Bubble } from "./bubbles/bubble.tsx";
import type { RunPosition } from "./bubbles/bubble-frame.tsx";
import { toggleSelected, useConversationUi, useConversationUiState } from "./conversation-ui.ts";
import type { DeliveryStatus } from "./message-state.ts";
import { HoverBar } from "./hover-bar.tsx";
import { PictureCells } from "./media/pictures.tsx";
import { pictureGrid, useMaxPicturePx } from "./media/picture-box.ts";
import { canResend, useMessageActions } from "./message-actions.ts";
import { messageLabel } from "./message-summary.ts";
import { ReactionChips } from "./reactions/reaction-chips.tsx";
import { SelectionCheckbox } from "./selection-checkbox.tsx";
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
  const isSelecting = useConversationUiState((state) => state.selected !== null);
  const isSelected = useConversationUiState((state) => state.selected?.has(message.key) === true);
  const hasMenu = useConversationUiState((state) => state.messageMenu?.key === message.key);
  const [isHovered, setHovered] = useState(false);
  const { openMenu, ...gestures } = useRowGestures(message);
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
                <HoverBar message={message} onMenu={openMenu} />
              )}
            </div>
          </div>
          <ReactionChips message={message} />
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

interface PicturesRowProps {
  chatKey: ChatKey;
  messages: readonly ChatMessage[];
  position: RunPosition;
  sender: Person;
  /** As for `MessageRow`. */
  role?: number;
  status: DeliveryStatus | null;
  /** The message that somebody has jumped to. */
  flashingId: number | null;
}

/** Consecutive pictures of one sender as one grid. Each cell is a message with its own menu, selection and state. */
export function PicturesRow(props: PicturesRowProps) {
  const { chatKey, messages, position, sender, role, status, flashingId } = props;
  const t = useText();
  const isSelecting = useConversationUiState((state) => state.selected !== null);
  const grid = pictureGrid(messages.length, useMaxPicturePx());
  const [first] = messages;
  if (first === undefined) return null;
  const isFirst = position === "single" || position === "top";
  const statusLine = statusText(status, t);
  return (
    <div className={isFirst ? styles.first : styles.joined}>
      <div className={classNames(styles.row, first.selfSend && styles.mine)}>
        <div className={styles.avatarColumn} inert={isSelecting}>
          {isFirst && <RowAvatar sender={sender} message={first} />}
        </div>
        <div className={styles.body}>
          {isFirst && role !== undefined && <SenderLine sender={sender} role={role} />}
          <PictureCells
            chatKey={chatKey}
            messages={messages}
            grid={grid}
            senderName={first.selfSend ? t("chat.me") : sender.name}
            status={statusLine}
            flashingId={flashingId}
          />
          {messages.map((message, index) => (
            <ReactionChips
              key={message.key}
              message={message}
              title={t("reaction.picture", { number: index + 1 })}
            />
          ))}
          {statusLine !== null && <div className={styles.status}>{statusLine}</div>}
        </div>
      </div>
    </div>
  );
}

interface MemberMessageProps {
  chatKey: ChatKey;
  message: ChatMessage;
  position: RunPosition;
  status: DeliveryStatus | null;
}

/** The row of a message by another group member. */
export function MemberMessage(props: MemberMessageProps) {
  return <MessageRow {...props} {...useMemberSender(props.chatKey, props.message)} />;
}

type MemberPicturesProps = Omit<ComponentProps<typeof PicturesRow>, "sender" | "role"> & {
  first: ChatMessage;
};

/** The row of a grid of pictures by another group member. */
export function MemberPictures({ first, ...props }: MemberPicturesProps) {
  return <PicturesRow {...props} {...useMemberSender(props.chatKey, first)} />;
}

/** The sender of a message in a group, with name and role there. */
function useMemberSender(chatKey: ChatKey, { sendId, sendNickName, group }: ChatMessage) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  const sender = useMember(groupId, sendId, sendNickName);
  const role = useClientState((state) => roleOf(state, groupId, sendId, group?.sendRole ?? 0));
  return { sender, role };
}

/** The avatar beside the first message of a run. */
function RowAvatar({ sender, message }: { sender: Person; message: ChatMessage }) {
  return message.selfSend ? (
    <PersonAvatar person={sender} />
  ) : (
    <SenderAvatar sender={sender} message={message} />
  );
}

/** Name and role of a group member, above the first message of a run. */
function SenderLine({ sender, role }: { sender: Person; role: number }) {
  return (
    <div className={styles.sender} data-text>
      <bdi className={styles.name} style={{ color: `var(--name${avatarColour(sender.id)})` }}>
        {sender.name}
      </bdi>
      <RoleChip role={role} />
    </div>
  );
}

function PersonAvatar({ person: { id, name, picture } }: { person: Person }) {
  return <Avatar name={name} url={picture} id={id} size={36} />;
}

/** The avatar of somebody else. A click opens their card; members of a group have more gestures. */
function SenderAvatar({ sender, message }: { sender: Person; message: ChatMessage }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isGroup = message.group !== null;
  const { sendId: userId, sendNickName: name } = message;
  const gestures = useMemo(
    () => (isGroup ? avatarGestures(client, ui, { userId, name }) : null),
    [isGroup, client, ui, userId, name],
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

/** The delivery status in words. */
function statusText(status: DeliveryStatus | null, t: Translate): string | null {
  if (status === null) return null;
  if (typeof status === "object") return t("chat.waitingNetwork", { count: status.waiting });
  return t(status === "read" ? "chat.read" : "chat.unread");
}

/** Under an own message with a receipt request: how many have read it. A click shows who. */
function ReceiptStatus({ message }: { message: ChatMessage }) {
  const t = useText();
  const runAction = useMessageActions();
  const { id, group } = message;
  if (id === null || group === null) return null;
  return (
    <button type="button" data-receipt onClick={() => runAction("readers", message)}>
      {group.receiptOk && group.readedCount > 0
        ? t("receipt.byAll")
        : t("receipt.byMany", { count: group.readedCount })}
    </button>
  );
}

/** Whether an own message has a receipt status. */
function hasReceipt({ selfSend, id, group, sending }: ChatMessage): boolean {
  return selfSend && id !== null && sending === null && group?.receipt === true;
}
