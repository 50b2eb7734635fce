import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { CheckMark } from "../../../ui/check-mark.tsx";

interface SelectionCheckboxProps {
  message: ChatMessage;
  isSelected: boolean;
  className?: string | undefined;
}

/** The check box of a message while messages are being selected. The row or cell around it handles the click. */
export function SelectionCheckbox({ message, isSelected, className }: SelectionCheckboxProps) {
  const t = useText();
  return (
    <button
      type="button"
      className={className}
      role="checkbox"
      aria-checked={isSelected}
      aria-label={t("act.choose")}
      disabled={message.id === null}
    >
      <CheckMark isOn={isSelected} />
    </button>
  );
}
