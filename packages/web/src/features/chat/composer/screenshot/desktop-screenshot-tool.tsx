import { useEffect, useEffectEvent, useState } from "react";
import { Scissors } from "lucide-react";
import type { Client } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { desktopBridge } from "../../../../kit/settings/desktop.ts";
import { currentText, useText } from "../../../../kit/i18n/i18n.ts";
import { isDialogOpen, openDialog } from "../../../../kit/dialogs/open-dialog.ts";
import { keyLabels } from "../../../../kit/settings/shortcut-table.ts";
import { CHAT_SHORTCUTS, isShortcut } from "../../../../kit/settings/shortcuts.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { useConversationUi } from "../../message/conversation-ui.ts";
import styles from "../composer.module.css";

/** The button, and the keys, that take a picture of the screen for the chat around. Only the desktop application can do that. */
export function ScreenshotTool() {
  const t = useText();
  const client = useClient();
  const { key, composer } = useConversationUi();
  const [isBusy, setBusy] = useState(false);
  const take = async () => {
    if (isBusy) return;
    setBusy(true);
    // Where the dialog returns it to, so that Enter sends the picture.
    composer.current?.returnFocus();
    await takeScreenshot(client, key);
    setBusy(false);
  };
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event, "screenshot") || isDialogOpen()) return;
    event.preventDefault();
    void take();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKeyDown(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  const name = t("desktop.screenshot.title");
  const combination = keyLabels(CHAT_SHORTCUTS.screenshot[0]).join("+");
  return (
    <span className={styles.tool}>
      <IconButton
        label={name}
        tooltip={t("call.withKey", { label: name, key: combination })}
        tooltipSide="top"
        aria-busy={isBusy || undefined}
        onClick={() => void take()}
      >
        <Scissors {...ICON_PROPS} />
      </IconButton>
    </span>
  );
}

/** Takes the picture and lets the person choose a part of it for this chat, whichever chat is open by then. */
async function takeScreenshot(client: Client, chatKey: ChatKey): Promise<void> {
  const me = client.getState().me?.id;
  const captured = await desktopBridge()
    ?.request("captureScreen", null)
    .catch((error: unknown) => {
      reportError(error);
      return null;
    });
  // Somebody else may have signed in while it was taken.
  if (client.getState().me?.id !== me) return;
  const t = currentText();
  if (captured?.kind === "picture") {
    const picture = new Blob([captured.png], { type: "image/png" });
    openDialog({ kind: "screenshot", chatKey, picture });
  } else if (captured?.kind === "denied") toasts.long(t("desktop.screenshot.denied"));
  else toasts.error(t("desktop.screenshot.failed"));
}
