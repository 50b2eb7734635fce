import { Check } from "lucide-react";
import { classNames } from "./class-names.ts";
import { ICON_14 } from "./icon.ts";
import styles from "./tick.module.css";

/** The round mark of what is chosen among several; whoever holds it says so to screen readers. */
export function Tick({ isOn, isLocked = false }: { isOn: boolean; isLocked?: boolean }) {
  return (
    <span className={classNames(styles.tick, isOn && styles.on, isLocked && styles.locked)}>
      {isOn && <Check {...ICON_14} />}
    </span>
  );
}
