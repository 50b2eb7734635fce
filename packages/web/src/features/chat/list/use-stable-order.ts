import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { PointerEvent } from "react";

/** Rows move again this long after the pointer has left. */
const UNFREEZE_MS = 300;

/**
 * The order of rows that must not move under the pointer. While frozen, shown rows keep their order, new rows are appended, and those that
 * are not in `existing` any more are left out.
 */
export function stableOrder<T>(
  shown: readonly T[],
  wanted: readonly T[],
  isFrozen: boolean,
  existing = wanted,
): readonly T[] {
  if (!isFrozen || shown === wanted) return wanted;
  const exists = new Set(existing);
  const known = new Set(shown);
  const order = shown.filter((key) => exists.has(key)).concat(wanted.filter((key) => !known.has(key)));
  return order.length === shown.length && order.every((key, index) => key === shown[index]) ? shown : order;
}

/**
 * The order to show: rows do not move while the mouse is over them (interface §5), and those that `wanted` leaves out stay as long as they
 * are in `existing`. Another `filter` begins anew. Spread `pointerHandlers` on the list.
 */
export function useStableOrder<T>(wanted: readonly T[], existing: readonly T[], filter: string) {
  const [isFrozen, setFrozen] = useState(false);
  const shown = useRef({ filter, order: wanted });
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const order = useMemo(() => {
    const isSameFilter = shown.current.filter === filter;
    return stableOrder(shown.current.order, wanted, isFrozen && isSameFilter, existing);
  }, [wanted, existing, filter, isFrozen]);
  useEffect(() => {
    shown.current = { filter, order };
  }, [filter, order]);

  const unfreeze = useCallback(() => setFrozen(false), []);
  const pointerHandlers = useMemo(() => {
    const freeze = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      window.clearTimeout(timer.current);
      setFrozen(true);
    };
    return {
      onPointerEnter: freeze,
      onPointerMove: freeze,
      onPointerLeave() {
        window.clearTimeout(timer.current);
        timer.current = window.setTimeout(unfreeze, UNFREEZE_MS);
      },
    };
  }, [unfreeze]);

  return { order, pointerHandlers, unfreeze };
}
