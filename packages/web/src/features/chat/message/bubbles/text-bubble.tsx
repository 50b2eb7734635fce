import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { isEmojiOnly } from "./emoji-only.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";
import { MessageText } from "./message-text.tsx";

const MentionText = lazyComponent(() => import("../../group-modules.ts").then((part) => part.MentionText));

/** A text message: code, links, emoticons, and in groups mentions. */
export function TextBubble(props: BubbleProps) {
  const { content, quoteMessage, group } = props.message;
  const hasMentions = group !== null && group.atUserIds.length > 0;
  const isLarge = quoteMessage === null && !hasMentions && isEmojiOnly(content);
  return (
    <BubbleFrame {...props} variant={isLarge ? "bare" : "plain"}>
      {hasMentions ? <TextWithMentions {...props} /> : <MessageText text={content} isLarge={isLarge} />}
    </BubbleFrame>
  );
}

/** Mentions are plain text until the code that finds them is loaded. */
function TextWithMentions({ chatKey, message }: BubbleProps) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  const plain = <MessageText text={message.content} />;
  return <MentionText message={message} groupId={groupId} waiting={plain} />;
}
