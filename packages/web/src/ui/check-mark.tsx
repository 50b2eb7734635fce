import { Check } from "lucide-react";
import { classNames } from "./class-names.ts";
import { ICON_PROPS_14 } from "./icon-props.ts";
import styles from "./check-mark.module.css";

/** The round check mark of a selectable item. The element around it tells screen readers whether it is selected. */
export function CheckMark({ isOn, isLocked = false }: { isOn: boolean; isLocked?: boolean }) {
  return (
    <span className={classNames(styles.tick, isOn && styles.on, isLocked && styles.locked)}>
      {isOn && <Check {...ICON_PROPS_14} />}
    </span>
  );
}
