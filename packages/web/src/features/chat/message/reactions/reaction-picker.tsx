import { useLayoutEffect, useRef } from "react";
import type { ChatMessage } from "@parley/core/model/state";
import { EmojiPicker } from "../../../../kit/emoji/emoji-picker.tsx";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { fitIntoWindow, pageTop } from "../../../../ui/popover-position.ts";
import { useCloseOnOutsidePress } from "../../../../ui/use-close-on-outside-press.ts";
import { useConversationUi } from "../conversation-ui.ts";
import { hasReacted, toggleReaction } from "./reaction-acts.ts";
import styles from "./reactions.module.css";

interface ReactionPickerProps {
  message: ChatMessage;
  /** The point beside which it opens. */
  x: number;
  y: number;
  onClose: () => void;
}

/** All emoji to react with to a message, near a point; on a small screen a sheet. */
export function ReactionPicker({ message, x, y, onClose }: ReactionPickerProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const panel = box.current;
    if (panel === null) return;
    const place = () => {
      panel.style.setProperty("--left", `${fitIntoWindow(x, panel.offsetWidth, innerWidth)}px`);
      panel.style.setProperty("--top", `${fitIntoWindow(y, panel.offsetHeight, innerHeight, pageTop())}px`);
    };
    // Again when it has loaded what it shows.
    const observer = new ResizeObserver(place);
    observer.observe(panel);
    window.addEventListener("resize", place);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
    };
  }, [x, y]);
  const close = () => {
    onClose();
    const row = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(message.key)}"]`);
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) row?.focus({ preventScroll: true });
    });
  };
  useCloseOnOutsidePress(box, box, close);
  const pick = (reaction: string) => {
    if (!hasReacted(message, reaction, client.getState())) toggleReaction(message, reaction, { client, ui });
  };
  return (
    <div ref={box} className={styles.picker} role="dialog" aria-label={t("reaction.more")}>
      <EmojiPicker hasEmoticons onPick={pick} onClose={close} />
    </div>
  );
}
