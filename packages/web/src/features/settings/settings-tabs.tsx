import { useState } from "react";
import { useText } from "../../kit/i18n.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { About } from "./about.tsx";
import { General } from "./general.tsx";
import { NotificationSettings } from "./notification-settings.tsx";
import { Privacy } from "./privacy.tsx";
import { Security } from "./security.tsx";

const PARTS = {
  general: General,
  notifications: NotificationSettings,
  privacy: Privacy,
  security: Security,
  about: About,
} as const;

type Part = keyof typeof PARTS;
const ORDER: readonly Part[] = ["general", "notifications", "privacy", "security", "about"];

/** All settings, parted; in a dialog or on a page of their own. */
export function SettingsTabs() {
  const t = useText();
  const [part, setPart] = useState<Part>("general");
  return (
    <Tabs
      label={t("settings.title")}
      value={part}
      onChange={setPart}
      tabs={ORDER.map((value) => {
        const Content = PARTS[value];
        return { value, text: t(`settings.${value}`), content: <Content /> };
      })}
    />
  );
}
