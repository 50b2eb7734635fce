import { useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Switch } from "../../ui/switch.tsx";
import { BlockedPeople } from "./blocked-people.tsx";
import { SettingRow } from "./setting-row.tsx";

/** Who may become a friend, and who may not write. */
export function Privacy() {
  return (
    <>
      <ManualApprove />
      <BlockedPeople />
    </>
  );
}

/** The spec's "other settings": whether people need my approval. Turns at once and back again when the server refuses (spec §8). */
function ManualApprove() {
  const t = useText();
  const { contacts } = useClient();
  const saved = useClientState((state) => state.me?.isManualApprove ?? true);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const change = async (isOn: boolean) => {
    setWanted(isOn);
    const result = await contacts.setManualApprove(isOn);
    setWanted(null);
    if (!result.ok) toasts.error(t("settings.saveFailed"));
  };
  return (
    <SettingRow label={t("settings.approve")} hint={t("settings.approveHint")}>
      {(ids) => (
        <Switch
          {...ids}
          isOn={wanted ?? saved}
          isDisabled={wanted !== null}
          onChange={(on) => void change(on)}
        />
      )}
    </SettingRow>
  );
}
