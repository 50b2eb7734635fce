import type { ReactNode } from "react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { classNames } from "../../../../ui/class-names.ts";
import { MessageMeta } from "./message-meta.tsx";
import { useMentionsMe } from "./use-mentions-me.ts";
import { QuoteBlock } from "./quote-block.tsx";
import styles from "./bubble.module.css";

/** The position of a message in a run of messages by the same sender. */
export type RunPosition = "single" | "top" | "mid" | "end";

/** The props of the bubble of every kind. */
export interface BubbleProps {
  chatKey: ChatKey;
  message: ChatMessage;
  position: RunPosition;
}

interface FrameProps extends BubbleProps {
  /**
   * `bare`: emoticons without a bubble; `faint`: a placeholder for what cannot be shown; `picture`: a picture that is the bubble, with the
   * time on it; `file` and `voice`: one line with the time in it.
   */
  variant?: "plain" | "bare" | "faint" | "card" | "picture" | "file" | "voice";
  children: ReactNode;
}

/** The bubble around the content of a message, with quote, time and state. */
export function BubbleFrame({ chatKey, message, position, variant = "plain", children }: FrameProps) {
  const side = message.selfSend ? styles.mine : styles.theirs;
  const isBubble = variant !== "bare" && variant !== "faint";
  const mentionsMe = useMentionsMe(message);
  return (
    <div
      className={classNames(
        styles.bubble,
        side,
        isBubble && styles[position],
        styles[variant],
        mentionsMe && styles.mentionsMe,
      )}
      dir="auto"
      data-bubble
      data-names-me={mentionsMe || undefined}
    >
      {message.quoteMessage !== null && <QuoteBlock chatKey={chatKey} quote={message.quoteMessage} />}
      {children}
      <MessageMeta chatKey={chatKey} message={message} />
    </div>
  );
}
