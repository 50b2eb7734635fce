import { useCallback, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import type { Person } from "../../kit/person.ts";
import { lazyComponent } from "../../kit/lazy-component.tsx";
import { useClientState } from "../../kit/use-client.ts";
import { Composer } from "./composer/composer.tsx";
import { useUnsentEdit } from "./composer/use-unsent-edit.ts";
import { currentMessage } from "./message/current-message.ts";
import { ConversationOverlays } from "./conversation-overlays.tsx";
import {
  createConversationUi,
  ConversationUiProvider,
  useConversationUi,
  useConversationUiState,
} from "./message/conversation-ui.ts";
import { useCopyMessages } from "./message/use-copy-messages.ts";
import { CanWriteProvider, useCanWrite } from "./message/use-can-write.ts";
import { Timeline } from "./timeline/timeline.tsx";
import type { TimelineHandle } from "./timeline/timeline.tsx";
import { TimelineSkeleton } from "./timeline/timeline-skeleton.tsx";
import { useTypeAnywhere } from "./composer/use-type-anywhere.ts";
import styles from "./conversation.module.css";

const EditComposer = lazyComponent(() =>
  import("./composer/edit-composer.tsx").then((part) => part.EditComposer),
);
const ChooseBar = lazyComponent(() =>
  import("./composer/selection-bar.tsx").then((part) => part.SelectionBar),
);

/** In place of a conversation that has nothing to show yet. */
export function ConversationSkeleton() {
  return (
    <div className={styles.waiting}>
      <TimelineSkeleton />
    </div>
  );
}

interface ConversationProps {
  chat: Chat;
  /** Whom it is with. */
  name: string;
  /** The other one; null: a group, where each message tells. */
  peer: Person | null;
  me: Person;
  /** It is known whom the chat is with. */
  isKnown: boolean;
  nameOf: (message: ChatMessage) => string;
  canWrite: boolean;
  /** Above the messages. */
  banner?: ReactNode;
  /** In place of the composer while nothing can be sent. */
  blockedComposer: ReactNode;
}

/** Messages and what is done with them: reading, writing, choosing. */
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
  // What the pulls bring, and what of it is unread, is known when the last of them has ended.
  const isPulling = useClientState((state) => Object.values(state.chats.loading).some(Boolean));
  // The conversation decides where it opens by what is unread, so it waits for the first messages.
  const { messages, hasOlder, older } = chat.window;
  const isLoading = messages.length === 0 && (hasOlder || older === "loading" || isPulling || !isKnown);
  return (
    <ConversationUiProvider value={ui}>
      <CanWriteProvider value={canWrite}>
        {banner}
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
          onEnd={() => timeline.current?.scrollToEnd()}
        />
        <ConversationOverlays chat={chat} />
      </CanWriteProvider>
    </ConversationUiProvider>
  );
}

interface ConversationFooterProps {
  chat: Chat;
  nameOf: (message: ChatMessage) => string;
  blockedComposer: ReactNode;
  onSent: () => void;
  onEnd: () => void;
}

/** Under the messages: what is done with the chosen ones, the message being edited, a new one, or why there can be none. */
function ConversationFooter({ chat, nameOf, blockedComposer, onSent, onEnd }: ConversationFooterProps) {
  const ui = useConversationUi();
  const canWrite = useCanWrite();
  const isChoosing = useConversationUiState((state) => state.selected !== null);
  const editing = useConversationUiState((state) => state.editing);
  useUnsentEdit(
    chat,
    useCallback((message: ChatMessage) => ui.set({ editing: message }), [ui]),
  );
  if (isChoosing) {
    return <ChooseBar window={chat.window} nameOf={nameOf} onMissing={() => ui.set({ selected: null })} />;
  }
  if (!canWrite) return blockedComposer;
  const composer = <Composer chatKey={chat.key} onSent={onSent} onEnd={onEnd} />;
  if (editing !== null) {
    const now = currentMessage(editing, chat.window);
    return (
      <EditComposer
        key={editing.key}
        chatKey={chat.key}
        message={now ?? editing}
        isGone={now === null}
        waiting={composer}
        onDone={() => ui.set({ editing: null })}
        onMissing={() => ui.set({ editing: null })}
      />
    );
  }
  return composer;
}
