import type { ChatMessage } from "@parley/core/model/state";
import { failureText } from "../../../kit/i18n/failure-text.ts";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { fullTime } from "../../../kit/i18n/time-text.ts";
import { NoticeText } from "../../../kit/chats/notice-text.tsx";
import { useClient } from "../../../kit/loading/use-client.ts";
import { useLoaded } from "../../../kit/loading/use-loaded.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import styles from "./notice-reader.module.css";

/** The full text of a notice, or a link to its page. */
export function NoticeReader({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const t = useText();
  const locale = useLocale();
  const { chats } = useClient();
  const id = message.id ?? 0;
  const { value, failure, reload } = useLoaded(() => chats.loadNotice(id), String(id));
  return (
    <Dialog isOpen onClose={onClose} title={message.system?.title || t("system.notice")} width={560}>
      <p className={styles.time}>{fullTime(message.sendTime, locale)}</p>
      {failure !== null ? (
        <div className={styles.failure} role="alert">
          <p>{failureText(failure, t)}</p>
          <Button size="small" onClick={reload}>
            {t("app.retry")}
          </Button>
        </div>
      ) : value !== null ? (
        <NoticeText body={value} />
      ) : (
        <div role="status" aria-busy="true">
          <span className="visually-hidden">{t("app.loading")}</span>
          <Stack gap={12}>
            {["96%", "88%", "92%", "40%"].map((width) => (
              <Skeleton key={width} width={width} height={14} />
            ))}
          </Stack>
        </div>
      )}
    </Dialog>
  );
}
