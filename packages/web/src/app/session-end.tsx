import { useEffect } from "react";
import type { SessionEnd as End } from "@parley/core/model/state";
import { useText } from "../kit/i18n/i18n.ts";
import { toasts } from "../kit/dialogs/toasts.ts";
import { useClient } from "../kit/loading/use-client.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";

/** Tells why the server ended the session (spec §8): a toast if the session expired, an alert for any other reason. */
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

/** Text of the alert: the server's reason for a ban, our own text for the others. */
function bodyOf(end: End, ownText: string): string {
  return end.reason === "banned" && end.text !== null && end.text !== "" ? end.text : ownText;
}
