import { useCallback, useRef, useState } from "react";
import type { ReactNode } from "react";
import { isAnyChatLoading } from "@parley/core/model/selectors";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import type { Person } from "../../kit/people/person.ts";
import { useClientState } from "../../kit/loading/use-client.ts";
import { Composer } from "./composer/composer.tsx";
import { EditComposer } from "./composer/edit-composer.tsx";
import { SelectionBar } from "./composer/selection-bar.tsx";
import { useUnsentEdit } from "./composer/use-draft.ts";
import { currentMessage } from "./message/message-state.ts";
import { ConversationOverlays } from "./conversation-overlays.tsx";
import {
  CanWriteProvider,
  ConversationUiProvider,
  createConversationUi,
  useCanWrite,
  useConversationUi,
  useConversationUiState,
} from "./message/conversation-ui.ts";
import { useCopyMessages } from "./message/use-copy-messages.ts";
import { PinBar } from "./panel/pins/pin-bar.tsx";
import { Timeline, type TimelineHandle } from "./timeline/timeline.tsx";
import { TimelineSkeleton } from "./timeline/timeline-skeleton.tsx";
import { useTypeAnywhere } from "./composer/composer-keys.ts";
import styles from "./conversation.module.css";

/** Shown until a conversation has its first messages. */
export function ConversationSkeleton() {
  return (
    <div className={styles.waiting}>
      <TimelineSkeleton />
    </div>
  );
}

interface ConversationProps {
  chat: Chat;
  /** The name of the chat. */
  name: string;
  /** The other person of a private chat; null in groups, where each message has its own sender. */
  peer: Person | null;
  me: Person;
  /** The contacts or groups are loaded, so it is known what the chat is. */
  isKnown: boolean;
  nameOf: (message: ChatMessage) => string;
  canWrite: boolean;
  /** Shown above the messages. */
  banner?: ReactNode;
  /** Replaces the composer while nothing can be sent. */
  blockedComposer: ReactNode;
}

/** The timeline and the composer of a chat, with menus and dialogs. */
export function Conversation({
  chat,
  name,
  peer,
  me,
  isKnown,
  nameOf,
  canWrite,
  banner,
  blockedComposer,
}: ConversationProps) {
  const [ui] = useState(() => createConversationUi(chat.key));
  const timeline = useRef<TimelineHandle>(null);
  useTypeAnywhere(ui.composer);
  useCopyMessages(chat.window.messages, nameOf);
  // New messages, and which of them are unread, are known when all pulls have ended.
  const isPulling = useClientState((state) => isAnyChatLoading(state.chats));
  // The unread messages decide at which position the timeline opens, so wait for the first messages.
  const { messages, hasOlder, older } = chat.window;
  const isLoading = messages.length === 0 && (hasOlder || older === "loading" || isPulling || !isKnown);
  return (
    <ConversationUiProvider value={ui}>
      <CanWriteProvider value={canWrite}>
        {banner}
        <PinBar chatKey={chat.key} />
        {isLoading ? (
          <ConversationSkeleton />
        ) : (
          <Timeline ref={timeline} chat={chat} name={name} peer={peer} me={me} nameOf={nameOf} />
        )}
        <ConversationFooter
          chat={chat}
          nameOf={nameOf}
          blockedComposer={blockedComposer}
          onSent={() => timeline.current?.messageSent()}
          onShowNewest={() => timeline.current?.scrollToEnd()}
        />
        <ConversationOverlays chat={chat} nameOf={nameOf} />
      </CanWriteProvider>
    </ConversationUiProvider>
  );
}

interface ConversationFooterProps {
  chat: Chat;
  nameOf: (message: ChatMessage) => string;
  blockedComposer: ReactNode;
  onSent: () => void;
  onShowNewest: () => void;
}

/** Below the messages: the bar for selected messages, the edit composer, the composer, or the reason why nothing can be sent. */
function ConversationFooter({
  chat,
  nameOf,
  blockedComposer,
  onSent,
  onShowNewest,
}: ConversationFooterProps) {
  const ui = useConversationUi();
  const canWrite = useCanWrite();
  const isSelecting = useConversationUiState((state) => state.selected !== null);
  const editing = useConversationUiState((state) => state.editing);
  useUnsentEdit(
    chat,
    useCallback((message: ChatMessage) => ui.set({ editing: message }), [ui]),
  );
  if (isSelecting) return <SelectionBar chat={chat} nameOf={nameOf} />;
  if (!canWrite) return blockedComposer;
  if (editing !== null) {
    const current = currentMessage(editing, chat);
    return (
      <EditComposer
        key={editing.key}
        chatKey={chat.key}
        message={current ?? editing}
        isRemoved={current === null}
        onDone={() => ui.set({ editing: null })}
      />
    );
  }
  return <Composer chatKey={chat.key} onSent={onSent} onShowNewest={onShowNewest} />;
}
