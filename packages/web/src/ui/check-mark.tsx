import { Check } from "lucide-react";
import { classNames } from "./class-names.ts";
import { ICON_PROPS_14 } from "./icon-props.ts";
import styles from "./check-mark.module.css";

/** The round mark of what is chosen among several; whoever holds it says so to screen readers. */
export function CheckMark({ isOn, isLocked = false }: { isOn: boolean; isLocked?: boolean }) {
  return (
    <span className={classNames(styles.tick, isOn && styles.on, isLocked && styles.locked)}>
      {isOn && <Check {...ICON_PROPS_14} />}
    </span>
  );
}
