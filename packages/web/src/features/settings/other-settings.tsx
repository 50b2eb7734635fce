import { useState } from "react";
import { useText } from "../../kit/i18n/i18n.ts";
import { readOtherSettings } from "../../kit/settings/user-settings.ts";
import { myIdOf } from "../../kit/people/person.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/field.tsx";
import styles from "./settings.module.css";

/** The spec's "other settings": a checkbox whether people need my approval to become friends. */
export function OtherSettings({ onClose }: { onClose: () => void }) {
  const t = useText();
  const approve = useManualApprove();
  return (
    <Dialog isOpen onClose={onClose} title={t("menu.otherSettings")} width={400}>
      <Checkbox
        checked={approve.isOn}
        disabled={approve.isBusy}
        onChange={(isOn) => void approve.change(isOn)}
        aria-describedby="approve-hint"
      >
        {t("settings.approve")}
      </Checkbox>
      <p id="approve-hint" className={styles.hint}>
        {t("settings.approveHint")}
      </p>
    </Dialog>
  );
}

/**
 * Whether people need my approval to become friends. A change shows at once and is undone if the server refuses (spec §8). The server's
 * value counts, also if another device set it.
 */
function useManualApprove() {
  const t = useText();
  const { contacts } = useClient();
  const me = useClientState((state) => state.me);
  const userId = useClientState(myIdOf);
  const [pendingValue, setPendingValue] = useState<boolean | null>(null);
  const change = async (isOn: boolean) => {
    setPendingValue(isOn);
    const result = await contacts.setManualApprove(isOn);
    setPendingValue(null);
    if (!result.ok) toasts.error(t("settings.saveFailed"));
  };
  return {
    isOn: pendingValue ?? readOtherSettings(userId, me).requireFriendConfirmation,
    isBusy: pendingValue !== null,
    change,
  };
}
