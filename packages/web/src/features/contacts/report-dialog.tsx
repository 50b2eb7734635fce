import { useId, useState } from "react";
import { REPORT_REASONS, type ReportReason } from "@parley/protocol/admin-entities";
import { reportAbuse } from "@parley/protocol/endpoints/reports";
import { REPORT_TEXT_MAX } from "@parley/protocol/limits";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import type { ReportedThing } from "../../kit/dialogs/open-dialog.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useApi } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FieldNote } from "../../ui/field.tsx";
import { Stack } from "../../ui/layout.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import styles from "./report-dialog.module.css";

interface ReportDialogProps {
  thing: ReportedThing;
  /** The person, or the sender of the message. */
  name: string;
  onClose: () => void;
}

/** Reports a person or a message to the administrators, who see only that. */
export function ReportDialog({ thing, name, onClose }: ReportDialogProps) {
  const t = useText();
  const api = useApi();
  const noteId = useId();
  const [reason, setReason] = useState<ReportReason>("spam");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isMessage = !("userId" in thing);
  const send = async () => {
    if (isBusy) return;
    setBusy(true);
    const result = await api(reportAbuse, { body: { ...thing, reason, text: text.trim() } });
    setBusy(false);
    if (!result.ok) return setProblem(failureText(result.failure, t));
    toasts.success(t("report.done"));
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(isMessage ? "report.messageTitle" : "report.personTitle", { name })}
      width={440}
      onSubmit={() => void send()}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("report.send")}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <p className={styles.note}>{t(isMessage ? "report.messageNote" : "report.personNote")}</p>
        <SelectField
          label={t("report.reason")}
          value={reason}
          options={REPORT_REASONS.map((value) => ({ value, text: t(`report.reason.${value}`) }))}
          onChange={(value) => setReason(REPORT_REASONS.find((known) => known === value) ?? "other")}
        />
        <div>
          <TextArea
            label={t("report.text")}
            rows={4}
            maxLength={REPORT_TEXT_MAX}
            value={text}
            dir="auto"
            data-unsaved={text !== "" || undefined}
            hint={t("report.textHint")}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <FieldNote id={noteId} error={problem} />
        </div>
      </Stack>
    </Dialog>
  );
}
