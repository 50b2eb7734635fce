import { useImperativeHandle, useLayoutEffect, useMemo, useState } from "react";
import type { ReactNode, Ref } from "react";
import { type RowEdges, edgesOf } from "./row-range.ts";
import { RowView, rowsToMount } from "./row-view.ts";
import { useTextScale } from "./use-text-scale.ts";
import styles from "./row-list.module.css";

/** Functions of the list for its parent. */
export interface RowListHandle {
  /** Scrolls as little as possible until an item is completely visible. */
  reveal(index: number): void;
  /** Scrolls until an item is the first visible one. */
  scrollTo(index: number): void;
  /** Number of rows that a Page key moves by. */
  pageSize(): number;
}

export interface RowListProps<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /**
   * Known in advance, so that nothing is measured and nothing jumps. A function must keep its identity while the heights stay the same.
   * In px that scale with the text size, as rem do, unless `isMeasured`.
   */
  rowHeight: number | ((item: Item) => number);
  isMeasured?: boolean;
  children: (item: Item, index: number) => ReactNode;
  /** Number of items side by side. */
  columns?: number;
  /** Index of an item that stays mounted when it is out of view, as the focused item does. */
  keepMounted?: number;
  /** The list is inside a scrolling element, maybe below other things. Otherwise it fills its parent and scrolls itself. */
  isInScroller?: boolean;
  /** Gives the list role and name for screen readers, which then announce positions. Without it the items have roles of their own. */
  listLabel?: string;
  ref?: Ref<RowListHandle>;
}

/** A long list of rows with known heights. Only the rows near the view are mounted. */
export function RowList<Item>(props: RowListProps<Item>) {
  const {
    items,
    keyOf,
    rowHeight,
    isMeasured = false,
    children,
    columns = 1,
    keepMounted = -1,
    isInScroller,
    listLabel,
    ref,
  } = props;
  const textScale = useTextScale();
  const scale = isMeasured ? 1 : textScale;
  const edges = useMemo(() => {
    const heightOf = typeof rowHeight === "number" ? () => rowHeight : rowHeight;
    return edgesOf(Math.ceil(items.length / columns), (row) => {
      const item = items[row * columns];
      return item === undefined ? 0 : heightOf(item) * scale;
    });
  }, [items, rowHeight, columns, scale]);
  const { view, range } = useRowsInView(edges);
  // Mutated without React, because a change of focus needs no rendering.
  const [focus] = useState<{ key: string | number | null }>(() => ({ key: null }));

  useImperativeHandle(
    ref,
    () => ({
      reveal: (index) => view.reveal(Math.floor(index / columns)),
      scrollTo: (index) => view.scrollTo(Math.floor(index / columns)),
      pageSize: () => view.pageSize(),
    }),
    [view, columns],
  );

  const mounted = new Set([
    keepMounted,
    focus.key === null ? -1 : items.findIndex((item) => keyOf(item) === focus.key),
  ]);
  for (let index = range.first * columns; index < range.end * columns; index++) mounted.add(index);
  const canvas = (
    <div
      ref={view.setCanvas}
      className={styles.canvas}
      style={{ blockSize: edges.edge(edges.count) }}
      {...(listLabel !== undefined && { role: "list", "aria-label": listLabel })}
      onFocus={({ target }) => {
        const index = target.closest<HTMLElement>("[data-at]")?.dataset["at"];
        const item = index === undefined ? undefined : items[Number(index)];
        focus.key = item === undefined ? null : keyOf(item);
      }}
      onBlur={() => {
        focus.key = null;
      }}
    >
      {/* In the order of the items, for screen readers and the Tab key. */}
      {[...mounted]
        .toSorted((a, b) => a - b)
        .map((index) => {
          const item = items[index];
          if (item === undefined) return null;
          const row = Math.floor(index / columns);
          const top = edges.edge(row);
          return (
            <div
              key={keyOf(item)}
              className={styles.row}
              data-at={index}
              style={{
                insetBlockStart: top,
                blockSize: edges.edge(row + 1) - top,
                ...(columns > 1 && {
                  insetInlineStart: `${(100 / columns) * (index % columns)}%`,
                  inlineSize: `${100 / columns}%`,
                }),
              }}
              {...(listLabel !== undefined && {
                role: "listitem",
                "aria-posinset": index + 1,
                "aria-setsize": items.length,
              })}
            >
              {children(item, index)}
            </div>
          );
        })}
    </div>
  );
  return isInScroller ? canvas : <div className={styles.scroller}>{canvas}</div>;
}

/** The range of rows to mount; renders again only when the range changes. */
function useRowsInView(edges: RowEdges) {
  const [view] = useState(() => new RowView());
  // Until the scroller is known, assume the height of the window.
  const [visibleArea, setVisibleArea] = useState(() => ({ top: 0, height: window.innerHeight }));
  const { first, end } = rowsToMount(edges, visibleArea);
  const range = useMemo(() => ({ first, end }), [first, end]);
  useLayoutEffect(() => view.update(edges, range, setVisibleArea), [view, edges, range]);
  return { view, range } as const;
}
