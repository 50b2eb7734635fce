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
  /** `bare`: pictures without a bubble; `faint`: a placeholder for what cannot be shown. */
  variant?: "plain" | "bare" | "faint" | "card";
  children: ReactNode;
}

/** The bubble around the content of a message, with quote, time and state. */
export function BubbleFrame({ chatKey, message, position, variant = "plain", children }: FrameProps) {
  const side = message.selfSend ? styles.mine : styles.theirs;
  const isPlain = variant === "plain" || variant === "card";
  const mentionsMe = useMentionsMe(message);
  return (
    <div
      className={classNames(
        styles.bubble,
        side,
        isPlain && styles[position],
        !isPlain && styles[variant],
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
