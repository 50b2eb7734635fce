import { useCallback, useEffect, useState } from "react";
import type { NoticeBody } from "@parley/core/chats/message-actions";
import type { ChatMessage, Result } from "@parley/core/model/state";
import { failureText } from "../../../kit/i18n/failure-text.ts";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { fullTime } from "../../../kit/i18n/time-text.ts";
import { NoticeText } from "../../../kit/chats/notice-text.tsx";
import { useClient } from "../../../kit/loading/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import styles from "./notice-reader.module.css";

/** The full text of a notice, or a link to its page. */
export function NoticeReader({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const t = useText();
  const locale = useLocale();
  const { chats } = useClient();
  const [result, setResult] = useState<Result<NoticeBody> | null>(null);
  const { id } = message;
  const load = useCallback(() => {
    if (id !== null) void chats.loadNotice(id).then(setResult);
  }, [chats, id]);
  useEffect(load, [load]);
  return (
    <Dialog isOpen onClose={onClose} title={message.system?.title || t("system.notice")} width={560}>
      <p className={styles.time}>{fullTime(message.sendTime, locale)}</p>
      {result === null ? (
        <div role="status" aria-busy="true">
          <span className="visually-hidden">{t("app.loading")}</span>
          <div className={styles.lines}>
            {["96%", "88%", "92%", "40%"].map((width) => (
              <Skeleton key={width} width={width} height={14} />
            ))}
          </div>
        </div>
      ) : result.ok ? (
        <NoticeText body={result.value} />
      ) : (
        <div className={styles.failure} role="alert">
          <p>{failureText(result.failure, t)}</p>
          <Button
            size="small"
            onClick={() => {
              setResult(null);
              load();
            }}
          >
            {t("app.retry")}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
