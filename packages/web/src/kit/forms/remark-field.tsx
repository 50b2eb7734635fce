import { REMARK_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { TextField } from "../../ui/field.tsx";
import { useText } from "../i18n/i18n.ts";

/** Whether a remark is short enough to be sent with a request. */
export function isRemarkValid(remark: string): boolean {
  return countCodePoints(remark.trim()) <= REMARK_MAX;
}

interface RemarkFieldProps {
  placeholder: string;
  value: string;
  onChange: (remark: string) => void;
}

/** Field for the remark of a request to a person or to a group. */
export function RemarkField({ placeholder, value, onChange }: RemarkFieldProps) {
  const t = useText();
  return (
    <TextField
      label={t("friend.applyRemark")}
      placeholder={placeholder}
      value={value}
      autoFocus
      autoComplete="off"
      dir="auto"
      data-unsaved={value !== "" || undefined}
      error={isRemarkValid(value) ? undefined : t("friend.remarkTooLong", { max: REMARK_MAX })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
