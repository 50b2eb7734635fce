import type { ReactElement, Ref } from "react";
import { VList } from "virtua";
import type { VListHandle } from "virtua";

import styles from "./listbox.module.css";

export type { VListHandle as VirtualListHandle };

export interface VirtualListProps<Item> {
  items: readonly Item[];
  /** Rows of one height: no measuring, no jump. Without it each is measured. */
  rowHeight?: number;
  /** Must give the row a `key`. */
  children: (item: Item, index: number) => ReactElement;
  /** These stay mounted when out of sight, e.g. the row with the focus. */
  keepMounted?: readonly number[];
  ref?: Ref<VListHandle>;
}

/** A scrolling list that mounts what is seen; fills a `Listbox`. */
export function VirtualList<Item>({ items, rowHeight, children, keepMounted, ref }: VirtualListProps<Item>) {
  return (
    <VList
      data={items}
      className={styles.scroller}
      {...(rowHeight !== undefined && { itemSize: rowHeight, bufferSize: rowHeight * 6 })}
      {...(ref && { ref })}
      {...(keepMounted && { keepMounted })}
    >
      {children}
    </VList>
  );
}
