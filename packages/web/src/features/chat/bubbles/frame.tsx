import type { ReactNode } from "react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { classNames } from "../../../ui/class-names.ts";
import { Meta } from "./meta.tsx";
import { useNamesMe } from "./names-me.ts";
import { QuoteBlock } from "./quote-block.tsx";
import styles from "./bubble.module.css";

export type Place = "single" | "top" | "mid" | "end";

export interface BubbleProps {
  chatKey: ChatKey;
  message: ChatMessage;
  place: Place;
}

interface FrameProps extends BubbleProps {
  /** `bare`: pictures that need no bubble; `faint`: what cannot be shown. */
  look?: "plain" | "bare" | "faint" | "card";
  children: ReactNode;
}

/** The shape around a message: its quote, what it says, time and state. */
export function BubbleFrame({ chatKey, message, place, look = "plain", children }: FrameProps) {
  const side = message.selfSend ? styles.mine : styles.theirs;
  const isPlain = look === "plain" || look === "card";
  const namesMe = useNamesMe(message);
  return (
    <div
      className={classNames(
        styles.bubble,
        side,
        isPlain && styles[place],
        !isPlain && styles[look],
        namesMe && styles.namesMe,
      )}
      dir="auto"
      data-bubble
      data-names-me={namesMe || undefined}
    >
      {message.quoteMessage !== null && <QuoteBlock chatKey={chatKey} quote={message.quoteMessage} />}
      {children}
      <Meta chatKey={chatKey} message={message} />
    </div>
  );
}
