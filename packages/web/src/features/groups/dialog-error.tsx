import { AlertIcon } from "../../ui/icons.tsx";
import styles from "./dialogs.module.css";

/** Says in a dialog that an action failed; a toast tells the reason. */
export function DialogError({ text }: { text: string }) {
  return (
    <p className={styles.problem} role="alert">
      <AlertIcon size={14} />
      {text}
    </p>
  );
}
