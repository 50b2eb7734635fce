import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { isEmojiOnly } from "./emoji-only.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";
import { MessageText } from "./message-text.tsx";

const MentionText = lazyComponent(() => import("../../group-modules.ts").then((part) => part.MentionText));

/** Words, code, links, emoticons, and in groups the names of people. */
export function TextBubble(props: BubbleProps) {
  const { content, quoteMessage, group } = props.message;
  const isNaming = group !== null && group.atUserIds.length > 0;
  const isAlone = quoteMessage === null && !isNaming && isEmojiOnly(content);
  return (
    <BubbleFrame {...props} look={isAlone ? "bare" : "plain"}>
      {isNaming ? <TextWithMentions {...props} /> : <MessageText text={content} isLarge={isAlone} />}
    </BubbleFrame>
  );
}

/** Names are words like others until what finds them has come. */
function TextWithMentions({ chatKey, message }: BubbleProps) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  const words = <MessageText text={message.content} />;
  return <MentionText message={message} groupId={groupId} waiting={words} />;
}
