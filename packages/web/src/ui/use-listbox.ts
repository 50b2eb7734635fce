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

/** The index to which a key moves in a list of `count` options; null for a key that does not move. */
export function stepListbox(
  key: string,
  active: number,
  count: number,
  pageSize: () => number,
): number | null {
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
      return Math.min(last, active + 1);
    case "ArrowUp":
      return Math.max(0, active - 1);
    case "PageDown":
      return Math.min(last, active + pageSize());
    case "PageUp":
      return Math.max(0, active - pageSize());
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
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
    const key = keys[index];
    if (key === undefined) return;
    setActiveKey(key);
    reveal(index);
  };

  const handleKeyDown = (event: KeyboardEvent) => {
    // Ignore keys pressed in a menu that a row opened; React bubbles them through portals.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    if (activeOption !== undefined && onOtherKey?.(event, activeOption)) {
      event.preventDefault();
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = stepListbox(event.key, active, keys.length, pageSize);
    if (next !== null) moveToIndex(next);
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (activeOption !== undefined) onOpen(activeOption);
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
