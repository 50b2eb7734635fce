import type { ReactElement, Ref } from "react";
import { VList } from "virtua";
import type { VListHandle } from "virtua";

export type { VListHandle as VirtualListHandle };

export interface VirtualListProps<Item> {
  items: readonly Item[];
  /** Rows of one height: no measuring, no jump. */
  rowHeight: number;
  /** Must give the row a `key`. */
  children: (item: Item, index: number) => ReactElement;
  /** These stay mounted when out of sight, e.g. the row with the focus. */
  keepMounted?: readonly number[];
  className?: string | undefined;
  ref?: Ref<VListHandle>;
}

/** A scrolling list of equal rows that mounts what is seen. */
export function VirtualList<Item>({
  items,
  rowHeight,
  children,
  keepMounted,
  className,
  ref,
}: VirtualListProps<Item>) {
  return (
    <VList
      data={items}
      itemSize={rowHeight}
      bufferSize={rowHeight * 6}
      className={className}
      {...(ref && { ref })}
      {...(keepMounted && { keepMounted })}
    >
      {children}
    </VList>
  );
}
