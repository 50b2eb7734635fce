import { AlertIcon } from "../../ui/icons.tsx";
import styles from "./dialogs.module.css";

/** Says in a dialog that what was asked for did not come about; the reason is told beside it, by a toast. */
export function DialogError({ text }: { text: string }) {
  return (
    <p className={styles.problem} role="alert">
      <AlertIcon size={14} />
      {text}
    </p>
  );
}
