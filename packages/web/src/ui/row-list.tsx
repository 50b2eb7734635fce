import { useImperativeHandle, useLayoutEffect, useMemo, useState } from "react";
import type { ReactNode, Ref } from "react";
import { type RowEdges, edgesOf } from "./row-range.ts";
import { RowView, rowsToMount } from "./row-view.ts";
import { useTextScale } from "./use-text-scale.ts";
import styles from "./row-list.module.css";

export interface RowListHandle {
  /** Scrolls no further than it takes to see an item whole. */
  reveal(index: number): void;
  /** Scrolls until an item is the first one seen. */
  scrollTo(index: number): void;
  /** Rows to go by a Page key. */
  pageSize(): number;
}

export interface RowListProps<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /**
   * Known beforehand, so that nothing is measured and nothing jumps; as a function it must stay the same while the heights do. px, which
   * grow with the text as rem do, unless `isMeasured`.
   */
  rowHeight: number | ((item: Item) => number);
  isMeasured?: boolean;
  children: (item: Item, index: number) => ReactNode;
  /** Items side by side. */
  columns?: number;
  /** This one stays mounted when out of sight, as the one with the focus does. */
  keepMounted?: number;
  /** It stands, maybe below other things, inside something that scrolls. Otherwise it scrolls itself, and fills its parent. */
  isInScroller?: boolean;
  /** Names a list of items for screen readers, which say the place of each. Otherwise the items themselves do, or need not. */
  listLabel?: string;
  ref?: Ref<RowListHandle>;
}

/** A long list of rows whose heights are known, of which those are mounted that are seen. */
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
  // Not told to React: the focus alone draws nothing anew.
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
        const at = target.closest<HTMLElement>("[data-at]")?.dataset["at"];
        const item = at === undefined ? undefined : items[Number(at)];
        focus.key = item === undefined ? null : keyOf(item);
      }}
      onBlur={() => {
        focus.key = null;
      }}
    >
      {/* In their order, which is the one that is read and tabbed through. */}
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
              className={styles.place}
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

/** Which rows are to be mounted; draws again only when others are. */
function useRowsInView(edges: RowEdges) {
  const [view] = useState(() => new RowView());
  // Until the scroller is there: no more than the window can show.
  const [seen, setSeen] = useState(() => ({ top: 0, height: window.innerHeight }));
  const { first, end } = rowsToMount(edges, seen);
  const range = useMemo(() => ({ first, end }), [first, end]);
  useLayoutEffect(() => view.update(edges, range, setSeen), [view, edges, range]);
  return { view, range } as const;
}
