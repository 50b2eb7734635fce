import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { PointerEvent } from "react";
import { stableOrder } from "./stable-order.ts";

/** Rows move again this long after the pointer has left. */
const RELEASE_MS = 300;

/** The order to show: rows stand still while a mouse is over them (interface §5). Spread `holding` on the list. */
export function useStableOrder<T>(wanted: readonly T[]) {
  const [isHeld, setHeld] = useState(false);
  const shown = useRef(wanted);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const order = useMemo(() => stableOrder(shown.current, wanted, isHeld), [wanted, isHeld]);
  useEffect(() => {
    shown.current = order;
  }, [order]);

  const release = useCallback(() => setHeld(false), []);
  const holding = useMemo(() => {
    const freeze = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      window.clearTimeout(timer.current);
      setHeld(true);
    };
    return {
      onPointerEnter: freeze,
      onPointerMove: freeze,
      onPointerLeave() {
        window.clearTimeout(timer.current);
        timer.current = window.setTimeout(release, RELEASE_MS);
      },
    };
  }, [release]);

  return { order, holding, release };
}
