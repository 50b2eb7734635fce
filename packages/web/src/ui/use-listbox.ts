import { useId, useState } from "react";
import type { KeyboardEvent } from "react";

interface ListboxOptions<Key extends string | number> {
  readonly keys: readonly Key[];
  /** The chosen one: where the arrow keys begin. */
  readonly selected: Key | null;
  /** Rows that one page of the list shows. */
  readonly pageSize: () => number;
  /** Brings an option into view. */
  readonly reveal: (index: number) => void;
  readonly onOpen: (key: Key) => void;
  /** Other keys, pressed at an option; true when it took them. */
  readonly onOtherKey?: (event: KeyboardEvent, key: Key) => boolean;
}

/**
 * Keyboard of a listbox whose options need not be mounted: arrows, Page keys, Home and End move, Enter or Space opens. The focus stays
 * on the list; the active option is told by `aria-activedescendant` and must be kept mounted.
 */
export function useListbox<Key extends string | number>(options: ListboxOptions<Key>) {
  const { keys, selected, pageSize, reveal, onOpen, onOtherKey } = options;
  const id = useId();
  const [activeKey, setActiveKey] = useState<Key | null>(null);
  const wanted = activeKey ?? selected;
  const active = Math.max(0, wanted === null ? 0 : keys.indexOf(wanted));
  const activeOption = keys[active];
  const optionId = (key: Key) => `${id}-${key}`;

  const go = (index: number) => {
    const next = Math.max(0, Math.min(keys.length - 1, index));
    const key = keys[next];
    if (key === undefined) return;
    setActiveKey(key);
    reveal(next);
  };

  const press = (event: KeyboardEvent) => {
    // The keys of a menu that a row opened are that menu's alone.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    if (activeOption !== undefined && onOtherKey?.(event, activeOption)) {
      event.preventDefault();
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    switch (event.key) {
      case "ArrowDown":
        go(active + 1);
        break;
      case "ArrowUp":
        go(active - 1);
        break;
      case "PageDown":
        go(active + pageSize());
        break;
      case "PageUp":
        go(active - pageSize());
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(keys.length - 1);
        break;
      case "Enter":
      case " ":
        if (activeOption !== undefined) onOpen(activeOption);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return {
    active,
    optionId,
    /** Moves the active option, for other ways than the arrows. */
    moveTo: (key: Key) => go(keys.indexOf(key)),
    listProps: {
      role: "listbox",
      tabIndex: 0,
      "aria-activedescendant": activeOption === undefined ? undefined : optionId(activeOption),
      onKeyDown: press,
      onBlur: () => setActiveKey(null),
    },
  } as const;
}
