import type { ReactNode } from "react";
import { ChevronRight, Megaphone, Pin, UserRoundPlus, UsersRound } from "lucide-react";
import { MessageType, RequestStatus } from "@parley/protocol/codes";
import { systemRequestOf } from "@parley/core/model/chats/chat-rows";
import type { ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import type { Translate, TextId } from "../../../kit/i18n/i18n.ts";
import { fullTime, listTime, useToday } from "../../../kit/i18n/time-text.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_14 } from "../../../ui/icon-props.ts";
import { Row, Text } from "../../../ui/layout.tsx";
import { MessageText } from "../message/bubbles/message-text.tsx";
import { isPending } from "./order-cards.ts";
import { FriendRequestBody, GroupRequestBody } from "./request-body.tsx";
import styles from "./system-card.module.css";

/** A message of the system chat as a card. */
export function SystemCard({
  message,
  isNew,
  onOpenNotice,
}: {
  message: ChatMessage;
  /** It was unread when the chat was opened, or arrived since. */
  isNew: boolean;
  /** Opens the full notice. */
  onOpenNotice: (message: ChatMessage) => void;
}) {
  const t = useText();
  const request = message.system?.request ?? null;
  const groupRequest = message.system?.groupRequest ?? null;
  switch (message.type) {
    case MessageType.FRIEND_APPLY:
      return (
        <Card
          message={message}
          title={t("system.friendRequest")}
          icon={<UserRoundPlus {...ICON_PROPS} />}
          colour={3}
        >
          {request === null ? (
            <p className={styles.text}>{t("chat.brokenMessage")}</p>
          ) : (
            <FriendRequestBody request={request} />
          )}
        </Card>
      );
    case MessageType.GROUP_APPLY:
      return (
        <Card
          message={message}
          title={t("system.groupRequest")}
          icon={<UsersRound {...ICON_PROPS} />}
          colour={1}
        >
          {groupRequest === null ? (
            <p className={styles.text}>{t("chat.brokenMessage")}</p>
          ) : (
            <GroupRequestBody request={groupRequest} />
          )}
        </Card>
      );
    case MessageType.SYSTEM_MESSAGE:
      return (
        <Card
          message={message}
          title={message.system?.title || t("system.notice")}
          icon={<Megaphone {...ICON_PROPS} />}
          colour={6}
          isNew={isNew}
        >
          <Notice message={message} onOpenNotice={onOpenNotice} />
        </Card>
      );
    default:
      return (
        <Card message={message} title={t("system.notice")} icon={<Megaphone {...ICON_PROPS} />} colour={8}>
          <p className={styles.text}>{t("chat.unsupported")}</p>
        </Card>
      );
  }
}

interface CardProps {
  message: ChatMessage;
  isNew?: boolean;
  title: string;
  icon: ReactNode;
  colour: 1 | 3 | 6 | 8;
  children: ReactNode;
}

function Card({ message, isNew = false, title, icon, colour, children }: CardProps) {
  const t = useText();
  const locale = useLocale();
  useToday();
  const status = systemRequestOf(message)?.status;
  return (
    <article
      className={styles.card}
      aria-label={isNew ? `${title}${t("app.listSeparator")}${t("chat.unread")}` : title}
      tabIndex={-1}
      data-key={message.key}
      data-mid={message.id ?? message.key}
      data-seen-id={message.system?.seqNo}
    >
      <span className={classNames(styles.icon, styles[`colour${colour}`])} aria-hidden="true">
        {icon}
      </span>
      <div className={styles.body}>
        <Row as="header" wrap className={styles.head}>
          <Text as="h2" truncate weight="name" dir="auto">
            {title}
          </Text>
          {isNew && <span className={styles.dot} aria-hidden="true" />}
          {isPending(message) ? (
            <span className={classNames(styles.chip, styles.pending)}>
              <Pin {...ICON_PROPS_14} />
              {t("system.pending")}
            </span>
          ) : (
            status !== undefined && <span className={styles.chip}>{statusText(status, t)}</span>
          )}
          <time
            className={styles.time}
            dateTime={new Date(message.sendTime).toISOString()}
            title={fullTime(message.sendTime, locale)}
          >
            {listTime(message.sendTime, Date.now(), locale, t)}
          </time>
        </Row>
        {children}
      </div>
    </article>
  );
}

const STATUS: Readonly<Record<number, TextId>> = {
  [RequestStatus.APPROVED]: "request.approved",
  [RequestStatus.REJECTED]: "request.rejected",
  [RequestStatus.RECALLED]: "request.recalled",
  [RequestStatus.EXPIRED]: "request.expired",
};

function statusText(status: number, t: Translate): string {
  return t(STATUS[status] ?? "request.handled");
}

function Notice({
  message,
  onOpenNotice,
}: {
  message: ChatMessage;
  onOpenNotice: (message: ChatMessage) => void;
}) {
  const t = useText();
  const client = useClient();
  const text = message.system?.intro || message.content;
  const cover = message.system?.coverUrl;
  return (
    <>
      {cover && <img className={styles.cover} src={client.fileUrl(cover)} alt="" />}
      <p className={styles.text} dir="auto">
        <MessageText text={text} />
      </p>
      {message.id !== null && (
        <button type="button" className={styles.more} onClick={() => onOpenNotice(message)}>
          {t("system.read")}
          <ChevronRight {...ICON_PROPS_14} />
        </button>
      )}
    </>
  );
}
