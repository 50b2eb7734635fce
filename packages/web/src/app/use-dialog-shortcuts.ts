import { useEffect } from "react";
import { openDialog } from "../kit/open-dialog.ts";
import { isShortcut } from "../kit/shortcuts.ts";
import { preloadSwitcher } from "./load-switcher.ts";

/** Keys that open the switcher and the table of keys, from everywhere (interface §12). */
export function useDialogShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // The other key of the two follows within a moment.
      if (event.key === "Control" || event.key === "Meta") return preloadSwitcher();
      const kind = (["switcher", "keys"] as const).find((action) => isShortcut(event, action));
      if (kind === undefined) return;
      event.preventDefault();
      // A question that is open wants its answer first.
      if (document.querySelector('[role="alertdialog"]') === null) openDialog({ kind });
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
