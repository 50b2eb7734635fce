import { useEffect, useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { readPreference, writePreference } from "../../kit/preferences.ts";
import { toasts } from "../../kit/toasts.ts";
import { myIdOf } from "../../kit/person.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";

/**
 * Whether people need my approval to become friends. A change shows at once and is undone if the server refuses (spec §8). The server's
 * value counts, also if another device set it. Until it is known, a copy saved in this browser is used, and without a copy the value is
 * yes (spec §5).
 */
export function useManualApprove() {
  const t = useText();
  const { contacts } = useClient();
  const me = useClientState((state) => state.me);
  const userId = useClientState(myIdOf);
  const [pendingValue, setPendingValue] = useState<boolean | null>(null);
  const serverValue = me?.isManualApprove;
  useEffect(() => {
    if (serverValue !== undefined)
      writePreference(`otherSettings.${userId}`, JSON.stringify({ requireFriendConfirmation: serverValue }));
  }, [serverValue, userId]);
  const change = async (isOn: boolean) => {
    setPendingValue(isOn);
    const result = await contacts.setManualApprove(isOn);
    setPendingValue(null);
    if (!result.ok) toasts.error(t("settings.saveFailed"));
  };
  return {
    isOn: pendingValue ?? serverValue ?? readSavedValue(userId),
    isBusy: pendingValue !== null,
    change,
  };
}

function readSavedValue(userId: number): boolean {
  try {
    const saved: unknown = JSON.parse(readPreference(`otherSettings.${userId}`) ?? "null");
    return !(
      typeof saved === "object" &&
      saved !== null &&
      "requireFriendConfirmation" in saved &&
      saved.requireFriendConfirmation === false
    );
  } catch {
    return true;
  }
}
