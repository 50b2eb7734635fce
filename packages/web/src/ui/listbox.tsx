import type { ComponentPropsWithRef, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Box, Row, Text } from "./layout.tsx";
import styles from "./listbox.module.css";

/** Container of the rows of a list; takes the props of `useListbox`. */
export function Listbox(props: Omit<ComponentPropsWithRef<"div">, "className">) {
  return <Box {...props} grow scroll className={styles.list} />;
}

export interface ListRowProps extends Omit<ComponentPropsWithRef<"div">, "children" | "className" | "role"> {
  /** 1-based. */
  position: number;
  count: number;
  isSelected: boolean;
  /** The row that the arrow keys have reached. */
  isActive: boolean;
  /** Shows the picture only; the tooltip has the rest. */
  isCollapsed: boolean;
  /** Slightly highlighted, e.g. a pinned chat. */
  isTinted?: boolean;
  /** 56 px instead of 64. */
  isLow?: boolean;
  /** Text for screen readers; the visible parts are in another order. */
  label: string;
  tooltip: string;
  picture: ReactNode;
  /** Shown on the picture of a collapsed row. */
  corner?: ReactNode;
  name: string;
  /** Shown beside the name. */
  beside?: ReactNode;
  /** Shown at the end of the first line, unless the name needs the room. */
  time?: string;
  /** The parts of the second line, each an element; without it the name is alone. Where room is short the last one is cut off; another one only beyond 60% of the line. */
  second?: ReactNode;
  /** Shown at the end of the second line, or of the first one if there is no other. */
  end?: ReactNode;
}

/** A row of a list: picture, name and optionally a second line. */
export function ListRow({
  position,
  count,
  isSelected,
  isActive,
  isCollapsed,
  isTinted = false,
  isLow = false,
  label,
  tooltip,
  picture,
  corner,
  name,
  beside,
  time,
  second,
  end,
  ...props
}: ListRowProps) {
  return (
    <Row
      {...props}
      role="option"
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={count}
      gap={12}
      paddingX={12}
      className={classNames(
        styles.row,
        isLow && styles.low,
        isTinted && styles.tinted,
        isSelected && styles.selected,
        isActive && styles.active,
        isCollapsed && styles.collapsed,
      )}
      data-tip={isCollapsed ? tooltip : undefined}
      data-tip-side="right"
    >
      <span className="visually-hidden">{label}</span>
      {picture}
      {isCollapsed ? (
        corner
      ) : (
        <Box grow aria-hidden="true">
          <Row wrap align="stretch" className={styles.top}>
            <Row className={styles.head}>
              <Text size={14} weight="name" className={styles.name}>
                <bdi>{name}</bdi>
              </Text>
              {beside}
            </Row>
            {second === undefined && end !== undefined && (
              <Row gap={8} shrink={false}>
                {end}
              </Row>
            )}
            {time !== undefined && (
              <Text shrink={false} size={12} line={20} tone="tertiary" className={styles.time} data-yields>
                {time}
              </Text>
            )}
          </Row>
          {second !== undefined && (
            <Row gap={8} shrink marginTop={2} className={styles.bottom}>
              <Row as="span" align="stretch" size={13} tone="secondary" className={styles.second}>
                {second}
              </Row>
              {end}
            </Row>
          )}
        </Box>
      )}
    </Row>
  );
}
