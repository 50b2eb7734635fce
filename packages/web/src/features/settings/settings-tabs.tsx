import { Suspense, useState } from "react";
import { desktopBridge } from "../../kit/desktop.ts";
import { useText } from "../../kit/i18n.ts";
import { lazyScreen } from "../../kit/lazy-component.tsx";
import { openDialog } from "../../kit/open-dialog.ts";
import { ShortcutList } from "../../kit/shortcut-list.tsx";
import { Button } from "../../ui/button.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { About } from "./about.tsx";
import { CallSettings } from "./call-settings.tsx";
import { ConnectionCheck } from "./connection-check.tsx";
import { Devices } from "./devices.tsx";
import { ExportData } from "./export-data.tsx";
import { General } from "./general.tsx";
import { NotificationSettings } from "./notification-settings.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Privacy } from "./privacy.tsx";
import { Storage } from "./storage.tsx";
import { SettingRow } from "./setting-row.tsx";

// Loaded lazily, because browsers have no such section.
const DesktopSettings = lazyScreen(() =>
  import("./desktop-settings.tsx").then((part) => part.DesktopSettings),
);

const SECTIONS = {
  general: General,
  desktop: DesktopSection,
  notifications: NotificationSettings,
  calls: CallSettings,
  privacy: Privacy,
  security: Security,
  storage: Storage,
  shortcuts: ShortcutList,
  connection: ConnectionCheck,
  about: About,
} as const;

type Section = keyof typeof SECTIONS;
const SECTION_ORDER: readonly Section[] = [
  "general",
  ...(desktopBridge() === null ? [] : (["desktop"] as const)),
  "notifications",
  "calls",
  "privacy",
  "security",
  "storage",
  "shortcuts",
  "connection",
  "about",
];

/** All settings in tabs, for the dialog and for the page. */
export function SettingsTabs() {
  const t = useText();
  const [section, setSection] = useState<Section>("general");
  return (
    <Tabs
      label={t("settings.title")}
      value={section}
      onChange={setSection}
      tabs={SECTION_ORDER.map((value) => {
        const Content = SECTIONS[value];
        return {
          value,
          text: value === "desktop" ? t("desktop.settings.title") : t(`settings.${value}`),
          content: <Content />,
        };
      })}
    />
  );
}

function DesktopSection() {
  return (
    <Suspense>
      <DesktopSettings />
    </Suspense>
  );
}

/** Security settings: devices, password, the person's own data, and the end of the account. */
function Security() {
  const t = useText();
  return (
    <>
      <Devices />
      <PasswordForm />
      <ExportData />
      <SettingRow label={t("closeAccount.title")} hint={t("closeAccount.hint")}>
        {() => (
          <Button variant="danger" size="small" onClick={() => openDialog({ kind: "closeAccount" })}>
            {t("closeAccount.open")}
          </Button>
        )}
      </SettingRow>
    </>
  );
}
