import { useRef } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { useLocation } from "wouter";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useClientState } from "../../../kit/use-client.ts";
import { PaneBanner } from "../../../ui/list-pane.tsx";
import { SearchWaiting } from "../search/search-waiting.tsx";
import type { ChatSearch } from "../search/use-chat-search.ts";
import { ConversationHeader } from "./conversation-header.tsx";
import { GroupChat } from "./group-chat.tsx";
import { PrivateChat } from "./private-chat.tsx";
import { Waiting } from "./talk.tsx";
import { useKeyboardInset } from "./use-keyboard-inset.ts";
import styles from "./conversation.module.css";

const SearchBar = lazyPart(() => import("../search/search-bar.tsx").then((part) => part.SearchBar));
const SystemChat = lazyPart(() => import("../system/system-chat.tsx").then((part) => part.SystemChat));

interface ConversationProps {
  chatKey: ChatKey;
  type: ChatType;
  targetId: number;
  search: ChatSearch;
}

/** The chat that is open. */
export function Conversation({ chatKey, type, targetId, search }: ConversationProps) {
  const chat = useClientState((state) => state.chats.byKey[chatKey]);
  const root = useRef<HTMLDivElement>(null);
  useKeyboardInset(root);
  const [, navigate] = useLocation();
  const leave = () => navigate("/home/chat");
  return (
    <div ref={root} className={styles.conversation}>
      <ConversationHeader chatKey={chatKey} type={type} targetId={targetId} onSearch={search.open} />
      <PaneBanner />
      {search.isOpen && (
        <SearchBar
          // Beside the chat, which has this key too.
          key={`search ${chatKey}`}
          chatKey={chatKey}
          type={type}
          targetId={targetId}
          asked={search.asked}
          start={search.typed}
          waiting={<SearchWaiting typed={search.typed} />}
          onClose={search.close}
          onMissing={search.close}
        />
      )}
      {chat === undefined ? (
        <Waiting />
      ) : type === ChatType.SYSTEM ? (
        <SystemChat chat={chat} waiting={<Waiting />} onMissing={leave} />
      ) : type === ChatType.GROUP ? (
        <GroupChat key={chatKey} chat={chat} groupId={targetId} />
      ) : (
        <PrivateChat key={chatKey} chat={chat} targetId={targetId} />
      )}
    </div>
  );
}
