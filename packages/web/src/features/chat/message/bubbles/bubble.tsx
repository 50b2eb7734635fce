import type { CSSProperties } from "react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { kindOf } from "@parley/protocol/message";
import { useText } from "../../../../kit/i18n.ts";
import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { type MediaBox, mediaBox, useMaxPicturePx } from "../media/picture-box.ts";
import { messageSummary } from "../message-summary.ts";
import { BubbleFrame, type BubbleProps, UnsupportedBubble } from "./bubble-frame.tsx";
import { isEmojiOnly, MessageText } from "./message-text.tsx";
import styles from "./bubble.module.css";

const KindBubble = lazyComponent(() => import("../kinds/lazy-kinds.tsx").then((part) => part.KindBubble));
const MentionText = lazyComponent(() => import("../../group-modules.ts").then((part) => part.MentionText));

/** Whether `lazy-kinds.tsx` has a bubble: for what people send, and for calls, which count as unread if they were missed. */
function hasLazyBubble(type: number): boolean {
  const kind = kindOf(type);
  if (kind === undefined) return false;
  return kind.unread === "missed" || (kind.sendable !== false && kind.content !== "text");
}

/** The bubble of a message. Kinds that this client cannot show have a placeholder. */
export function Bubble(props: BubbleProps) {
  const { message } = props;
  if (kindOf(message.type)?.isEditable === true) return <TextBubble {...props} />;
  if (!hasLazyBubble(message.type)) return <UnsupportedBubble {...props} />;
  return <KindBubble {...props} waiting={<WaitingBubble {...props} />} />;
}

/** A picture is as large in every text size, the others grow with their words. */
function waitingSize({ width, height, variant }: MediaBox): CSSProperties {
  if (variant === "picture") return { inlineSize: width, blockSize: height };
  return { inlineSize: `${width / 16}rem`, blockSize: `${height / 16}rem` };
}

/** A label for the kind until its bubble is loaded, or if it cannot be loaded; as large as the bubble where that is known. */
function WaitingBubble(props: BubbleProps) {
  const t = useText();
  const max = useMaxPicturePx();
  const box = mediaBox(props.message, max);
  const variant = box === null || props.message.quoteMessage !== null ? "plain" : box.variant;
  return (
    <BubbleFrame {...props} variant={variant}>
      {box === null ? (
        messageSummary(props.message, t)
      ) : (
        <span className={styles.waiting} style={waitingSize(box)} data-waiting />
      )}
    </BubbleFrame>
  );
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

/** Mentions are plain text until the code that finds them is loaded. */
function TextWithMentions({ chatKey, message }: BubbleProps) {
  const groupId = parseChatKey(chatKey)?.targetId ?? 0;
  const plain = <MessageText text={message.content} />;
  return <MentionText message={message} groupId={groupId} waiting={plain} />;
}
