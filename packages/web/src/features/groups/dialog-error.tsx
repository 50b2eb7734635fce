import { useState } from "react";
import { AlertIcon } from "../../ui/icons.tsx";
import { isErrorShownAsToast } from "../../ui/toast-store.ts";
import styles from "./dialogs.module.css";

/** Says in a dialog that an action failed. Screen readers say it, unless they say the toast that tells the reason. */
export function DialogError({ text }: { text: string }) {
  const [isInToast] = useState(isErrorShownAsToast);
  return (
    <p className={styles.problem} role={isInToast ? undefined : "alert"}>
      <AlertIcon size={14} />
      {text}
    </p>
  );
}
