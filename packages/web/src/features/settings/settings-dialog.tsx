import { useText } from "../../kit/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";
import styles from "./settings.module.css";

/** The settings on a wide screen. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <Dialog isOpen isFlush onClose={onClose} title={t("settings.title")} width={720}>
      <div className={styles.dialog}>
        <SettingsTabs />
      </div>
    </Dialog>
  );
}
