import { REMARK_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { useText } from "../../kit/i18n.ts";
import { TextField } from "../../ui/field.tsx";
import { useImeGuard } from "../../ui/ime.ts";

/** Whether a remark is short enough to be sent with a request. */
export function isRemarkValid(remark: string): boolean {
  return countCodePoints(remark.trim()) <= REMARK_MAX;
}

interface RemarkFieldProps {
  value: string;
  onChange: (remark: string) => void;
}

/** Field for the remark of a friend request. */
export function RemarkField({ value, onChange }: RemarkFieldProps) {
  const t = useText();
  const ime = useImeGuard();
  return (
    <TextField
      label={t("friend.applyRemark")}
      placeholder={t("friend.applyHint")}
      value={value}
      autoFocus
      autoComplete="off"
      dir="auto"
      error={isRemarkValid(value) ? undefined : t("friend.remarkTooLong", { max: REMARK_MAX })}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        // The input method uses this Enter to accept a word; do not submit the form.
        if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
      }}
      {...ime.handlers}
    />
  );
}
