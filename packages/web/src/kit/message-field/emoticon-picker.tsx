import { useRef } from "react";
import type { RefObject } from "react";
import { classNames } from "../../ui/class-names.ts";
import { useCloseOnOutsidePress } from "../../ui/use-close-on-outside-press.ts";
import { EmojiPicker } from "../emoji/emoji-picker.tsx";
import { useText } from "../i18n/i18n.ts";
import styles from "./emoticon-picker.module.css";
import fieldStyles from "./message-field.module.css";

interface EmoticonPickerProps {
  /** The button that opens and closes it. */
  opener: RefObject<HTMLElement | null>;
  /** Gets the token of an emoticon, or an emoji. */
  onPick: (text: string) => void;
  /** The focus should return to the text field. */
  onReturnFocus: () => void;
  onClose: () => void;
}

/** Emoticons and emoji above the field. */
export function EmoticonPicker({ opener, onPick, onReturnFocus, onClose }: EmoticonPickerProps) {
  const t = useText();
  const panel = useRef<HTMLDivElement>(null);
  useCloseOnOutsidePress(panel, opener, onClose);
  return (
    <div
      ref={panel}
      className={classNames(fieldStyles.popover, styles.panel)}
      role="dialog"
      aria-label={t("chat.emoticons")}
    >
      <EmojiPicker
        hasEmoticons
        onPick={onPick}
        onClose={() => {
          onClose();
          // On a touch device the focus would open the on-screen keyboard.
          if (!window.matchMedia("(pointer: coarse)").matches) onReturnFocus();
        }}
      />
    </div>
  );
}
