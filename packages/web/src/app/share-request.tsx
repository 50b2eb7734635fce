import { useEffect, useState } from "react";
import { ShareDialog } from "../features/chat/share-dialog.tsx";
import { useText } from "../kit/i18n/i18n.ts";
import { toasts } from "../kit/dialogs/toasts.ts";
import { type SharedContent, takeSharedContent } from "../platform/shared-content.ts";

/** Takes what another app has shared, and asks for its chat. */
export function ShareRequest({ onClose }: { onClose: () => void }) {
  const t = useText();
  const [content, setContent] = useState<SharedContent | null>(null);
  useEffect(() => {
    let isClosed = false;
    takeSharedContent(Date.now()).then(
      (taken) => {
        if (isClosed) return;
        if (taken === null || (taken.text === "" && taken.files.length === 0)) onClose();
        else setContent(taken);
      },
      () => {
        if (isClosed) return;
        toasts.error(t("share.lost"));
        onClose();
      },
    );
    return () => {
      isClosed = true;
    };
  }, [onClose, t]);
  return content === null ? null : <ShareDialog {...content} onClose={onClose} />;
}
