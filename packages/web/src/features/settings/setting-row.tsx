import { useId } from "react";
import type { ReactNode } from "react";
import styles from "./settings.module.css";

interface SettingRowProps {
  label: string;
  hint?: ReactNode;
  /** Gets the ids of the words that name and explain it. */
  children?: (ids: { labelId: string; hintId: string | undefined }) => ReactNode;
}

/** One setting: its words at the left, its control at the right, or below where there is no room. */
export function SettingRow({ label, hint, children }: SettingRowProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <div id={id}>{label}</div>
        {hint !== undefined && (
          <div id={hintId} className={styles.hint}>
            {hint}
          </div>
        )}
      </div>
      {children?.({ labelId: id, hintId })}
    </div>
  );
}
