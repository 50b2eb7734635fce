import { useCallback, useImperativeHandle, useMemo, useRef } from "react";
import type { ComponentType, Ref } from "react";
import { Text } from "../../ui/layout.tsx";
import { Listbox } from "../../ui/listbox.tsx";
import type { ListRow } from "../../ui/listbox.tsx";
import { RowList } from "../../ui/row-list.tsx";
import type { RowListHandle } from "../../ui/row-list.tsx";
import { useListbox } from "../../ui/use-listbox.ts";
import { useIsMobile } from "../../ui/use-media.ts";
import { useTypeahead } from "./use-typeahead.ts";
import styles from "./section-list.module.css";

const ROW_PX = 56;
const MOBILE_ROW_PX = 64;
const HEAD_PX = 32;
const COLLAPSED_HEAD_PX = 16;

/** A section of the list. */
export interface Section {
  /** Empty: no heading. */
  readonly title: string;
  readonly ids: readonly number[];
}

/** Position and state of a row in its list; spread it into its `ListRow`. */
export type RowPosition = Pick<
  Parameters<typeof ListRow>[0],
  "id" | "position" | "count" | "isSelected" | "isActive" | "isCollapsed" | "isLow"
>;

/** Props of the component that renders a row. */
export interface SectionRowProps extends Omit<RowPosition, "id"> {
  optionId: string;
  /** Id of the person or group that the row shows. */
  itemId: number;
  onOpen: (id: number) => void;
}

/** Functions of the list for its parent. */
export interface SectionListHandle {
  /** Scrolls to a section and makes its first row the active one. */
  show(section: number): void;
  focus(): void;
}

interface SectionListProps {
  label: string;
  sections: readonly Section[];
  selected: number | null;
  isCollapsed: boolean;
  /** The name by which typing finds a row. */
  nameOf: (id: number) => string;
  row: ComponentType<SectionRowProps>;
  /** Height of a row in px, if it is not the usual one. */
  rowPx?: number;
  /** Several rows can be selected; each row knows whether it is. */
  isMultiple?: boolean;
  onOpen: (id: number) => void;
  ref?: Ref<SectionListHandle>;
}

type Item =
  | { readonly kind: "head"; readonly key: string; readonly title: string }
  | { readonly kind: "row"; readonly id: number; readonly index: number };

/** People or groups in sections with a heading each, as one listbox. Empty sections are left out. */
export function SectionList(props: SectionListProps) {
  const { label, sections, selected, isCollapsed, nameOf, row: Row, rowPx, isMultiple, onOpen, ref } = props;
  const list = useRef<RowListHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => sections.flatMap(({ ids }) => ids), [sections]);
  const items = useMemo(() => itemsOf(sections), [sections]);
  const itemIndexOf = (rowIndex: number) =>
    items.findIndex((item) => item.kind === "row" && item.index === rowIndex);
  const typeahead = useTypeahead(keys, nameOf);
  const { active, optionId, moveTo, listProps } = useListbox({
    keys,
    selected,
    pageSize: () => list.current?.pageSize() ?? 1,
    reveal: (index) => list.current?.reveal(itemIndexOf(index)),
    onOpen,
    onOtherKey(event, id) {
      const match = typeahead(event, id);
      if (match !== null) moveTo(match);
      return match !== null;
    },
  });
  useImperativeHandle(ref, () => ({
    show(section) {
      const first = sections[section]?.ids[0];
      if (first === undefined) return;
      moveTo(first);
      const row = items.findIndex((item) => item.kind === "row" && item.id === first);
      list.current?.scrollTo(items[row - 1]?.kind === "head" ? row - 1 : row);
    },
    focus: () => box.current?.focus(),
  }));
  const isMobile = useIsMobile();
  const rowHeight = useCallback(
    (item: Item) => {
      if (item.kind === "head") return isCollapsed ? COLLAPSED_HEAD_PX : HEAD_PX;
      return rowPx ?? (isMobile ? MOBILE_ROW_PX : ROW_PX);
    },
    [isMobile, isCollapsed, rowPx],
  );
  return (
    <Listbox ref={box} aria-label={label} aria-multiselectable={isMultiple} {...listProps}>
      <RowList
        ref={list}
        items={items}
        keyOf={keyOf}
        rowHeight={rowHeight}
        keepMounted={itemIndexOf(active)}
        isInScroller
      >
        {(item) =>
          item.kind === "head" ? (
            <Text as="div" size={12} line={16} tone="tertiary" className={styles.head} role="presentation">
              {!isCollapsed && item.title}
            </Text>
          ) : (
            <Row
              optionId={optionId(item.id)}
              itemId={item.id}
              position={item.index + 1}
              count={keys.length}
              isSelected={item.id === selected}
              isActive={item.index === active}
              isCollapsed={isCollapsed}
              isLow
              onOpen={onOpen}
            />
          )
        }
      </RowList>
    </Listbox>
  );
}

const keyOf = (item: Item) => (item.kind === "head" ? item.key : item.id);

function itemsOf(sections: readonly Section[]): readonly Item[] {
  let rowIndex = 0;
  return sections.flatMap(({ title, ids }, index): Item[] =>
    ids.length === 0
      ? []
      : [
          ...(title === "" ? [] : [{ kind: "head", key: `part ${index}`, title } as const]),
          ...ids.map((id) => ({ kind: "row", id, index: rowIndex++ }) as const),
        ],
  );
}
