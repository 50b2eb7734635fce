import { useState } from "react";
import { Plus, Trash2 } from "lucide-react";
import type { AdminInviteCode } from "@parley/protocol/admin-entities";
import {
  createInviteCode,
  deleteInviteCode,
  listInviteCodes,
} from "@parley/protocol/endpoints/admin-invite-codes";
import { INVITE_CODE_DAYS_MAX, INVITE_CODE_USES_MAX } from "@parley/protocol/limits";
import { type Translate, useText } from "../../kit/i18n/i18n.ts";
import { useApi } from "../../kit/loading/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ICON_PROPS, ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Stack } from "../../ui/layout.tsx";
import { ActDialog, Secret, useAct } from "./act-dialog.tsx";
import { ActFailure, AdminPage } from "./admin-page.tsx";
import { type Column, ResourceList, usePagedRows } from "./resource-list.tsx";
import { TimeText } from "./cells.tsx";
import { wholeNumber } from "./whole-number.ts";

/** Codes with which people can register while registration asks for one. */
export function InvitesPage() {
  const t = useText();
  const api = useApi();
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<string | null>(null);
  const rows = usePagedRows(({ page, size }) => api(listInviteCodes, { query: { page, size } }));
  return (
    <AdminPage
      title={t("admin.page.invites")}
      actions={
        <Button variant="primary" icon={<Plus {...ICON_PROPS_16} />} onClick={() => setCreating(true)}>
          {t("admin.invites.create")}
        </Button>
      }
    >
      <ResourceList
        label={t("admin.page.invites")}
        columns={columnsOf(t, setDeleting)}
        rows={rows}
        rowKey={({ code }) => code}
        emptyText={t("admin.invites.none")}
      />
      {isCreating && <CreateInviteDialog onCreated={rows.reload} onClose={() => setCreating(false)} />}
      {deleting !== null && (
        <ActDialog
          title={t("admin.invites.deleteTitle", { code: deleting })}
          body={t("admin.invites.deleteBody")}
          confirmLabel={t("admin.invites.deleteConfirm")}
          doneText={t("admin.invites.deleted")}
          act={() => api(deleteInviteCode, { body: { code: deleting } })}
          onDone={() => {
            setDeleting(null);
            rows.reload();
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </AdminPage>
  );
}

function columnsOf(t: Translate, onDelete: (code: string) => void): readonly Column<AdminInviteCode>[] {
  return [
    { id: "code", header: t("admin.invites.code"), cell: ({ code }) => <code>{code}</code> },
    {
      id: "uses",
      header: t("admin.invites.usesLeft"),
      cell: ({ usesLeft }) => usesLeft,
      isNumber: true,
    },
    {
      id: "expires",
      header: t("admin.invites.expires"),
      cell: ({ expiresTime }) =>
        expiresTime !== null && expiresTime < Date.now() ? (
          t("admin.invites.expired")
        ) : (
          <TimeText time={expiresTime} />
        ),
    },
    {
      id: "delete",
      header: t("admin.acts"),
      cell: ({ code }) => (
        <IconButton
          label={t("admin.invites.delete", { code })}
          isDanger
          size={32}
          onClick={() => onDelete(code)}
        >
          <Trash2 {...ICON_PROPS} />
        </IconButton>
      ),
      isNumber: true,
    },
  ];
}

/** Makes a code and shows it. */
function CreateInviteDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const t = useText();
  const api = useApi();
  const { run, isBusy, failure } = useAct();
  const [uses, setUses] = useState("1");
  const [days, setDays] = useState("");
  const [code, setCode] = useState<string | null>(null);
  const usesNumber = wholeNumber(uses, 1, INVITE_CODE_USES_MAX);
  const daysNumber = days.trim() === "" ? null : wholeNumber(days, 1, INVITE_CODE_DAYS_MAX);
  const submit = async () => {
    if (usesNumber === undefined || daysNumber === undefined || isBusy) return;
    const result = await run(() => api(createInviteCode, { body: { uses: usesNumber, days: daysNumber } }));
    if (!result.ok) return;
    setCode(result.value.code);
    onCreated();
  };
  if (code !== null)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={t("admin.invites.created")}
        width={440}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t("admin.password.done")}
          </Button>
        }
      >
        <Secret text={code} />
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("admin.invites.create")}
      width={440}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("admin.invites.createNow")}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <TextField
          label={t("admin.invites.uses")}
          inputMode="numeric"
          value={uses}
          error={
            usesNumber === undefined ? t("admin.numberRange", { min: 1, max: INVITE_CODE_USES_MAX }) : null
          }
          onChange={(event) => setUses(event.currentTarget.value)}
        />
        <TextField
          label={t("admin.invites.days")}
          inputMode="numeric"
          value={days}
          hint={t("admin.invites.daysHint")}
          error={
            daysNumber === undefined ? t("admin.numberRange", { min: 1, max: INVITE_CODE_DAYS_MAX }) : null
          }
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <ActFailure failure={failure} />
      </Stack>
    </Dialog>
  );
}
