import { Fragment } from "react";
import { Kbd } from "../../ui/kbd.tsx";
import { Box, Row, Text } from "../../ui/layout.tsx";
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
    <Box as="section" key={title} marginTop={12} className={styles.group}>
      <Text as="h3" marginBottom={4} size={12} tone="tertiary">
        {t(title)}
      </Text>
      <dl>
        {rows.map(({ text, combinations }) => (
          <Row key={text} gap={16} justify="between" className={styles.row}>
            <dt>{t(text)}</dt>
            <Row as="dd" wrap gap={4} justify="end" tone="tertiary">
              {combinations.map((combination, index) => (
                <Fragment key={combination}>
                  {index > 0 && " / "}
                  {keyLabels(combination).map((label) => (
                    <Kbd key={label}>{label}</Kbd>
                  ))}
                </Fragment>
              ))}
            </Row>
          </Row>
        ))}
      </dl>
    </Box>
  ));
}
