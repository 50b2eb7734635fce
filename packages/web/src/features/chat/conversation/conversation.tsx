import { useEffect, useRef } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { usePerson } from "../../../kit/people.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { PaneBanner } from "../../../ui/list-pane.tsx";
import { BlockedComposer } from "../composer/blocked-composer.tsx";
import { Composer } from "../composer/composer.tsx";
import type { ComposerHandle } from "../composer/composer.tsx";
import { SystemChat } from "../system/system-chat.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import { Timeline } from "./timeline.tsx";
import type { TimelineHandle } from "./timeline.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import { useKeyboardInset } from "./use-keyboard-inset.ts";
import { useTypeAnywhere } from "./use-type-anywhere.ts";
import styles from "./conversation.module.css";

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
  return (
    <div ref={root} className={styles.conversation}>
      <ConversationHeader type={type} targetId={targetId} />
      <PaneBanner />
      {chat === undefined ? (
        <div className={styles.waiting}>
          <TimelineSkeleton />
        </div>
      ) : type === ChatType.SYSTEM ? (
        <SystemChat chat={chat} />
      ) : (
        <PrivateChat chatKey={chatKey} targetId={targetId} />
      )}
    </div>
  );
}

function PrivateChat({ chatKey, targetId }: { chatKey: ChatKey; targetId: number }) {
  const client = useClient();
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
  const composer = useRef<ComposerHandle>(null);
  useTypeAnywhere(composer);
  // What the pulls bring, and what of it is unread, is known when the last of them has ended.
  const isPulling = useClientState((state) => Object.values(state.chats.loading).some(Boolean));
  if (chat === undefined) return null;
  // The conversation decides where it opens by what is unread, so it waits for the first messages.
  const { messages, hasOlder, older } = chat.window;
  const isComing = messages.length === 0 && (hasOlder || older === "loading" || isPulling || !isKnown);
  const canWrite = peer.relation === "friend" || peer.relation === "me" || !isKnown;
  return (
    <>
      {isComing ? (
        <div className={styles.waiting}>
          <TimelineSkeleton />
        </div>
      ) : (
        <Timeline key={chatKey} ref={timeline} chat={chat} peer={peer} me={me} />
      )}
      {canWrite ? (
        <Composer key={chatKey} ref={composer} chatKey={chatKey} onSent={() => timeline.current?.wrote()} />
      ) : (
        <BlockedComposer person={peer} />
      )}
    </>
  );
}
