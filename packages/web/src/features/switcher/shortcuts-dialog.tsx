import { Fragment } from "react";
import { desktopBridge } from "../../kit/desktop.ts";
import { useUserSetting } from "../../kit/user-settings.ts";
import { useText } from "../../kit/i18n.ts";
import { keyLabels, shortcutGroups } from "../../kit/shortcut-table.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import styles from "./shortcuts-dialog.module.css";

/** The table of all keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const [sendKey] = useUserSetting("sendKey");
  return (
    <Dialog isOpen isReading onClose={onClose} title={t("keys.title")} width={560}>
      {shortcutGroups(sendKey, desktopBridge() !== null).map(({ title, rows }) => (
        <section key={title} className={styles.group}>
          <h3 className={styles.title}>{t(title)}</h3>
          <dl>
            {rows.map(({ text, combinations }) => (
              <div key={text} className={styles.row}>
                <dt>{t(text)}</dt>
                <dd className={styles.keys}>
                  {combinations.map((combination, index) => (
                    <Fragment key={combination}>
                      {index > 0 && " / "}
                      {keyLabels(combination).map((label) => (
                        <Kbd key={label}>{label}</Kbd>
                      ))}
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
