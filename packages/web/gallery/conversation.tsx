import { useState } from "react";
import { messagesOf, timeline } from "@parley/core/model/chats/timeline";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { FRIEND, FRIEND_CHAT, chat } from "@parley/core/testing/builders";
import {
  CanWriteProvider,
  ConversationUiProvider,
  createConversationUi,
} from "../src/features/chat/message/conversation-ui.ts";
import { deliveryStatusOf } from "../src/features/chat/message/message-state.ts";
import { TimelineItem } from "../src/features/chat/timeline/timeline-item.tsx";
import { useMe } from "../src/features/chat/use-me.ts";
import { usePerson } from "../src/kit/people/person.ts";
import styles from "./gallery.module.css";

interface ConversationProps {
  messages: readonly ChatMessage[];
  chatKey?: ChatKey;
  /** The first messages are read; those of others after this id are new. */
  unreadAfter?: number;
  isOffline?: boolean;
  isSelecting?: boolean;
}

/** Messages as the timeline shows them. */
export function Conversation(props: ConversationProps) {
  const {
    messages,
    chatKey = FRIEND_CHAT,
    unreadAfter = null,
    isOffline = false,
    isSelecting = false,
  } = props;
  const me = useMe();
  const friend = usePerson(FRIEND);
  const [ui] = useState(() => {
    const created = createConversationUi(chatKey);
    const [first] = messages;
    if (isSelecting && first !== undefined) created.set({ selected: new Map([[first.key, first]]) });
    return created;
  });
  const shownChat = chat({
    key: chatKey,
    theirReadId: 100,
    window: { messages, hasOlder: false, hasNewer: false, older: "idle", newer: "idle" },
  });
  const delivery = deliveryStatusOf(shownChat, isOffline);
  return (
    <div className={styles.chat}>
      <ConversationUiProvider value={ui}>
        <CanWriteProvider value={true}>
          {timeline(shownChat, unreadAfter, 480).map((row) => (
            <TimelineItem
              key={row.key}
              row={row}
              top={null}
              chatKey={chatKey}
              peer={chatKey === FRIEND_CHAT ? friend : null}
              me={me}
              status={
                messagesOf(row).some(({ key }) => key === delivery?.key) ? (delivery?.status ?? null) : null
              }
              flashingId={null}
            />
          ))}
        </CanWriteProvider>
      </ConversationUiProvider>
    </div>
  );
}
