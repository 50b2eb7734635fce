import { useState } from "react";
import type { Result } from "@parley/core/model/state";
import { BAN_REASON_MAX } from "@parley/protocol/limits";
import { isVisible } from "@parley/protocol/text";
import { useText } from "../../kit/i18n.ts";
import { TextField } from "../../ui/field.tsx";
import { ActForm } from "./act-dialog.tsx";
import styles from "./admin-page.module.css";

interface BanDialogProps {
  title: string;
  /** What the ban does. */
  note: string;
  doneText: string;
  act: (reason: string) => Promise<Result<unknown>>;
  onDone: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of a ban, which those whom it concerns will read. */
export function BanDialog({ title, note, doneText, act, onDone, onClose }: BanDialogProps) {
  const t = useText();
  const [reason, setReason] = useState("");
  return (
    <ActForm
      title={title}
      confirmLabel={t("admin.ban")}
      doneText={doneText}
      isDanger
      isChanged={reason.trim() !== ""}
      isReady={isVisible(reason)}
      act={() => act(reason.trim())}
      onDone={() => onDone(reason.trim())}
      onClose={onClose}
    >
      <p className={styles.note}>{note}</p>
      <TextField
        label={t("admin.reason")}
        hint={t("admin.reasonHint")}
        maxLength={BAN_REASON_MAX}
        value={reason}
        dir="auto"
        autoFocus
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ActForm>
  );
}
