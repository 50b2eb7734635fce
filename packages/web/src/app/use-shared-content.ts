import { useEffect } from "react";
import { openDialog } from "../kit/open-dialog.ts";
import { hasSharedContent } from "../platform/shared-content.ts";

/** Asks for a chat if another app has shared something. */
export function useSharedContent(): void {
  useEffect(() => {
    hasSharedContent().then(
      (isThere) => isThere && openDialog({ kind: "share" }),
      // The browser refuses storage, so nothing was stored for this page.
      () => undefined,
    );
  }, []);
}
