import { useEffect, useLayoutEffect, useRef, useState } from "react";
import styles from "./tooltip.module.css";

/** Rests this long on a control before its tip shows. */
const DELAY_MS = 500;
const GAP = 6;
const EDGE = 8;

interface Tip {
  readonly text: string;
  readonly target: Element;
  readonly side: string;
}

/**
 * The one tooltip of the page. Any element with `data-tip` has one (and `data-tip-side` top, bottom or right): nothing is mounted
 * per control, so that long lists stay cheap. Shows on hover after a rest and on keyboard focus at once; Esc hides it. Silent, since
 * the same words are the control's label.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waiting: Element | null = null;
    const hide = () => {
      clearTimeout(timer);
      waiting = null;
      setTip(null);
    };
    const show = (target: Element) => {
      const text = target.getAttribute("data-tip");
      if (text === null || text === "" || !target.isConnected) return;
      setTip({ text, target, side: target.getAttribute("data-tip-side") ?? "bottom" });
    };
    const tipOf = (event: Event) =>
      event.target instanceof Element ? event.target.closest("[data-tip]") : null;
    const over = (event: PointerEvent) => {
      if (event.pointerType === "touch") return;
      const target = tipOf(event);
      if (target === waiting) return;
      hide();
      if (target === null) return;
      waiting = target;
      timer = setTimeout(() => show(target), DELAY_MS);
    };
    const focus = (event: FocusEvent) => {
      const target = tipOf(event);
      hide();
      if (target?.matches(":focus-visible")) show(target);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") hide();
    };
    document.addEventListener("pointerover", over);
    document.addEventListener("pointerdown", hide);
    document.addEventListener("focusin", focus);
    document.addEventListener("focusout", hide);
    document.addEventListener("keydown", key);
    document.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", over);
      document.removeEventListener("pointerdown", hide);
      document.removeEventListener("focusin", focus);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("keydown", key);
      document.removeEventListener("scroll", hide, { capture: true });
    };
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (tip === null || element === null) return;
    const target = tip.target.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    let x = target.left + target.width / 2 - width / 2;
    let y = target.bottom + GAP;
    if (tip.side === "right") {
      x = target.right + GAP;
      y = target.top + target.height / 2 - height / 2;
    } else if (tip.side === "top" || y + height > innerHeight - EDGE) {
      y = target.top - height - GAP;
    }
    x = Math.max(EDGE, Math.min(x, innerWidth - width - EDGE));
    y = Math.max(EDGE, Math.min(y, innerHeight - height - EDGE));
    element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }, [tip]);

  return tip === null ? null : (
    <div ref={box} className={styles.tip} aria-hidden="true">
      {tip.text}
    </div>
  );
}
