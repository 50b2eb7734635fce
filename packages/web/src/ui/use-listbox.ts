import { useId, useState } from "react";
import type { KeyboardEvent } from "react";

interface ListboxOptions<Key extends string | number> {
  readonly keys: readonly Key[];
  /** The selected option, from which the arrow keys start. */
  readonly selected: Key | null;
  /** Returns the number of rows that a Page key moves by. */
  readonly pageSize: () => number;
  /** Brings an option into view. */
  readonly reveal: (index: number) => void;
  readonly onOpen: (key: Key) => void;
  /** Handles other keys pressed on an option; returns true if it handled the key. */
  readonly onOtherKey?: (event: KeyboardEvent, key: Key) => boolean;
}

/**
 * Keyboard handling of a listbox whose options need not all be mounted: arrows, Page keys, Home and End move, Enter or Space opens. The focus
 * stays on the list; `aria-activedescendant` names the active option, which must stay mounted.
 */
export function useListbox<Key extends string | number>(options: ListboxOptions<Key>) {
  const { keys, selected, pageSize, reveal, onOpen, onOtherKey } = options;
  const id = useId();
  const [activeKey, setActiveKey] = useState<Key | null>(null);
  const currentKey = activeKey ?? selected;
  const active = Math.max(0, currentKey === null ? 0 : keys.indexOf(currentKey));
  const activeOption = keys[active];
  const optionId = (key: Key) => `${id}-${key}`;

  const moveToIndex = (index: number) => {
    const next = Math.max(0, Math.min(keys.length - 1, index));
    const key = keys[next];
    if (key === undefined) return;
    setActiveKey(key);
    reveal(next);
  };

  const handleKeyDown = (event: KeyboardEvent) => {
    // Ignore keys pressed in a menu that a row opened; React bubbles them through portals.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    if (activeOption !== undefined && onOtherKey?.(event, activeOption)) {
      event.preventDefault();
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    switch (event.key) {
      case "ArrowDown":
        moveToIndex(active + 1);
        break;
      case "ArrowUp":
        moveToIndex(active - 1);
        break;
      case "PageDown":
        moveToIndex(active + pageSize());
        break;
      case "PageUp":
        moveToIndex(active - pageSize());
        break;
      case "Home":
        moveToIndex(0);
        break;
      case "End":
        moveToIndex(keys.length - 1);
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
    /** Makes an option the active one, other than with the arrow keys. */
    moveTo: (key: Key) => moveToIndex(keys.indexOf(key)),
    listProps: {
      role: "listbox",
      tabIndex: 0,
      "aria-activedescendant": activeOption === undefined ? undefined : optionId(activeOption),
      onKeyDown: handleKeyDown,
      onBlur: () => setActiveKey(null),
    },
  } as const;
}
