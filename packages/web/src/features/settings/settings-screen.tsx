import { ChevronLeft } from "lucide-react";
import { useText } from "../../kit/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { MainPane } from "../../ui/list-pane.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";
import styles from "./settings.module.css";

/** The settings on a small screen: a page of their own. */
export function SettingsScreen({ onBack }: { onBack: () => void }) {
  const t = useText();
  return (
    <MainPane label={t("settings.title")} background="window">
      <div className={styles.page}>
        <header className={styles.pageHead}>
          <IconButton label={t("settings.back")} onClick={onBack}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
          <h1 className={styles.pageTitle}>{t("settings.title")}</h1>
        </header>
        <SettingsTabs />
      </div>
    </MainPane>
  );
}
