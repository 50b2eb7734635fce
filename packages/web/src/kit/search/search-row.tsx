import { memo } from "react";
import type { ReactNode } from "react";
import { ChevronDown, CornerDownLeft } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import { searchableContent } from "@parley/protocol/searchable-content";
import { isMuted } from "@parley/core/model/chats/chat-prefs";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey } from "@parley/core/model/state";
import { ChatAvatar } from "../chats/chat-avatar.tsx";
import { useChatAppearance } from "../chats/chat-name.ts";
import { emoticonsToText } from "../i18n/emoticon-names.ts";
import { memberNameOf } from "../chats/group.ts";
import { useLocale, useText } from "../i18n/i18n.ts";
import { HighlightedText, snippet } from "./highlighted-text.tsx";
import { listTime } from "../i18n/time-text.ts";
import { useClientState } from "../loading/use-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Row, Text } from "../../ui/layout.tsx";
import type { SearchItem } from "./use-search-sections.ts";
import styles from "./search-row.module.css";
import { chatPath, showMessage } from "../chats/show-message.ts";
import { goDown } from "../dialogs/go-up.ts";

interface SearchRowProps {
  optionId: string;
  item: SearchItem;
  query: string;
  isActive: boolean;
  onSelect: (item: SearchItem) => void;
  onActivate: (id: string) => void;
}

/** A row of what a search has found. */
export const SearchRow = memo(function SearchRow(props: SearchRowProps) {
  const { optionId, item, query, isActive, onSelect, onActivate } = props;
  return (
    <Row
      id={optionId}
      role="option"
      aria-selected={isActive}
      gap={12}
      paddingX={12}
      className={classNames(styles.row, isActive && styles.active)}
      // Keep the focus in the field.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => onActivate(item.id)}
      onClick={() => onSelect(item)}
    >
      <Content item={item} query={query} />
      {isActive && <CornerDownLeft {...ICON_PROPS_16} className={styles.enter} />}
    </Row>
  );
});

function Content({ item, query }: { item: SearchItem; query: string }): ReactNode {
  const t = useText();
  switch (item.kind) {
    case "chat":
      return <ChatContent item={item} />;
    case "message":
      return <MessageContent item={item} query={query} />;
    case "command":
      return (
        <>
          <span className={styles.sign}>{item.command.icon}</span>
          <span className={styles.name}>
            <HighlightedText text={item.command.name} ranges={item.ranges} />
          </span>
        </>
      );
    case "more":
      return (
        <>
          <span className={styles.sign}>
            <ChevronDown {...ICON_PROPS} />
          </span>
          <Text grow size={13} tone="tertiary" className={styles.note}>
            {item.total === null ? t("search.more") : t("search.all", { count: item.total })}
          </Text>
        </>
      );
  }
}

function ChatContent({ item }: { item: Extract<SearchItem, { kind: "chat" }> }) {
  const t = useText();
  const chat = useClientState((state) => state.chats.byKey[item.key]);
  const unread = chat?.unread ?? 0;
  return (
    <>
      <ChatPicture chatKey={item.key} />
      <span className={styles.name}>
        <HighlightedText text={item.name} ranges={item.ranges} />
      </span>
      <Text grow size={13} tone="tertiary" className={styles.note}>
        {item.note}
      </Text>
      {unread > 0 && <span className="visually-hidden">{t("chat.unreadCount", { count: unread })}</span>}
      <Badge count={unread} isMuted={chat !== undefined && isMuted(chat)} />
    </>
  );
}

function MessageContent({ item, query }: { item: Extract<SearchItem, { kind: "message" }>; query: string }) {
  const t = useText();
  const locale = useLocale();
  const { key, message } = item.result;
  const sender = useClientState((state) => {
    const chat = parseChatKey(key);
    if (chat?.type !== ChatType.GROUP) return null;
    return memberNameOf(state, chat.targetId, message.sendId, message.sendNickName, t);
  });
  const { text, ranges } = snippet(
    emoticonsToText(searchableContent(message.type, message.content), t),
    query,
  );
  return (
    <>
      <ChatPicture chatKey={key} />
      <span className={styles.name}>{item.name}</span>
      <Text grow size={13} tone="tertiary" className={styles.note}>
        {message.selfSend
          ? `${t("search.mine")} `
          : sender !== null && `${t("search.sender", { name: sender })} `}
        <HighlightedText text={text} ranges={ranges} />
      </Text>
      <time className={styles.time} dateTime={new Date(message.sendTime).toISOString()}>
        {listTime(message.sendTime, Date.now(), locale, t)}
      </time>
    </>
  );
}

function ChatPicture({ chatKey }: { chatKey: ChatKey }) {
  const appearance = useChatAppearance(chatKey);
  // The online dot would be too large here.
  return <ChatAvatar appearance={{ ...appearance, isOnline: false }} size={28} />;
}

/** Goes to what a search has found, or runs the command. */
export function openSearchItem(item: Exclude<SearchItem, { kind: "more" }>): void {
  if (item.kind === "chat") goDown(chatPath(item.key));
  else if (item.kind === "command") item.command.run();
  else if (item.result.message.id !== null) showMessage(item.result.key, item.result.message.id);
}
