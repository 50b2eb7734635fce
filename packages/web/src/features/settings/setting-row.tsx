import { useId } from "react";
import type { ReactNode } from "react";
import { Row } from "../../ui/layout.tsx";
import styles from "./settings.module.css";

interface SettingRowProps {
  label: string;
  hint?: ReactNode;
  /** Renders the control; gets the ids of its label and hint. */
  children?: (ids: { labelId: string; hintId: string | undefined }) => ReactNode;
}

/** A setting: its text on the left and its control on the right, or below if there is no space. */
export function SettingRow({ label, hint, children }: SettingRowProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <Row wrap justify="between" paddingY={12} className={styles.row}>
      <div className={styles.words}>
        <div id={id}>{label}</div>
        {hint !== undefined && (
          <div id={hintId} className={styles.hint}>
            {hint}
          </div>
        )}
      </div>
      {children?.({ labelId: id, hintId })}
    </Row>
  );
}
