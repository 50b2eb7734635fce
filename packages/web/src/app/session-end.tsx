import { useEffect } from "react";
import type { SessionEnd as End } from "@parley/core/model/state";
import { useText } from "../kit/i18n.ts";
import { toasts } from "../kit/toasts.ts";
import { useClient } from "../kit/use-client.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";

/** Tells why the server ended the session (spec §8): an alert for what a person must know, a toast for a session that ran out. */
export function SessionEnd({ end }: { end: End }) {
  const t = useText();
  const { session } = useClient();
  const { reason } = end;
  const isExpired = reason === "expired";
  useEffect(() => {
    if (!isExpired) return;
    toasts.error(t("end.expired"));
    session.acknowledgeEnd();
  }, [isExpired, session, t]);

  if (reason === "expired") return null;
  return (
    <ConfirmDialog
      isOpen
      title={t(`end.${reason}Title`)}
      body={
        <>
          <p>{bodyOf(end, t(`end.${reason}`))}</p>
          {reason === "kicked" && <p>{t("end.kickedHere")}</p>}
        </>
      }
      confirmLabel={t("app.confirm")}
      onConfirm={() => session.acknowledgeEnd()}
      onCancel={() => session.acknowledgeEnd()}
    />
  );
}

/** A ban has a reason of its own, which only the server knows; the other ends have words in the reader's language. */
function bodyOf(end: End, ownText: string): string {
  return end.reason === "banned" && end.text !== null && end.text !== "" ? end.text : ownText;
}
