import { useState } from "react";
import { Megaphone } from "lucide-react";
import type { AdminNotice } from "@parley/protocol/admin-entities";
import { listNotices } from "@parley/protocol/endpoints/admin-notices";
import { type Text, useText } from "../../kit/i18n.ts";
import { NoticeText } from "../../kit/notice-text.tsx";
import { useApi } from "../../kit/use-api.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { AdminPage } from "./admin-page.tsx";
import styles from "./admin-page.module.css";
import { ComposeNoticeDialog } from "./compose-notice-dialog.tsx";
import { type Column, ResourceList } from "./resource-list.tsx";
import { TimeText } from "./time-text.tsx";
import { usePagedRows } from "./use-paged-rows.ts";

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

function columnsOf(t: Text): readonly Column<AdminNotice>[] {
  return [
    {
      id: "title",
      header: t("admin.notices.title"),
      cell: ({ title, intro }) => (
        <span className={styles.names}>
          <bdi>{title}</bdi>
          <bdi className={styles.soft}>{intro}</bdi>
        </span>
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
