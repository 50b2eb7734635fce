import { useLayoutEffect, useRef } from "react";
import { AtSign } from "lucide-react";
import type { Chat } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { showMessage } from "../../../kit/show-message.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ICON } from "../../../ui/icon.ts";
import styles from "./mention-button.module.css";

/** To the messages not seen yet that name me, from the oldest on, one with each press. Gone when all are seen. */
export function MentionButton({ chat: { key, book } }: { chat: Chat }) {
  const t = useText();
  const button = useRef<HTMLButtonElement>(null);
  /** The one gone to last: it may not count as seen yet. */
  const gone = useRef(-1);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      // The keyboard stays in the conversation.
      if (element !== null && element === document.activeElement) {
        element
          .closest("[data-timeline]")
          ?.querySelector<HTMLElement>('[role="log"]')
          ?.focus({ preventScroll: true });
      }
    };
  }, []);
  const walk = () => {
    const next = book.mentions.find(({ id }) => id > gone.current) ?? book.mentions[0];
    if (next === undefined) return;
    gone.current = next.id;
    showMessage(key, next.id);
  };
  const count = book.mentions.length;
  const label = t("naming.next", { count });
  return (
    <button
      ref={button}
      type="button"
      className={styles.mention}
      aria-label={label}
      data-tip={label}
      data-tip-side="top"
      onClick={walk}
    >
      <AtSign {...ICON} />
      <Badge count={count} className={styles.badge} />
    </button>
  );
}
