import { useId, useState } from "react";
import { previewOf } from "@parley/core/model/chats/preview";
import { parseObject } from "@parley/core/model/parse-object";
import type { AdminReport, ReportOutcome } from "@parley/protocol/admin-entities";
import { banPerson } from "@parley/protocol/endpoints/admin-people";
import { closeReport, listReports } from "@parley/protocol/endpoints/reports";
import { REPORT_TEXT_MAX } from "@parley/protocol/limits";
import { filesOf, kindOf } from "@parley/protocol/message";
import { downloadUrl } from "../../kit/forms/downloads.ts";
import { type Translate, useText } from "../../kit/i18n/i18n.ts";
import { previewText } from "../../kit/chats/preview-text.ts";
import { useApi, useClient } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { KeyValueList, KeyValueRow } from "../../ui/key-value-list.tsx";
import { Box, Stack } from "../../ui/layout.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { ActForm, BanDialog } from "./act-dialog.tsx";
import { AdminPage } from "./admin-page.tsx";
import { PersonName, TimeText } from "./cells.tsx";
import { type Column, ResourceList, usePagedRows } from "./resource-list.tsx";
import styles from "./admin-page.module.css";

const STATES = ["open", "closed"] as const;

/** What people have reported as abuse. */
export function ReportsPage() {
  const t = useText();
  const api = useApi();
  const filterId = useId();
  const [state, setState] = useState<(typeof STATES)[number]>("open");
  const [open, setOpen] = useState<AdminReport | null>(null);
  const rows = usePagedRows(({ page, size }) => api(listReports, { query: { page, size, state } }), state);
  return (
    <AdminPage title={t("admin.page.reports")}>
      <ResourceList
        label={t("admin.page.reports")}
        columns={columnsOf(t)}
        rows={rows}
        rowKey={({ id }) => id}
        onOpen={setOpen}
        filters={
          <>
            <span id={filterId} className="visually-hidden">
              {t("admin.reports.filter")}
            </span>
            <Segmented
              labelId={filterId}
              value={state}
              options={STATES.map((value) => ({ value, text: t(`admin.reports.${value}`) }))}
              onChange={setState}
            />
          </>
        }
        emptyText={t(state === "open" ? "admin.reports.noneOpen" : "admin.reports.noneClosed")}
      />
      {open !== null && (
        <ReportDialog
          report={open}
          onClosed={() => {
            setOpen(null);
            rows.reload();
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </AdminPage>
  );
}

function columnsOf(t: Translate): readonly Column<AdminReport>[] {
  return [
    {
      id: "what",
      header: t("admin.reports.what"),
      cell: ({ message, person }) => (
        <>
          {t(message === null ? "admin.reports.person" : "admin.reports.message")}{" "}
          <PersonName person={person} />
        </>
      ),
    },
    {
      id: "reason",
      header: t("admin.reason"),
      cell: ({ reason }) => t(`report.reason.${reason}`),
    },
    {
      id: "reporter",
      header: t("admin.reports.reporter"),
      cell: ({ reporter }) => <PersonName person={reporter} />,
    },
    {
      id: "time",
      header: t("admin.reports.time"),
      cell: ({ createdTime }) => <TimeText time={createdTime} />,
    },
  ];
}

interface ReportDialogProps {
  report: AdminReport;
  /** The report was closed. */
  onClosed: () => void;
  onClose: () => void;
}

/** A report: what was reported, and what came of it, or what can be done. */
function ReportDialog({ report, onClosed, onClose }: ReportDialogProps) {
  const t = useText();
  const api = useApi();
  const [asked, setAsked] = useState<"ban" | ReportOutcome | null>(null);
  const { person } = report;
  const name = person?.nickName ?? "";
  return (
    <Dialog
      isOpen
      isSheet
      onClose={onClose}
      title={t("admin.report.title")}
      width={560}
      {...(report.closed === null && {
        footer: (
          <>
            <Button onClick={() => setAsked("dismissed")}>{t("admin.report.dismissed")}</Button>
            {person !== null && (
              <Button variant="danger" onClick={() => setAsked("ban")}>
                {t("admin.person.ban")}
              </Button>
            )}
            <Button variant="primary" onClick={() => setAsked("acted")}>
              {t("admin.report.acted")}
            </Button>
          </>
        ),
      })}
    >
      <ReportFacts report={report} />
      {asked === "ban" && person !== null && (
        <BanDialog
          title={t("admin.person.banTitle", { name })}
          note={t("admin.person.banBody")}
          doneText={t("admin.person.banDone", { name })}
          act={(reason) => api(banPerson, { body: { userId: person.id, reason } })}
          // Afterwards only the report has to be closed.
          onDone={() => setAsked("acted")}
          onClose={() => setAsked(null)}
        />
      )}
      {(asked === "acted" || asked === "dismissed") && (
        <CloseForm
          key={asked}
          reportId={report.id}
          outcome={asked}
          onDone={onClosed}
          onClose={() => setAsked(null)}
        />
      )}
    </Dialog>
  );
}

function ReportFacts({ report }: { report: AdminReport }) {
  const t = useText();
  const { reporter, person, message, reason, text, createdTime, closed } = report;
  return (
    <>
      {message !== null && <ReportedMessage message={message} isOpen={closed === null} />}
      <Box marginTop={12} marginBottom={16}>
        <KeyValueList>
          <KeyValueRow
            label={t(message === null ? "admin.reports.person" : "admin.report.sender")}
            text={<PersonName person={person} />}
          />
          <KeyValueRow label={t("admin.reason")} text={t(`report.reason.${reason}`)} />
          {text !== "" && <KeyValueRow label={t("admin.report.text")} text={<bdi>{text}</bdi>} />}
          <KeyValueRow label={t("admin.reports.reporter")} text={<PersonName person={reporter} />} />
          <KeyValueRow label={t("admin.reports.time")} text={<TimeText time={createdTime} />} />
          {closed !== null && (
            <KeyValueRow
              label={t("admin.report.outcome")}
              text={
                <>
                  {t(`admin.report.outcome.${closed.outcome}`)} · <TimeText time={closed.time} /> ·{" "}
                  {closed.by === null ? t("admin.commandLine") : <PersonName person={closed.by} />}
                </>
              }
            />
          )}
          {closed !== null && closed.note !== "" && (
            <KeyValueRow label={t("admin.report.note")} text={<bdi>{closed.note}</bdi>} />
          )}
        </KeyValueList>
      </Box>
    </>
  );
}

interface ReportedMessageProps {
  message: NonNullable<AdminReport["message"]>;
  /** Whether the report is open, which keeps the files. */
  isOpen: boolean;
}

/** The message as it was when it was reported, with its picture and links to its files. */
function ReportedMessage({ message, isOpen }: ReportedMessageProps) {
  const t = useText();
  const client = useClient();
  const { type, content, sendTime, chatType, groupId } = message;
  const preview = previewOf({ type, content, tip: null, sendId: 0, sending: null, system: null });
  const fields = parseObject(content);
  const files = filesOf(type, content).filter((url) => url !== "");
  const name = typeof fields?.name === "string" ? fields.name : null;
  const picture = kindOf(type)
    ?.pictureFields?.map((field) => fields?.[field])
    .findLast((url) => url);
  return (
    <Stack as="figure" gap={8} marginBottom={16}>
      <Box as="blockquote" paddingX={12} paddingY={8} className={styles.quote} dir="auto">
        {previewText(preview, t)}
      </Box>
      {typeof picture === "string" && (
        <ReportedPicture url={client.fileUrl(picture)} name={previewText(preview, t)} />
      )}
      {files.map((url, index) => (
        <p key={url}>
          <a
            href={name === null ? client.fileUrl(url) : downloadUrl(client.fileUrl(url), name)}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t("admin.report.file", { number: index + 1 })}
          </a>
        </p>
      ))}
      {files.length > 0 && (
        <p className={styles.note}>{t(isOpen ? "admin.report.filesKept" : "admin.report.filesMayBeGone")}</p>
      )}
      <figcaption className={styles.note}>
        {chatType === "GROUP"
          ? t("admin.report.inGroup", { id: String(groupId ?? "") })
          : t("admin.report.inPrivate")}
        {" · "}
        <TimeText time={sendTime} />
      </figcaption>
    </Stack>
  );
}

/** The picture of a reported message. It may be deleted once the report is closed. */
function ReportedPicture({ url, name }: { url: string; name: string }) {
  const t = useText();
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <p className={styles.note}>{t("media.pictureFailed")}</p>;
  return <img className={styles.picture} src={url} alt={name} onError={() => setFailed(true)} />;
}

interface CloseFormProps {
  reportId: number;
  outcome: ReportOutcome;
  onDone: () => void;
  onClose: () => void;
}

/** Closes a report, with a note for other administrators. */
function CloseForm({ reportId, outcome, onDone, onClose }: CloseFormProps) {
  const t = useText();
  const api = useApi();
  const [note, setNote] = useState("");
  return (
    <ActForm
      title={t(`admin.report.${outcome}`)}
      confirmLabel={t("admin.report.close")}
      doneText={t("admin.report.closeDone")}
      isChanged={note.trim() !== ""}
      act={() => api(closeReport, { body: { reportId, outcome, note: note.trim() } })}
      onDone={onDone}
      onClose={onClose}
    >
      <p className={styles.note}>{t(`admin.report.${outcome}Body`)}</p>
      <TextArea
        label={t("admin.report.note")}
        rows={3}
        maxLength={REPORT_TEXT_MAX}
        value={note}
        dir="auto"
        autoFocus
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ActForm>
  );
}
