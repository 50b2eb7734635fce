import { useText } from "../../kit/i18n.ts";
import type { TextId } from "../../kit/i18n.ts";
import { useUserSetting } from "../../kit/user-settings.ts";
import { askForNotifications, useNotificationPermission } from "../../kit/notification-permission.ts";
import { Switch } from "../../ui/switch.tsx";
import { SettingRow } from "./setting-row.tsx";

/** Settings of notifications and sounds. */
export function NotificationSettings() {
  const t = useText();
  const permission = useNotificationPermission();
  const [notifications, setNotifications] = useUserSetting("notifications");
  const [content, setContent] = useUserSetting("notificationContent");
  const [sounds, setSounds] = useUserSetting("alertSounds");
  const isOn = permission === "granted" && notifications === "on";
  const setEnabled = (on: boolean) => {
    setNotifications(on ? "on" : "off");
    if (on && permission === "default") void askForNotifications();
  };
  const hints = {
    plain: t("settings.notifyPlain"),
    missing: t("settings.notifyMissing"),
    default: t("settings.notifyHint"),
    granted: t("settings.notifyHint"),
    denied: (
      <>
        {t("settings.notifyDenied")} {t(undoHintFor(navigator.userAgent))}
      </>
    ),
  } as const;
  return (
    <>
      <SettingRow label={t("settings.notify")} hint={hints[permission]}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={isOn}
            isDisabled={permission !== "default" && permission !== "granted"}
            onChange={setEnabled}
          />
        )}
      </SettingRow>
      <SettingRow label={t("settings.content")} hint={t("settings.contentHint")}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={content === "on"}
            isDisabled={!isOn}
            onChange={(on) => setContent(on ? "on" : "off")}
          />
        )}
      </SettingRow>
      <SettingRow label={t("settings.sounds")} hint={t("settings.soundsHint")}>
        {(ids) => <Switch {...ids} isOn={sounds === "on"} onChange={(on) => setSounds(on ? "on" : "off")} />}
      </SettingRow>
    </>
  );
}

/** Text that tells where the notification permission can be changed in this browser. */
function undoHintFor(userAgent: string): TextId {
  if (/Firefox\//.test(userAgent)) return "settings.undoFirefox";
  if (/Chrome\/|Chromium\/|Edg/.test(userAgent)) return "settings.undoChrome";
  if (/Safari\//.test(userAgent)) return "settings.undoSafari";
  return "settings.undoOther";
}
