import { useEffect, useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { readPreference, writePreference } from "../../kit/preferences.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";

/**
 * Whether people need my approval before they are friends. Turns at once and back again when the server refuses (spec §8). What the
 * server says holds, also when another device said it; the copy kept here stands in until it is known, and without either it is yes
 * (spec §5).
 */
export function useManualApprove() {
  const t = useText();
  const { contacts } = useClient();
  const me = useClientState((state) => state.me);
  const userId = useClientState((state) => (state.session.kind === "anonymous" ? 0 : state.session.userId));
  const [wanted, setWanted] = useState<boolean | null>(null);
  const known = me?.isManualApprove;
  useEffect(() => {
    if (known !== undefined)
      writePreference(`otherSettings.${userId}`, JSON.stringify({ requireFriendConfirmation: known }));
  }, [known, userId]);
  const change = async (isOn: boolean) => {
    setWanted(isOn);
    const result = await contacts.setManualApprove(isOn);
    setWanted(null);
    if (!result.ok) toasts.error(t("settings.saveFailed"));
  };
  return { isOn: wanted ?? known ?? savedFor(userId), isBusy: wanted !== null, change };
}

function savedFor(userId: number): boolean {
  try {
    const kept: unknown = JSON.parse(readPreference(`otherSettings.${userId}`) ?? "null");
    return !(
      typeof kept === "object" &&
      kept !== null &&
      "requireFriendConfirmation" in kept &&
      kept.requireFriendConfirmation === false
    );
  } catch {
    return true;
  }
}
