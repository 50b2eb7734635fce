import { DEFAULT_DEVICE, deviceItems, useCallDevices } from "../../kit/settings/call-devices.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./settings.module.css";

/** Which devices calls use, and how they treat the own voice. Also changes a call that is running. */
export function CallSettings() {
  const t = useText();
  const known = useCallDevices();
  if (known === null) return null;
  const { kinds, devices, chosen, processing, choose, process } = known;
  const isUnnamed = devices.every(({ label }) => label === "");
  return (
    <>
      {kinds.map((kind) => (
        <SettingRow key={kind} label={t(`call.${kind}`)}>
          {() => (
            <div className={styles.device}>
              <SelectField
                label={t(`call.${kind}`)}
                isLabelHidden
                value={chosen[kind] ?? DEFAULT_DEVICE}
                options={deviceItems(kind, devices, t)}
                onChange={(value) => choose(kind, value)}
              />
            </div>
          )}
        </SettingRow>
      ))}
      {isUnnamed && <p className={styles.note}>{t("settings.callsUnnamed")}</p>}
      <SettingRow label={t("call.noiseSuppression")} hint={t("settings.noiseHint")}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={processing.noiseSuppression}
            onChange={(noiseSuppression) => process({ noiseSuppression })}
          />
        )}
      </SettingRow>
      <SettingRow label={t("call.echoCancellation")} hint={t("settings.echoHint")}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={processing.echoCancellation}
            onChange={(echoCancellation) => process({ echoCancellation })}
          />
        )}
      </SettingRow>
    </>
  );
}
