import { useText } from "../../kit/i18n.ts";
import { Switch } from "../../ui/switch.tsx";
import { BlockedPeople } from "./blocked-people.tsx";
import { SettingRow } from "./setting-row.tsx";
import { useManualApprove } from "./use-manual-approve.ts";

/** Who may become a friend, and who may not write. */
export function Privacy() {
  return (
    <>
      <ManualApprove />
      <BlockedPeople />
    </>
  );
}

function ManualApprove() {
  const t = useText();
  const { isOn, isBusy, change } = useManualApprove();
  return (
    <SettingRow label={t("settings.approve")} hint={t("settings.approveHint")}>
      {(ids) => <Switch {...ids} isOn={isOn} isDisabled={isBusy} onChange={(on) => void change(on)} />}
    </SettingRow>
  );
}
