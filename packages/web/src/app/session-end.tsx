import { Suspense, lazy, useEffect } from "react";
import type { SessionEnd as End } from "@parley/core/model/state";
import { useText } from "../kit/i18n.ts";
import { toasts } from "../kit/toasts.ts";
import { useClient, useClientState } from "../kit/use-client.ts";
import { loadChunk } from "./load-chunk.ts";

// Whoever only signs in never loads the dialog.
const Question = lazy(() =>
  loadChunk(() => import("../ui/dialog.tsx").then((part) => ({ default: part.ConfirmDialog }))),
);

/** Tells why the server ended the session (spec §8): an alert for what a person must know, a toast for a session that ran out. */
export function SessionEnd() {
  const t = useText();
  const { session } = useClient();
  const end = useClientState((state) => (state.session.kind === "anonymous" ? state.session.ended : null));
  const isExpired = end?.reason === "expired";
  useEffect(() => {
    if (!isExpired) return;
    toasts.error(t("end.expired"));
    session.acknowledgeEnd();
  }, [isExpired, session, t]);

  if (end === null || end.reason === "expired") return null;
  const { reason } = end;
  return (
    <Suspense>
      <Question
        isOpen
        title={t(`end.${reason}Title`)}
        body={bodyOf(end, t(`end.${reason}`))}
        confirmLabel={t("app.confirm")}
        onConfirm={() => session.acknowledgeEnd()}
        onCancel={() => session.acknowledgeEnd()}
      />
    </Suspense>
  );
}

/** A ban has a reason of its own, which only the server knows; the other ends have words in the reader's language. */
function bodyOf(end: End, ownWords: string): string {
  return end.reason === "banned" && end.text !== null && end.text !== "" ? end.text : ownWords;
}
