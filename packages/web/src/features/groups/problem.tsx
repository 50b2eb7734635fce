import { AlertGlyph } from "../../ui/glyphs.tsx";
import styles from "./dialogs.module.css";

/** Says in a dialog that what was asked for did not come about; the reason is told beside it, by a toast. */
export function Problem({ text }: { text: string }) {
  return (
    <p className={styles.problem} role="alert">
      <AlertGlyph size={14} />
      {text}
    </p>
  );
}
