import { Suspense, useState } from "react";
import { ChevronLeft } from "lucide-react";
import { desktopBridge } from "../../kit/settings/desktop.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { lazyScreen } from "../../kit/loading/lazy-component.tsx";
import { ShortcutList } from "../../kit/settings/shortcut-list.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { MainPane } from "../../ui/list-pane.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { About } from "./about.tsx";
import { CallSettings } from "./call-settings.tsx";
import { ConnectionCheck } from "./connection-check.tsx";
import { General } from "./general.tsx";
import { NotificationSettings } from "./notification-settings.tsx";
import { Privacy } from "./privacy.tsx";
import { Security } from "./security.tsx";
import { Storage } from "./storage.tsx";
import styles from "./settings.module.css";

// Loaded lazily, because browsers have no such section.
const DesktopSettings = lazyScreen(() =>
  import("./desktop-settings.tsx").then((part) => part.DesktopSettings),
);

/** The settings on a small screen: a page of their own. */
export function SettingsScreen({ onBack }: { onBack: () => void }) {
  const t = useText();
  return (
    <MainPane label={t("settings.title")} background="window">
      <Stack grow>
        <Row as="header" gap={8} shrink={false} className={styles.pageHead}>
          <IconButton label={t("settings.back")} onClick={onBack}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
          <Text as="h1" size={16} weight="title">
            {t("settings.title")}
          </Text>
        </Row>
        <SettingsTabs />
      </Stack>
    </MainPane>
  );
}

/** The settings on a wide screen. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <Dialog isOpen isFlush onClose={onClose} title={t("settings.title")} width={720}>
      <Row align="stretch" className={styles.dialog}>
        <SettingsTabs />
      </Row>
    </Dialog>
  );
}

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
function SettingsTabs() {
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
