import { memo, useMemo, useState } from "react";
import { CircleAlert } from "lucide-react";
import { RequestSource } from "@parley/protocol/codes";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { failureText, useFailureWords } from "../../../kit/failure-text.ts";
import { useLocale, useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import type { Person } from "../../../kit/people.ts";
import { RoleChip } from "../../../kit/role-chip.tsx";
import { clockTime } from "../../../kit/time-text.ts";
import { useClient } from "../../../kit/use-client.ts";
import { lateUse } from "../../../kit/use-late.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { avatarColour } from "../../../ui/initials.ts";
import { ICON } from "../../../ui/icon.ts";
import { Bubble } from "../bubbles/bubble.tsx";
import type { Place } from "../bubbles/frame.tsx";
import type { OwnStatus } from "../conversation/own-status.ts";
import { openCard } from "../open-card.ts";
import { ChooseBox } from "./choose-box.tsx";
import { toggleChosen, useDesk, useDeskState } from "./desk.ts";
import { HoverBar } from "./hover-bar.tsx";
import { messageWords } from "./message-words.ts";
import { hasReceipt, ReceiptStatus } from "./receipt-status.tsx";
import { useCanWrite } from "./use-can-write.ts";
import { useRowGestures } from "./use-row-gestures.ts";
import styles from "./message-row.module.css";

/** Only groups have them. */
const useAvatarGestures = lateUse(() => import("../in-groups.ts").then((part) => part.avatarGestures));

interface MessageRowProps {
  chatKey: ChatKey;
  message: ChatMessage;
  place: Place;
  sender: Person;
  /** Of members of a group: their name stands above the first message of a run, and the role beside it. */
  role?: number;
  status: OwnStatus | null;
}

export const MessageRow = memo(function MessageRow({
  chatKey,
  message,
  place,
  sender,
  role,
  status,
}: MessageRowProps) {
  const t = useText();
  const locale = useLocale();
  const client = useClient();
  const desk = useDesk();
  const canWrite = useCanWrite();
  const isChoosing = useDeskState((state) => state.chosen !== null);
  const isChosen = useDeskState((state) => state.chosen?.has(message.key) === true);
  const hasMenu = useDeskState((state) => state.menu?.key === message.key);
  const [isNear, setNear] = useState(false);
  const { openMenu, ...gestures } = useRowGestures(message, canWrite);
  const isMine = message.selfSend;
  const isFirst = place === "single" || place === "top";
  const gesturesOf = useAvatarGestures(isFirst && !isMine && message.group !== null);
  const { sendId: userId, sendNickName: name } = message;
  const avatar = useMemo(
    () => gesturesOf?.(client, desk, { userId, name }),
    [gesturesOf, client, desk, userId, name],
  );
  const { tmpId } = message;
  const isFailed = message.sending === "failed";
  const words = statusWords(status, t);
  useFailureWords(isFailed ? message.failure : null);
  const reason = isFailed && message.failure !== null ? failureText(message.failure, t) : t("chat.notSent");
  const label = [
    isMine ? t("chat.me") : sender.name,
    messageWords(message, t),
    clockTime(message.sendTime, locale),
    isFailed ? reason : words,
  ];
  return (
    // The gap above belongs to the outside: it changes with the neighbour, and the message must stand still then.
    <div className={isFirst ? styles.first : styles.joined}>
      <div
        className={classNames(styles.row, isMine && styles.mine, isChoosing && styles.choosing)}
        role="article"
        aria-label={label.filter(Boolean).join(t("app.listSeparator"))}
        tabIndex={-1}
        data-key={message.key}
        data-mid={message.id ?? tmpId ?? message.key}
        data-seen-id={isMine ? undefined : (message.id ?? undefined)}
        {...gestures}
        onClick={isChoosing && message.id !== null ? () => toggleChosen(desk, message) : undefined}
        onPointerEnter={(event) => event.pointerType === "mouse" && setNear(true)}
        onPointerLeave={() => setNear(false)}
        onFocus={(event) => event.target.matches(":focus-visible") && setNear(true)}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setNear(false)}
      >
        {isChoosing && <ChooseBox message={message} isChosen={isChosen} />}
        <div className={styles.side} inert={isChoosing}>
          {isFirst &&
            (isMine ? (
              <Avatar name={sender.name} url={sender.picture} id={sender.id} size={36} />
            ) : (
              <button
                type="button"
                className={styles.avatar}
                aria-label={t("card.open", { name: sender.name })}
                {...avatar}
                onClick={(event) =>
                  openCard(
                    sender.id,
                    event.currentTarget,
                    message.group === null ? undefined : RequestSource.GROUP,
                  )
                }
              >
                <Avatar name={sender.name} url={sender.picture} id={sender.id} size={36} />
              </button>
            ))}
        </div>
        <div className={styles.body} inert={isChoosing}>
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
                <CircleAlert {...ICON} />
              </IconButton>
            )}
            <div className={styles.held} data-mine={isMine || undefined}>
              <Bubble chatKey={chatKey} message={message} place={place} />
              {(isNear || hasMenu) && !isChoosing && message.id !== null && (
                <HoverBar message={message} canWrite={canWrite} onMenu={openMenu} />
              )}
            </div>
          </div>
          {isFailed && tmpId !== null ? (
            <div className={classNames(styles.status, styles.failed)} data-tip={reason}>
              <span>{t("chat.notSent")}</span>
              <span aria-hidden="true">·</span>
              <button type="button" onClick={() => client.chats.resend(chatKey, tmpId)}>
                {t("chat.resend")}
              </button>
              <span aria-hidden="true">·</span>
              <button type="button" onClick={() => client.chats.discard(chatKey, tmpId)}>
                {t("chat.discard")}
              </button>
            </div>
          ) : (
            words !== null && <div className={styles.status}>{words}</div>
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

function statusWords(status: OwnStatus | null, t: Text): string | null {
  if (status === null) return null;
  if (typeof status === "object") return t("chat.waitingNetwork", { count: status.waiting });
  return t(status === "read" ? "chat.read" : "chat.unread");
}
