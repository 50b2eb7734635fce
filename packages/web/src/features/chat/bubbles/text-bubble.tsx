import { parseChatKey } from "@parley/core/model/rows";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { isFewPictures } from "./alone.ts";
import { BubbleFrame } from "./frame.tsx";
import type { BubbleProps } from "./frame.tsx";
import { MessageText } from "./message-text.tsx";

const MentionText = lazyPart(() => import("../in-groups.ts").then((part) => part.MentionText));

/** Words, code, links, emoticons, and in groups the names of people. */
export function TextBubble(props: BubbleProps) {
  const { content, quoteMessage, group } = props.message;
  const isNaming = group !== null && group.atUserIds.length > 0;
  const isAlone = quoteMessage === null && !isNaming && isFewPictures(content);
  return (
    <BubbleFrame {...props} look={isAlone ? "bare" : "plain"}>
      {isNaming ? <Naming {...props} /> : <MessageText text={content} isLarge={isAlone} />}
    </BubbleFrame>
  );
}

/** Names are words like others until what finds them has come. */
function Naming({ chatKey, message }: BubbleProps) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  const words = <MessageText text={message.content} />;
  return <MentionText message={message} groupId={groupId} waiting={words} />;
}
