import { classNames } from "../../../ui/class-names.ts";
import styles from "./composer.module.css";

/** In place of the composer until it is known whether something can be sent. */
export function EmptyFoot() {
  return (
    <div className={styles.blocked} aria-busy="true">
      <div className={classNames(styles.box, styles.why)} />
    </div>
  );
}
