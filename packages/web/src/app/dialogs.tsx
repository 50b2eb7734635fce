import { closeDialog, useDialogRequest } from "../kit/dialogs.ts";
import { useText } from "../kit/i18n.ts";
import { useClient } from "../kit/use-client.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";

/** Shows the dialog some feature asked for. */
export function Dialogs() {
  const request = useDialogRequest();
  switch (request?.kind) {
    case "confirmLogout":
      return <ConfirmLogout />;
    default:
      return null;
  }
}

function ConfirmLogout() {
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
