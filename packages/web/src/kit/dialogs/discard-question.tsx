import { useState } from "react";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { useText } from "../i18n/i18n.ts";

/** Asks before a dialog closes in which something was entered and not saved. */
export function useDiscardQuestion(isChanged: boolean, onClose: () => void) {
  const t = useText();
  const [isAsking, setAsking] = useState(false);
  return {
    /** Closes the dialog, after the question if there is something to lose. */
    close: () => (isChanged ? setAsking(true) : onClose()),
    /** The dialog renders it in its content. */
    question: (
      <>
        {/* Shortcuts that open another dialog leave this one alone. */}
        {isChanged && <span hidden data-unsaved />}
        <ConfirmDialog
          isOpen={isAsking}
          title={t("discard.title")}
          body={t("discard.body")}
          confirmLabel={t("discard.discard")}
          cancelLabel={t("discard.goOn")}
          isDanger
          onConfirm={onClose}
          onCancel={() => setAsking(false)}
        />
      </>
    ),
  };
}
