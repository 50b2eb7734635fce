import { useEffect } from "react";
import { openDialog } from "../kit/open-dialog.ts";
import { currentText } from "../kit/i18n.ts";
import { loadChunk } from "../kit/load-chunk.ts";
import { COMMAND_SHORTCUTS, isShortcut, type CommandShortcut } from "../kit/shortcuts.ts";
import { toasts } from "../kit/toasts.ts";
import { preloadSwitcher } from "./load-switcher.ts";

/** Loads the commands of the app. The first screens know only which shortcuts are theirs. */
export const loadCommands = () => import("./commands.ts");

const SHORTCUTS = ["switcher", ...(Object.keys(COMMAND_SHORTCUTS) as CommandShortcut[])] as const;

/** Shortcuts that open the switcher and run commands from anywhere (interface §12). */
export function useDialogShortcuts(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      // The second key of the shortcut follows in a moment.
      if (event.key === "Control" || event.key === "Meta") return preloadSwitcher();
      const shortcut = SHORTCUTS.find((name) => isShortcut(event, name));
      if (shortcut === undefined) return;
      event.preventDefault();
      // Do not replace an open confirmation dialog, nor one with changes that are not saved.
      if (document.querySelector('[role="alertdialog"], [data-unsaved]') !== null) return;
      if (shortcut === "switcher") openDialog({ kind: "switcher" });
      else void runCommand(shortcut);
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, []);
}

async function runCommand(shortcut: CommandShortcut): Promise<void> {
  const part = await loadChunk(loadCommands).catch(() => null);
  if (part === null) toasts.long(currentText()("app.chunkFailed"));
  else part.APP_COMMANDS.find((command) => command.shortcut === shortcut)?.run();
}
