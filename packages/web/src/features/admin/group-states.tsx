import type { AdminGroup } from "@parley/protocol/admin-entities";
import { useText } from "../../kit/i18n.ts";
import { Chip } from "../../ui/chip.tsx";
import styles from "./admin-page.module.css";

/** Whether a group is banned or dissolved. */
export function GroupStates({ group: { isBanned, isDissolved } }: { group: AdminGroup }) {
  const t = useText();
  if (!isBanned && !isDissolved) return <span className={styles.usual}>{t("admin.people.active")}</span>;
  return (
    <span className={styles.chips}>
      {isBanned && <Chip tone="warm">{t("admin.people.banned")}</Chip>}
      {isDissolved && <Chip>{t("admin.groups.dissolved")}</Chip>}
    </span>
  );
}
