import { closeDialog } from "../kit/open-dialog.ts";
import { useText } from "../kit/i18n.ts";
import { saveAll } from "../kit/save-before-unload.ts";
import { useClient } from "../kit/use-client.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";

/**
 * Asks for confirmation, then closes the app: the socket, and the window. A browser closes only windows that a page has opened; in any other
 * the login screen follows (spec §2).
 */
export function ConfirmCloseApp() {
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
