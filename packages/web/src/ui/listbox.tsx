import type { ComponentPropsWithRef, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./listbox.module.css";

/** Around the rows of a list; takes the props of `useListbox`. */
export function Listbox(props: Omit<ComponentPropsWithRef<"div">, "className">) {
  return <div {...props} className={styles.list} />;
}

export interface ListRowProps extends Omit<ComponentPropsWithRef<"div">, "children" | "className" | "role"> {
  /** 1-based. */
  position: number;
  count: number;
  isSelected: boolean;
  /** Where the arrow keys are. */
  isActive: boolean;
  /** The picture alone; `tip` says the rest to a pointer. */
  isCollapsed: boolean;
  /** Stands out a little, e.g. a pinned chat. */
  isTinted?: boolean;
  /** 56 px instead of 64. */
  isLow?: boolean;
  /** What screen readers say of the row; what is seen of it follows another order. */
  label: string;
  tip: string;
  picture: ReactNode;
  /** On the picture of a collapsed row. */
  corner?: ReactNode;
  name: string;
  /** Beside the name. */
  beside?: ReactNode;
  /** Left out: the name stands alone. */
  second?: ReactNode;
  /** At the end of the second line. */
  end?: ReactNode;
}

/** A row of a list: picture, name, maybe a second line. */
export function ListRow({
  position,
  count,
  isSelected,
  isActive,
  isCollapsed,
  isTinted = false,
  isLow = false,
  label,
  tip,
  picture,
  corner,
  name,
  beside,
  second,
  end,
  ...props
}: ListRowProps) {
  return (
    <div
      {...props}
      role="option"
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={count}
      className={classNames(
        styles.row,
        isLow && styles.low,
        isTinted && styles.tinted,
        isSelected && styles.chosen,
        isActive && styles.active,
        isCollapsed && styles.collapsed,
      )}
      data-tip={isCollapsed ? tip : undefined}
      data-tip-side="right"
    >
      <span className="visually-hidden">{label}</span>
      {picture}
      {isCollapsed ? (
        corner
      ) : (
        <div className={styles.words} aria-hidden="true">
          <div className={styles.top}>
            <span className={styles.name}>
              <bdi>{name}</bdi>
            </span>
            {beside}
          </div>
          {second !== undefined && (
            <div className={styles.bottom}>
              <span className={styles.second}>{second}</span>
              {end}
            </div>
          )}
        </div>
      )}
    </div>
  );
}
