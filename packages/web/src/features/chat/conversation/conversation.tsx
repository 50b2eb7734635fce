import { useCallback, useEffect, useRef, useState } from "react";
import type { Chat, ChatKey, ChatMessage } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { useLocation } from "wouter";
import type { Person } from "../../../kit/people.ts";
import { usePerson } from "../../../kit/people.ts";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { PaneBanner } from "../../../ui/list-pane.tsx";
import { BlockedComposer } from "../composer/blocked-composer.tsx";
import { Composer } from "../composer/composer.tsx";
import { EditComposer } from "../composer/edit-composer.tsx";
import { asItStands } from "../message/as-it-stands.ts";
import { ChatLayers } from "../message/chat-layers.tsx";
import { createDesk, DeskProvider, useDesk, useDeskState } from "../message/desk.ts";
import { useCopyMessages } from "../message/use-copy-messages.ts";
import { CanWriteProvider, useCanWrite } from "../message/use-can-write.ts";
import { SearchWaiting } from "../search/search-waiting.tsx";
import { useChatSearch } from "../search/use-chat-search.ts";
import { ConversationHeader } from "./conversation-header.tsx";
import { Timeline } from "./timeline.tsx";
import type { TimelineHandle } from "./timeline.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import { useKeyboardInset } from "./use-keyboard-inset.ts";
import { useTypeAnywhere } from "./use-type-anywhere.ts";
import styles from "./conversation.module.css";

const ChooseBar = lazyPart(() => import("../message/choose-bar.tsx").then((part) => part.ChooseBar));
const SearchBar = lazyPart(() => import("../search/search-bar.tsx").then((part) => part.SearchBar));
const SystemChat = lazyPart(() => import("../system/system-chat.tsx").then((part) => part.SystemChat));

const NOTHING: readonly ChatMessage[] = [];

interface ConversationProps {
  chatKey: ChatKey;
  type: ChatType;
  targetId: number;
}

/** The chat that is open. */
export function Conversation({ chatKey, type, targetId }: ConversationProps) {
  const chat = useClientState((state) => state.chats.byKey[chatKey]);
  const root = useRef<HTMLDivElement>(null);
  useKeyboardInset(root);
  const search = useChatSearch(chatKey, type !== ChatType.SYSTEM);
  const [, navigate] = useLocation();
  const leave = () => navigate("/home/chat");
  return (
    <div ref={root} className={styles.conversation}>
      <ConversationHeader type={type} targetId={targetId} onSearch={search.open} />
      <PaneBanner />
      {search.isOpen && (
        <SearchBar
          // Beside the chat, which has this key too.
          key={`search ${chatKey}`}
          chatKey={chatKey}
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
      ) : (
        <PrivateChat key={chatKey} chatKey={chatKey} targetId={targetId} />
      )}
    </div>
  );
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <TimelineSkeleton />
    </div>
  );
}

function PrivateChat({ chatKey, targetId }: { chatKey: ChatKey; targetId: number }) {
  const client = useClient();
  const [desk] = useState(() => createDesk(chatKey));
  const chat = useClientState((state) => state.chats.byKey[chatKey]);
  const myId = useClientState((state) => (state.session.kind === "anonymous" ? 0 : state.session.userId));
  const isKnown = useClientState((state) => state.contacts.isLoaded);
  const peer = usePerson(targetId);
  const me = usePerson(myId);
  const isStranger = isKnown && peer.relation === "stranger";
  useEffect(() => {
    if (isStranger) void client.contacts.loadUser(targetId);
  }, [client, targetId, isStranger]);
  const timeline = useRef<TimelineHandle>(null);
  useTypeAnywhere(desk.composer);
  const nameOf = useCallback(
    (message: ChatMessage) => (message.selfSend ? me.name : peer.name),
    [me.name, peer.name],
  );
  useCopyMessages(chat?.window.messages ?? NOTHING, nameOf);
  // What the pulls bring, and what of it is unread, is known when the last of them has ended.
  const isPulling = useClientState((state) => Object.values(state.chats.loading).some(Boolean));
  if (chat === undefined) return null;
  // The conversation decides where it opens by what is unread, so it waits for the first messages.
  const { messages, hasOlder, older } = chat.window;
  const isComing = messages.length === 0 && (hasOlder || older === "loading" || isPulling || !isKnown);
  const canWrite = peer.relation === "friend" || peer.relation === "me" || !isKnown;
  return (
    <DeskProvider value={desk}>
      <CanWriteProvider value={canWrite}>
        {isComing ? <Waiting /> : <Timeline ref={timeline} chat={chat} peer={peer} me={me} />}
        <Foot
          chat={chat}
          peer={peer}
          nameOf={nameOf}
          onSent={() => timeline.current?.wrote()}
          onEnd={() => timeline.current?.toEnd()}
        />
        <ChatLayers chat={chat} />
      </CanWriteProvider>
    </DeskProvider>
  );
}

interface FootProps {
  chat: Chat;
  peer: Person;
  nameOf: (message: ChatMessage) => string;
  onSent: () => void;
  onEnd: () => void;
}

/** Under the messages: what is done with the chosen ones, the message being edited, a new one, or why there can be none. */
function Foot({ chat, peer, nameOf, onSent, onEnd }: FootProps) {
  const desk = useDesk();
  const canWrite = useCanWrite();
  const isChoosing = useDeskState((state) => state.chosen !== null);
  const editing = useDeskState((state) => state.editing);
  if (isChoosing) {
    return <ChooseBar window={chat.window} nameOf={nameOf} onMissing={() => desk.set({ chosen: null })} />;
  }
  if (!canWrite) return <BlockedComposer person={peer} />;
  if (editing !== null) {
    const now = asItStands(editing, chat.window);
    return (
      <EditComposer
        key={editing.key}
        chatKey={chat.key}
        message={now ?? editing}
        isGone={now === null}
        onDone={() => desk.set({ editing: null })}
      />
    );
  }
  return <Composer chatKey={chat.key} onSent={onSent} onEnd={onEnd} />;
}
