import { useId, useState } from "react";
import { Megaphone } from "lucide-react";
import type { AdminNotice, NoticePreview } from "@parley/protocol/admin-entities";
import { listNotices, previewNotice, publishNotice } from "@parley/protocol/endpoints/admin-notices";
import { NOTICE_TITLE_MAX } from "@parley/protocol/limits";
import { isVisible } from "@parley/protocol/text";
import { useDiscardQuestion } from "../../kit/dialogs/discard-question.tsx";
import { type Translate, useText } from "../../kit/i18n/i18n.ts";
import { NoticeText } from "../../kit/chats/notice-text.tsx";
import { useApi } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Stack } from "../../ui/layout.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { ActDialog, useAct } from "./act-dialog.tsx";
import { ActFailure, AdminPage } from "./admin-page.tsx";
import { TimeText } from "./cells.tsx";
import { type Column, ResourceList, usePagedRows } from "./resource-list.tsx";
import styles from "./admin-page.module.css";

/** The notices that were published, and how far they got. */
export function NoticesPage() {
  const t = useText();
  const api = useApi();
  const [isComposing, setComposing] = useState(false);
  const [open, setOpen] = useState<AdminNotice | null>(null);
  const rows = usePagedRows(({ page, size }) => api(listNotices, { query: { page, size } }));
  return (
    <AdminPage
      title={t("admin.page.notices")}
      actions={
        <Button variant="primary" icon={<Megaphone {...ICON_PROPS_16} />} onClick={() => setComposing(true)}>
          {t("admin.notices.compose")}
        </Button>
      }
    >
      <ResourceList
        label={t("admin.page.notices")}
        columns={columnsOf(t)}
        rows={rows}
        rowKey={({ id }) => id}
        onOpen={setOpen}
        emptyText={t("admin.notices.none")}
      />
      {open !== null && (
        <Dialog isOpen isSheet onClose={() => setOpen(null)} title={open.title} width={560}>
          <NoticeText body={open} />
        </Dialog>
      )}
      {isComposing && <ComposeNoticeDialog onPublished={rows.reload} onClose={() => setComposing(false)} />}
    </AdminPage>
  );
}

function columnsOf(t: Translate): readonly Column<AdminNotice>[] {
  return [
    {
      id: "title",
      header: t("admin.notices.title"),
      cell: ({ title, intro }) => (
        <Stack as="span" shrink>
          <bdi>{title}</bdi>
          <bdi className={styles.soft}>{intro}</bdi>
        </Stack>
      ),
    },
    {
      id: "to",
      header: t("admin.notices.to"),
      cell: ({ isForAll, isSending }) => (
        <span className={styles.chips}>
          {t(isForAll ? "admin.notices.everybody" : "admin.notices.chosen")}
          {isSending && <Chip tone="accent">{t("admin.notices.sending")}</Chip>}
        </span>
      ),
    },
    {
      id: "time",
      header: t("admin.notices.published"),
      cell: ({ createdTime }) => <TimeText time={createdTime} />,
    },
    {
      id: "received",
      header: t("admin.notices.received"),
      cell: ({ receivedCount }) => t("admin.notices.people", { count: receivedCount }),
      isNumber: true,
    },
    {
      id: "read",
      header: t("admin.notices.read"),
      cell: ({ readCount }) => t("admin.notices.people", { count: readCount }),
      isNumber: true,
    },
  ];
}

interface Draft {
  readonly title: string;
  readonly format: "text" | "html";
  readonly text: string;
  readonly link: string;
  readonly receivers: "all" | "some";
  readonly names: string;
}

const EMPTY: Draft = { title: "", format: "text", text: "", link: "", receivers: "all", names: "" };

/** The notice of a draft, as the server takes it. */
function noticeOf({ title, format, text, link }: Draft) {
  const content = !isVisible(text) ? null : text;
  return {
    title: title.trim(),
    text: format === "text" ? content : null,
    html: format === "html" ? content : null,
    link: link.trim() || null,
  };
}

interface ComposeNoticeDialogProps {
  onPublished: () => void;
  onClose: () => void;
}

/** Writes a notice, shows it as its readers will see it, and publishes it after a question. */
function ComposeNoticeDialog({ onPublished, onClose }: ComposeNoticeDialogProps) {
  const t = useText();
  const api = useApi();
  const { run, isBusy, failure } = useAct();
  const [draft, setDraft] = useState(EMPTY);
  const [preview, setPreview] = useState<NoticePreview | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { title, text, link, names } = draft;
  const isChanged = [title, text, link, names].some((part) => part.trim() !== "");
  const { close, question } = useDiscardQuestion(isChanged, onClose);
  const to = draft.receivers === "all" ? null : userNamesIn(draft.names);
  const isReady =
    isVisible(draft.title) &&
    (isVisible(draft.text) || draft.link.trim() !== "") &&
    (to === null || to.length > 0);
  const showPreview = async () => {
    if (!isReady || isBusy) return;
    const result = await run(() => api(previewNotice, { body: noticeOf(draft) }));
    if (result.ok) setPreview(result.value);
  };
  if (preview === null)
    return (
      <Dialog
        isOpen
        isSheet
        onClose={close}
        title={t("admin.notices.compose")}
        width={640}
        onSubmit={() => void showPreview()}
        footer={
          <>
            <Button onClick={close}>{t("app.cancel")}</Button>
            <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isReady}>
              {t("admin.notices.preview")}
            </Button>
          </>
        }
      >
        <NoticeFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
        <ActFailure failure={failure} />
        {question}
      </Dialog>
    );
  const receivers =
    to === null ? t("admin.notices.toEverybody") : t("admin.notices.toPeople", { count: to.length });
  return (
    <Dialog
      isOpen
      isSheet
      onClose={close}
      title={t("admin.notices.preview")}
      width={640}
      footer={
        <>
          <Button onClick={() => setPreview(null)}>{t("admin.notices.back")}</Button>
          <Button variant="primary" onClick={() => setAsking(true)}>
            {t("admin.notices.publish")}
          </Button>
        </>
      }
    >
      <p className={styles.note}>{receivers}</p>
      <h3 className={styles.heading}>
        <bdi>{preview.title}</bdi>
      </h3>
      <NoticeText body={preview} />
      {question}
      {isAsking && (
        <ActDialog
          title={t("admin.notices.publishTitle")}
          body={
            <>
              {receivers} {t("admin.notices.publishBody")}
            </>
          }
          confirmLabel={t("admin.notices.publish")}
          doneText={t("admin.notices.publishDone")}
          act={() => api(publishNotice, { body: { ...noticeOf(draft), to: to === null ? null : [...to] } })}
          onDone={() => {
            onPublished();
            onClose();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Dialog>
  );
}

function NoticeFields({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const t = useText();
  const id = useId();
  const { title, format, text, link, receivers, names } = draft;
  return (
    <Stack gap={16}>
      <TextField
        label={t("admin.notices.title")}
        maxLength={NOTICE_TITLE_MAX}
        value={title}
        dir="auto"
        autoFocus
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Stack gap={4} align="start" size={13}>
        <span id={`${id}-format`}>{t("admin.notices.format")}</span>
        <Segmented
          labelId={`${id}-format`}
          value={format}
          options={[
            { value: "text", text: t("admin.notices.plain") },
            { value: "html", text: "HTML" },
          ]}
          onChange={(next) => onChange({ format: next })}
        />
      </Stack>
      <TextArea
        label={t("admin.notices.text")}
        rows={7}
        value={text}
        dir="auto"
        hint={format === "html" ? t("admin.notices.htmlHint") : undefined}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <TextField
        label={t("admin.notices.link")}
        type="url"
        inputMode="url"
        placeholder="https://"
        spellCheck={false}
        value={link}
        hint={t("admin.notices.linkHint")}
        onChange={(event) => onChange({ link: event.currentTarget.value })}
      />
      <Stack gap={4} align="start" size={13}>
        <span id={`${id}-to`}>{t("admin.notices.to")}</span>
        <Segmented
          labelId={`${id}-to`}
          value={receivers}
          options={[
            { value: "all", text: t("admin.notices.everybody") },
            { value: "some", text: t("admin.notices.chosen") },
          ]}
          onChange={(next) => onChange({ receivers: next })}
        />
      </Stack>
      {receivers === "some" && (
        <TextArea
          label={t("admin.notices.names")}
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          value={names}
          hint={t("admin.notices.namesHint")}
          onChange={(event) => onChange({ names: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}

/** The user names in a text, as people write lists: with spaces, commas or lines between. Each once. */
export function userNamesIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;，、；]+/).filter((name) => name !== ""))];
}
