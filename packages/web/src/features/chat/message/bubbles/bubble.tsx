import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { kindOf } from "@parley/protocol/message";
import { isSignUp } from "@parley/protocol/poll";
import { KindBubble } from "../kinds/kinds.tsx";
import { PollBubble } from "../polls/poll-bubble.tsx";
import { SignUpBubble } from "../polls/sign-up-bubble.tsx";
import { BubbleFrame, type BubbleProps } from "./bubble-frame.tsx";
import { MentionText } from "./mention-text.tsx";
import { isEmojiOnly, MessageText } from "./message-text.tsx";

/** The bubble of a message. Kinds that this client cannot show have a placeholder. */
export function Bubble(props: BubbleProps) {
  const { type, extra } = props.message;
  const isText = kindOf(type)?.isEditable === true;
  if (!isText) return <KindBubble {...props} />;
  if (extra?.poll === undefined) return <TextBubble {...props} />;
  return isSignUp(extra.poll) ? <SignUpBubble {...props} /> : <PollBubble {...props} />;
}

/** A text message: code, links, emoticons, and in groups mentions. */
function TextBubble(props: BubbleProps) {
  const { content, quoteMessage, group } = props.message;
  const hasMentions = group !== null && group.atUserIds.length > 0;
  const isLarge = quoteMessage === null && !hasMentions && isEmojiOnly(content);
  return (
    <BubbleFrame {...props} variant={isLarge ? "bare" : "plain"}>
      {hasMentions ? <TextWithMentions {...props} /> : <MessageText text={content} isLarge={isLarge} />}
    </BubbleFrame>
  );
}

function TextWithMentions({ chatKey, message }: BubbleProps) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  return <MentionText message={message} groupId={groupId} />;
}
