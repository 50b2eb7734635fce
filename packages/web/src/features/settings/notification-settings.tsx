import { useState } from "react";
import type { WebPush } from "@parley/core/model/state";
import { testNotification, testSound } from "../../kit/settings/browser-checks.ts";
import { desktopBridge } from "../../kit/settings/desktop.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import type { TextId } from "../../kit/i18n/i18n.ts";
import { useUserSetting } from "../../kit/settings/user-settings.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import {
  type NotificationPermissionState,
  askForNotifications,
  notificationPermission,
  useNotificationPermission,
} from "../../kit/settings/notification-permission.ts";
import { Button } from "../../ui/button.tsx";
import { InlineSelect } from "../../ui/inline-select.tsx";
import { Switch } from "../../ui/switch.tsx";
import { undoHintFor } from "./checks.ts";
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
      <NotificationTest />
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
      <ReactionAlerts />
      {/* The desktop application stays open in the tray. */}
      {desktopBridge() === null && <WebPushSettings permission={permission} />}
      <SettingRow label={t("settings.sounds")} hint={t("settings.soundsHint")}>
        {(ids) => <Switch {...ids} isOn={sounds === "on"} onChange={(on) => setSounds(on ? "on" : "off")} />}
      </SettingRow>
      <TestRow label={t("settings.testSound")} action={t("settings.testSoundPlay")} run={testSoundText} />
    </>
  );
}

const REACTION_ALERTS = ["list", "notify", "off"] as const;

/** Where the person is told that somebody has reacted to their message. */
function ReactionAlerts() {
  const t = useText();
  const [place, setPlace] = useUserSetting("reactionAlerts");
  return (
    <SettingRow label={t("settings.reactions")} hint={t("settings.reactionsHint")}>
      {() => (
        <InlineSelect
          label={t("settings.reactions")}
          value={place}
          options={REACTION_ALERTS.map((value) => ({ value, text: t(`settings.reactions.${value}`) }))}
          onChange={(text) => setPlace(REACTION_ALERTS.find((value) => value === text) ?? "list")}
        />
      )}
    </SettingRow>
  );
}

/** Shows a sample notification, after asking for the permission if need be. */
function NotificationTest() {
  const t = useText();
  const run = async (): Promise<TextId> => {
    const before = notificationPermission();
    const permission = before === "default" ? await askForNotifications() : before;
    switch (permission) {
      case "granted":
        if (await testNotification(t("app.name"), t("settings.testNotifyBody")))
          return "settings.testNotifyDone";
        return desktopBridge() === null ? "settings.testNotifyFailed" : "desktop.notification.failed";
      case "denied":
        return undoHintFor(navigator.userAgent);
      case "default":
        return "settings.testNotifyUnanswered";
      case "plain":
        return "settings.notifyPlain";
      case "missing":
        return "settings.notifyMissing";
    }
  };
  return <TestRow label={t("settings.testNotify")} action={t("settings.testNotifyShow")} run={run} />;
}

async function testSoundText(): Promise<TextId> {
  const result = await testSound();
  return `settings.testSound.${result}`;
}

/** A test that the person starts, and what came of it. */
function TestRow({ label, action, run }: { label: string; action: string; run: () => Promise<TextId> }) {
  const t = useText();
  const [result, setResult] = useState<TextId | null>(null);
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    setResult(null);
    setResult(await run());
    setBusy(false);
  };
  return (
    <SettingRow label={label} hint={<span role="status">{result !== null && t(result)}</span>}>
      {() => (
        <Button size="small" isBusy={isBusy} onClick={() => void start()}>
          {action}
        </Button>
      )}
    </SettingRow>
  );
}

/** Whether the browser can get web push while no page is open. On iOS only an installed app can. */
function canBePushed(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis;
}

/** Settings of notifications while no page is open. */
function WebPushSettings({ permission }: { permission: NotificationPermissionState }) {
  const t = useText();
  const { webPush } = useClient();
  const push = useClientState((state) => state.webPush);
  const isOffered = useClientState(({ config }) => config?.webPush !== null);
  const isPossible = canBePushed() && isOffered && (permission === "default" || permission === "granted");
  const isOn = push.kind === "on" || push.kind === "working";
  const hasPreview = push.kind !== "off" && push.hasPreview;
  return (
    <>
      <SettingRow label={t("settings.push")} hint={<WebPushHint {...{ permission, isOffered, push }} />}>
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

interface WebPushHintProps {
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
function WebPushHint({ permission, isOffered, push }: WebPushHintProps) {
  const t = useText();
  if (permission === "plain") return t("settings.notifyPlain");
  if (permission === "missing" || !canBePushed()) return t("settings.pushMissing");
  if (permission === "denied") return <DeniedHint />;
  if (!isOffered) return t("settings.pushServerOff");
  if (push.kind === "working") return t("settings.pushWorking");
  if (push.kind !== "failed") return t("settings.pushHint");
  return push.reason === "denied" ? <DeniedHint /> : t(FAILURE_TEXTS[push.reason]);
}

/** Two lines, because not every language has a space between sentences. */
function DeniedHint() {
  const t = useText();
  return (
    <>
      {t("settings.notifyDenied")}
      <br />
      {t(undoHintFor(navigator.userAgent))}
    </>
  );
}
