import type { ReactNode } from "react";
import { Check } from "lucide-react";
import * as Dropdown from "radix-ui/dropdown-menu";
import { classNames } from "./class-names.ts";
import { ICON_PROPS } from "./icon-props.ts";
import styles from "./menu.module.css";

export interface MenuSwitchProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}

/** An item of a menu that is on or off. The menu stays open, so that one sees what it is now. */
export function MenuSwitch({ isOn, onChange, children }: MenuSwitchProps) {
  return (
    <Dropdown.CheckboxItem
      className={styles.item}
      checked={isOn}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className={classNames(styles.icon, styles.selected)}>
        <Dropdown.ItemIndicator>
          <Check {...ICON_PROPS} />
        </Dropdown.ItemIndicator>
      </span>
      <span className={styles.label}>{children}</span>
    </Dropdown.CheckboxItem>
  );
}
