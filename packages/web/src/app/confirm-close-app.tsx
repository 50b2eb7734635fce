import { useEffect } from "react";
import { desktopBridge } from "../kit/settings/desktop.ts";
import { closeDialog } from "../kit/dialogs/open-dialog.ts";
import { useText } from "../kit/i18n/i18n.ts";
import { loadChunk } from "../kit/loading/load-chunk.ts";
import { saveAll } from "../kit/loading/save-before-unload.ts";
import { useClient } from "../kit/loading/use-client.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";

/** Asks whether to close the app, in the way of a browser or of the desktop application. */
export function ConfirmCloseApp() {
  return desktopBridge() === null ? <ConfirmCloseTab /> : <AskInDesktop />;
}

/** The desktop application asks on every screen, so that its question is none of the shell's dialogs. */
function AskInDesktop() {
  useEffect(() => {
    closeDialog();
    void loadChunk(() => import("./desktop-chunk.ts")).then((part) => part.askToClose());
  }, []);
  return null;
}

/**
 * Asks for confirmation, then closes the app: the socket, and the window. A browser closes only windows that a page has opened; in any other
 * the login screen follows (spec §2).
 */
function ConfirmCloseTab() {
  const t = useText();
  const { session } = useClient();
  return (
    <ConfirmDialog
      isOpen
      title={t("closeApp.title")}
      body={t("closeApp.body")}
      confirmLabel={t("menu.closeApp")}
      cancelLabel={t("app.cancel")}
      onCancel={closeDialog}
      onConfirm={() => {
        closeDialog();
        saveAll();
        session.closeApp();
        window.close();
      }}
    />
  );
}
