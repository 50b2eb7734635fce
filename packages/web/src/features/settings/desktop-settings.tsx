import { changeDesktopSettings, useDesktopState } from "../../kit/settings/desktop-state.ts";
import { desktopBridge } from "../../kit/settings/desktop.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./settings.module.css";

/** What the desktop application does on this device. */
export function DesktopSettings() {
  const t = useText();
  const { session } = useClient();
  const bridge = desktopBridge();
  const settings = useDesktopState((state) => state.settings);
  if (bridge === null || settings === null) return null;
  const change = (part: Partial<typeof settings>) => void changeDesktopSettings(bridge, part);
  return (
    <>
      <SettingRow label={t("desktop.settings.close")}>
        {({ labelId }) => (
          <Segmented
            labelId={labelId}
            value={settings.closeAction}
            options={[
              { value: "ask", text: t("desktop.settings.closeAsk") },
              { value: "hide", text: t("desktop.settings.closeHide") },
              { value: "quit", text: t("desktop.settings.closeQuit") },
            ]}
            onChange={(closeAction) => change({ closeAction })}
          />
        )}
      </SettingRow>
      <SettingRow label={t("desktop.settings.attention")} hint={t("desktop.settings.attentionHint")}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={settings.drawsAttention}
            onChange={(drawsAttention) => change({ drawsAttention })}
          />
        )}
      </SettingRow>
      <SettingRow label={t("desktop.settings.login")}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={settings.opensAtLogin}
            onChange={(opensAtLogin) => change({ opensAtLogin })}
          />
        )}
      </SettingRow>
      <SettingRow label={t("desktop.settings.zoom")}>
        {() => (
          <SelectField
            label={t("desktop.settings.zoom")}
            isLabelHidden
            value={String(settings.zoomPercent)}
            options={zoomSteps(settings.zoomPercent).map((percent) => ({
              value: String(percent),
              text: `${percent} %`,
            }))}
            onChange={(percent) => change({ zoomPercent: Number(percent) })}
          />
        )}
      </SettingRow>
      <SettingRow label={t("desktop.server.title")} hint={t("desktop.settings.serverHint")}>
        {() => <bdi className={styles.itemName}>{session.customServer()}</bdi>}
      </SettingRow>
    </>
  );
}

/** Percents that the settings offer. The keys of the window may lead to others. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200];

/** The percents to choose from, with the current one among them. */
export function zoomSteps(current: number): readonly number[] {
  return [...new Set([...STEPS, current])].toSorted((a, b) => a - b);
}
