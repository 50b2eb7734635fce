import { useRef } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import { goUp } from "../../kit/dialogs/go-up.ts";
import { lazyComponent } from "../../kit/loading/lazy-component.tsx";
import { useClientState } from "../../kit/loading/use-client.ts";
import { Stack } from "../../ui/layout.tsx";
import { PaneBanner } from "../../ui/list-pane.tsx";
import { useVoiceStore } from "./message/voice/voice-store.ts";
import { SearchBar } from "./search/search-bar.tsx";
import type { ChatSearch } from "./search/use-chat-search.ts";
import { ConversationHeader } from "./conversation-header.tsx";
import { GroupConversation } from "./group-conversation.tsx";
import { PrivateConversation } from "./private-conversation.tsx";
import { ConversationSkeleton } from "./conversation.tsx";
import { useKeyboardInset } from "./use-keyboard-inset.ts";
import styles from "./conversation.module.css";

const VoiceBar = lazyComponent(() =>
  import("./message/voice/voice-controls.tsx").then((part) => part.VoiceBar),
);
const SystemChat = lazyComponent(() => import("./system/system-chat.tsx").then((part) => part.SystemChat));

interface ConversationPaneProps {
  chatKey: ChatKey;
  type: ChatType;
  targetId: number;
  search: ChatSearch;
}

/** The open chat: header, search bar and conversation. */
export function ConversationPane({ chatKey, type, targetId, search }: ConversationPaneProps) {
  const chat = useClientState((state) => state.chats.byKey[chatKey]);
  const root = useRef<HTMLDivElement>(null);
  const hasVoice = useVoiceStore((state) => state.current !== null);
  useKeyboardInset(root);
  const closeConversation = () => goUp("/home/chat");
  return (
    <Stack ref={root} grow className={styles.conversation} data-drop-zone="picture">
      <ConversationHeader chatKey={chatKey} type={type} targetId={targetId} onSearch={search.open} />
      <PaneBanner />
      {hasVoice && <VoiceBar />}
      {search.isOpen && (
        <SearchBar
          // The conversation below has the chat's key, so this sibling needs another one.
          key={`search ${chatKey}`}
          chatKey={chatKey}
          type={type}
          targetId={targetId}
          focusRequests={search.focusRequests}
          onClose={search.close}
        />
      )}
      {chat === undefined ? (
        <ConversationSkeleton />
      ) : type === ChatType.SYSTEM ? (
        <SystemChat chat={chat} waiting={<ConversationSkeleton />} onMissing={closeConversation} />
      ) : type === ChatType.GROUP ? (
        <GroupConversation key={chatKey} chat={chat} groupId={targetId} />
      ) : (
        <PrivateConversation key={chatKey} chat={chat} targetId={targetId} />
      )}
    </Stack>
  );
}
