import { useState } from "react";
import { currentText, useText } from "../kit/i18n/i18n.ts";
import { closeDialog } from "../kit/dialogs/open-dialog.ts";
import { myIdOf } from "../kit/people/person.ts";
import { toasts } from "../kit/dialogs/toasts.ts";
import { useClient } from "../kit/loading/use-client.ts";
import { forgetUserSettings } from "../kit/settings/user-settings.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/field.tsx";
import { Text } from "../ui/layout.tsx";
import styles from "./confirm-logout.module.css";

/** Asks for confirmation before this browser signs out, and whether it shall forget what it stores of the person. */
export function ConfirmLogout() {
  const t = useText();
  const client = useClient();
  const [isRemoving, setRemoving] = useState(false);
  const logOut = async () => {
    closeDialog();
    if (!isRemoving) return client.session.logout();
    const userId = myIdOf(client.getState());
    const isRemoved = await client.session.logoutAndRemoveData();
    forgetUserSettings(userId);
    if (isRemoved) toasts.success(currentText()("logout.dataRemoved"));
    else toasts.long(currentText()("logout.dataStays"));
  };
  return (
    <ConfirmDialog
      isOpen
      title={t("logout.title")}
      body={
        <>
          <p>{t("logout.body")}</p>
          <div className={styles.choice}>
            <Checkbox checked={isRemoving} onChange={setRemoving} aria-describedby="remove-data-hint">
              {t("logout.removeData")}
            </Checkbox>
            <Text as="p" id="remove-data-hint" size={12} tone="tertiary" className={styles.hint}>
              {t("logout.removeDataHint")}
            </Text>
          </div>
        </>
      }
      confirmLabel={t(isRemoving ? "logout.andRemove" : "menu.logout")}
      cancelLabel={t("app.cancel")}
      isDanger={isRemoving}
      onCancel={closeDialog}
      onConfirm={() => void logOut()}
    />
  );
}
