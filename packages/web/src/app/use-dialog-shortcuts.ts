import { useEffect } from "react";
import { openDialog } from "../kit/open-dialog.ts";
import { isShortcut } from "../kit/shortcuts.ts";
import { preloadSwitcher } from "./load-switcher.ts";

/** Shortcuts that open the switcher and the table of shortcuts from anywhere (interface §12). */
export function useDialogShortcuts(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      // The second key of the shortcut follows in a moment.
      if (event.key === "Control" || event.key === "Meta") return preloadSwitcher();
      const action = (["switcher", "keys"] as const).find((name) => isShortcut(event, name));
      if (action === undefined) return;
      event.preventDefault();
      // Do not replace an open confirmation dialog, nor one with changes that are not saved.
      if (document.querySelector('[role="alertdialog"], [data-unsaved]') === null)
        openDialog({ kind: action === "keys" ? "shortcuts" : "switcher" });
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, []);
}
