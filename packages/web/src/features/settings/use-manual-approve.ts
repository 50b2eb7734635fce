import { useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { readOtherSettings } from "../../kit/other-settings.ts";
import { toasts } from "../../kit/toasts.ts";
import { myIdOf } from "../../kit/person.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";

/**
 * Whether people need my approval to become friends. A change shows at once and is undone if the server refuses (spec §8). The server's
 * value counts, also if another device set it.
 */
export function useManualApprove() {
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
