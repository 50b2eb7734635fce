import { useCallback, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import type { Person } from "../../../kit/people.ts";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useClientState } from "../../../kit/use-client.ts";
import { Composer } from "../composer/composer.tsx";
import { useUnsentEdit } from "../composer/use-unsent-edit.ts";
import { asItStands } from "../message/as-it-stands.ts";
import { ChatLayers } from "../message/chat-layers.tsx";
import { createDesk, DeskProvider, useDesk, useDeskState } from "../message/desk.ts";
import { useCopyMessages } from "../message/use-copy-messages.ts";
import { CanWriteProvider, useCanWrite } from "../message/use-can-write.ts";
import { Timeline } from "./timeline.tsx";
import type { TimelineHandle } from "./timeline.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import { useTypeAnywhere } from "./use-type-anywhere.ts";
import styles from "./conversation.module.css";

const EditComposer = lazyPart(() =>
  import("../composer/edit-composer.tsx").then((part) => part.EditComposer),
);
const ChooseBar = lazyPart(() => import("../message/choose-bar.tsx").then((part) => part.ChooseBar));

/** In place of a conversation that has nothing to show yet. */
export function Waiting() {
  return (
    <div className={styles.waiting}>
      <TimelineSkeleton />
    </div>
  );
}

interface TalkProps {
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
  top?: ReactNode;
  /** In place of the composer while nothing can be sent. */
  instead: ReactNode;
}

/** Messages and what is done with them: reading, writing, choosing. */
export function Talk({ chat, name, peer, me, isKnown, nameOf, canWrite, top, instead }: TalkProps) {
  const [desk] = useState(() => createDesk(chat.key));
  const timeline = useRef<TimelineHandle>(null);
  useTypeAnywhere(desk.composer);
  useCopyMessages(chat.window.messages, nameOf);
  // What the pulls bring, and what of it is unread, is known when the last of them has ended.
  const isPulling = useClientState((state) => Object.values(state.chats.loading).some(Boolean));
  // The conversation decides where it opens by what is unread, so it waits for the first messages.
  const { messages, hasOlder, older } = chat.window;
  const isComing = messages.length === 0 && (hasOlder || older === "loading" || isPulling || !isKnown);
  return (
    <DeskProvider value={desk}>
      <CanWriteProvider value={canWrite}>
        {top}
        {isComing ? (
          <Waiting />
        ) : (
          <Timeline ref={timeline} chat={chat} name={name} peer={peer} me={me} nameOf={nameOf} />
        )}
        <Foot
          chat={chat}
          nameOf={nameOf}
          instead={instead}
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
  nameOf: (message: ChatMessage) => string;
  instead: ReactNode;
  onSent: () => void;
  onEnd: () => void;
}

/** Under the messages: what is done with the chosen ones, the message being edited, a new one, or why there can be none. */
function Foot({ chat, nameOf, instead, onSent, onEnd }: FootProps) {
  const desk = useDesk();
  const canWrite = useCanWrite();
  const isChoosing = useDeskState((state) => state.chosen !== null);
  const editing = useDeskState((state) => state.editing);
  useUnsentEdit(
    chat,
    useCallback((message: ChatMessage) => desk.set({ editing: message }), [desk]),
  );
  if (isChoosing) {
    return <ChooseBar window={chat.window} nameOf={nameOf} onMissing={() => desk.set({ chosen: null })} />;
  }
  if (!canWrite) return instead;
  const composer = <Composer chatKey={chat.key} onSent={onSent} onEnd={onEnd} />;
  if (editing !== null) {
    const now = asItStands(editing, chat.window);
    return (
      <EditComposer
        key={editing.key}
        chatKey={chat.key}
        message={now ?? editing}
        isGone={now === null}
        waiting={composer}
        onDone={() => desk.set({ editing: null })}
        onMissing={() => desk.set({ editing: null })}
      />
    );
  }
  return composer;
}
