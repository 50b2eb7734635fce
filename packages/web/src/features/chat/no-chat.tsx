import type { ReactNode } from "react";
import { useText } from "../../kit/i18n/i18n.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { useNewcomer } from "./use-newcomer.ts";
import { Welcome } from "./welcome.tsx";
import styles from "./no-chat.module.css";

/** Shows the welcome page to newcomers and the children to everybody else. */
export function NewcomerWelcome({ children }: { children: ReactNode }) {
  const newcomer = useNewcomer();
  if (newcomer === null) return children;
  return <Welcome me={newcomer} />;
}

/** The main area while no chat is open. */
export function NoChat() {
  const t = useText();
  return (
    <Stack align="center" justify="center" gap={16} padding={24} textAlign="center" className={styles.empty}>
      <svg className={styles.illustration} viewBox="0 0 56 56" aria-hidden="true">
        <path d="M15 20a5 5 0 0 1 5-5h16a5 5 0 0 1 5 5v11a5 5 0 0 1-5 5H28l-7 6v-6h-1a5 5 0 0 1-5-5z" />
        <path d="M22 23h12M22 29h8" />
      </svg>
      <Text as="p" weight="name">
        {t("chat.choose")}
      </Text>
      <Row as="p" gap={8} size={13} tone="tertiary">
        <Kbd>Alt ↓</Kbd> {t("chat.nextChat")}
      </Row>
    </Stack>
  );
}
