import { closeDialog } from "../kit/open-dialog.ts";
import { useText } from "../kit/i18n.ts";
import { useClient } from "../kit/use-client.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";

/** Asks for confirmation before this tab signs out. */
export function ConfirmLogout() {
  const t = useText();
  const { session } = useClient();
  return (
    <ConfirmDialog
      isOpen
      title={t("logout.title")}
      body={t("logout.body")}
      confirmLabel={t("menu.logout")}
      cancelLabel={t("app.cancel")}
      onCancel={closeDialog}
      onConfirm={() => {
        closeDialog();
        void session.logout();
      }}
    />
  );
}
