import { Fragment } from "react";
import { Kbd } from "../../ui/kbd.tsx";
import { desktopBridge } from "./desktop.ts";
import { useText } from "../i18n/i18n.ts";
import styles from "./shortcut-list.module.css";
import { keyLabels, shortcutGroups } from "./shortcut-table.ts";
import { useUserSetting } from "./user-settings.ts";

/** All keyboard shortcuts, in groups. */
export function ShortcutList() {
  const t = useText();
  const [sendKey] = useUserSetting("sendKey");
  return shortcutGroups(sendKey, desktopBridge() !== null).map(({ title, rows }) => (
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
  ));
}
