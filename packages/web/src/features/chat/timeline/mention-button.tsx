import { useLayoutEffect, useRef } from "react";
import { AtSign } from "lucide-react";
import type { Chat } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { showMessage } from "../../../kit/chats/show-message.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { TimelineButton } from "./scroll-down.tsx";
import styles from "./mention-button.module.css";

/** Each click scrolls to the next unread message that mentions me, the oldest first. Unmounted when all are read. */
export function MentionButton({ chat: { key, sync } }: { chat: Chat }) {
  const t = useText();
  const button = useRef<HTMLButtonElement>(null);
  /** The id of the last visited mention, which may not count as read yet. */
  const visited = useRef(-1);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      // Keep the keyboard focus in the conversation.
      if (element !== null && element === document.activeElement) {
        element
          .closest("[data-timeline]")
          ?.querySelector<HTMLElement>('[role="log"]')
          ?.focus({ preventScroll: true });
      }
    };
  }, []);
  const goToNext = () => {
    const next = sync.mentions.find(({ id }) => id > visited.current) ?? sync.mentions[0];
    if (next === undefined) return;
    visited.current = next.id;
    showMessage(key, next.id);
  };
  const count = sync.mentions.length;
  return (
    <TimelineButton
      ref={button}
      label={t("naming.next", { count })}
      count={count}
      className={styles.mention}
      onClick={goToNext}
    >
      <AtSign {...ICON_PROPS} />
    </TimelineButton>
  );
}
