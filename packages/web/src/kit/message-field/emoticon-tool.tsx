import { useRef } from "react";
import { Smile } from "lucide-react";
import { useText } from "../i18n/i18n.ts";
import { lazyComponent } from "../loading/lazy-component.tsx";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";

const EmoticonPicker = lazyComponent(() =>
  import("./emoticon-picker.tsx").then((part) => part.EmoticonPicker),
);

interface EmoticonToolProps {
  className?: string | undefined;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Gets the token of the emoticon. */
  onPick: (token: string) => void;
  /** The focus should return to the text field. */
  onReturnFocus: () => void;
}

/** The button that opens the emoticon picker, and the picker. */
export function EmoticonTool({ className, isOpen, onOpenChange, onPick, onReturnFocus }: EmoticonToolProps) {
  const t = useText();
  const button = useRef<HTMLButtonElement>(null);
  const toggle = () => {
    onOpenChange(!isOpen);
    // On a touch device the focus would open the on-screen keyboard.
    if (isOpen && !window.matchMedia("(pointer: coarse)").matches) onReturnFocus();
  };
  return (
    <span className={className}>
      <IconButton
        ref={button}
        label={t("chat.emoticons")}
        tooltipSide="top"
        isOn={isOpen}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={toggle}
      >
        <Smile {...ICON_PROPS} />
      </IconButton>
      {isOpen && (
        <EmoticonPicker
          opener={button}
          onPick={onPick}
          onReturnFocus={onReturnFocus}
          onClose={() => onOpenChange(false)}
          onMissing={() => onOpenChange(false)}
        />
      )}
    </span>
  );
}
