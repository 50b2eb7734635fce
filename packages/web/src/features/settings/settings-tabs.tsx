import { useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { About } from "./about.tsx";
import { ConnectionCheck } from "./connection-check.tsx";
import { Devices } from "./devices.tsx";
import { General } from "./general.tsx";
import { NotificationSettings } from "./notification-settings.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Privacy } from "./privacy.tsx";
import { Storage } from "./storage.tsx";

const SECTIONS = {
  general: General,
  notifications: NotificationSettings,
  privacy: Privacy,
  security: Security,
  storage: Storage,
  connection: ConnectionCheck,
  about: About,
} as const;

type Section = keyof typeof SECTIONS;
const SECTION_ORDER: readonly Section[] = [
  "general",
  "notifications",
  "privacy",
  "security",
  "storage",
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
        return { value, text: t(`settings.${value}`), content: <Content /> };
      })}
    />
  );
}

/** Security settings: devices and password. */
function Security() {
  return (
    <>
      <Devices />
      <PasswordForm />
    </>
  );
}
