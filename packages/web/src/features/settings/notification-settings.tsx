import type { WebPush } from "@parley/core/model/state";
import { useText } from "../../kit/i18n.ts";
import type { TextId } from "../../kit/i18n.ts";
import { useUserSetting } from "../../kit/user-settings.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import {
  type NotificationPermissionState,
  askForNotifications,
  canBePushed,
  useNotificationPermission,
} from "../../kit/notification-permission.ts";
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
    denied: <DeniedHint />,
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
      <ClosedPageSettings permission={permission} />
      <SettingRow label={t("settings.sounds")} hint={t("settings.soundsHint")}>
        {(ids) => <Switch {...ids} isOn={sounds === "on"} onChange={(on) => setSounds(on ? "on" : "off")} />}
      </SettingRow>
    </>
  );
}

/** Settings of notifications while no page is open. */
function ClosedPageSettings({ permission }: { permission: NotificationPermissionState }) {
  const t = useText();
  const { webPush } = useClient();
  const push = useClientState((state) => state.webPush);
  const isOffered = useClientState(({ config }) => config?.webPush !== null);
  const isPossible = canBePushed() && isOffered && (permission === "default" || permission === "granted");
  const isOn = push.kind === "on" || push.kind === "working";
  const hasPreview = push.kind !== "off" && push.hasPreview;
  return (
    <>
      <SettingRow label={t("settings.push")} hint={<ClosedPageHint {...{ permission, isOffered, push }} />}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={isOn && isPossible}
            isDisabled={!isPossible}
            onChange={(on) => (on ? webPush.enable(hasPreview) : webPush.disable())}
          />
        )}
      </SettingRow>
      <SettingRow label={t("settings.pushPreview")} hint={t("settings.pushPreviewHint")}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={hasPreview}
            isDisabled={!isOn || !isPossible}
            onChange={(on) => webPush.enable(on)}
          />
        )}
      </SettingRow>
    </>
  );
}

interface ClosedPageHintProps {
  permission: NotificationPermissionState;
  /** Whether the server sends web pushes. */
  isOffered: boolean;
  push: WebPush;
}

const FAILURE_TEXTS = {
  browser: "settings.pushBrowser",
  server: "settings.pushServer",
  off: "settings.pushServerOff",
} as const;

/** What stands in the way, what failed, or what the setting does. */
function ClosedPageHint({ permission, isOffered, push }: ClosedPageHintProps) {
  const t = useText();
  if (permission === "plain") return t("settings.notifyPlain");
  if (permission === "missing" || !canBePushed()) return t("settings.pushMissing");
  if (permission === "denied") return <DeniedHint />;
  if (!isOffered) return t("settings.pushServerOff");
  if (push.kind === "working") return t("settings.pushWorking");
  if (push.kind !== "failed") return t("settings.pushHint");
  return push.reason === "denied" ? <DeniedHint /> : t(FAILURE_TEXTS[push.reason]);
}

function DeniedHint() {
  const t = useText();
  return (
    <>
      {t("settings.notifyDenied")} {t(undoHintFor(navigator.userAgent))}
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
