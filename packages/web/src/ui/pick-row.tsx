import type { ComponentPropsWithRef, ReactNode } from "react";
import { X } from "lucide-react";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { ICON_PROPS_16 } from "./icon-props.ts";
import { CheckMark } from "./check-mark.tsx";
import { Text } from "./layout.tsx";
import styles from "./pick-row.module.css";

/** Height of a row in px; keep it equal to `pick-row.module.css`. */
export const PICK_ROW_PX = 48;

export interface PickRowProps extends Omit<ComponentPropsWithRef<"div">, "children" | "className" | "role"> {
  /** 1-based. */
  position: number;
  count: number;
  isPicked: boolean;
  /** Cannot be changed. */
  isLocked: boolean;
  /** The row that the arrow keys have reached. */
  isActive: boolean;
  picture: ReactNode;
  name: string;
  note?: string | undefined;
}

/** An option of a listbox with a check mark. */
export function PickRow(props: PickRowProps) {
  const { position, count, isPicked, isLocked, isActive, picture, name, note, ...rest } = props;
  return (
    <div
      {...rest}
      role="option"
      aria-selected={isPicked}
      aria-disabled={isLocked || undefined}
      aria-posinset={position}
      aria-setsize={count}
      className={classNames(styles.row, isLocked && styles.locked, isActive && styles.active)}
    >
      <CheckMark isOn={isPicked} isLocked={isLocked} />
      {picture}
      <Text grow truncate textAlign="start" className={styles.name}>
        <bdi>{name}</bdi>
      </Text>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </div>
  );
}

export interface PickedRowProps {
  picture: ReactNode;
  name: string;
  removeLabel: string;
  /** null if it cannot be removed. */
  onRemove: (() => void) | null;
}

/** A selected person, with a button to deselect them. */
export function PickedRow({ picture, name, removeLabel, onRemove }: PickedRowProps) {
  return (
    <div className={styles.selectedItem} role="listitem">
      {picture}
      <Text grow truncate textAlign="start" className={styles.name}>
        <bdi>{name}</bdi>
      </Text>
      {onRemove !== null && (
        <IconButton label={removeLabel} size={32} hasTooltip={false} onClick={onRemove}>
          <X {...ICON_PROPS_16} />
        </IconButton>
      )}
    </div>
  );
}
