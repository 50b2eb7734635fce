import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { pageTop, tooltipPosition } from "./popover-position.ts";
import styles from "./tooltip.module.css";

/** How long the pointer rests on a control before its tooltip shows. */
const DELAY_MS = 500;
/** Where people rest on purpose, because the tooltip tells what is not shown elsewhere. */
const SOON_MS = 300;

interface Tooltip {
  readonly text: string;
  readonly target: Element;
  readonly side: string;
}

/**
 * The only tooltip of the page, for any element with `data-tip` (and `data-tip-side` top, bottom or right, and `data-tip-soon`). Nothing is mounted per control,
 * so that long lists stay cheap. It shows after a rest of the pointer and at once on keyboard focus, but not on touch screens; Esc hides it.
 * It is hidden from screen readers, because the control has the same text as its label.
 */
export function TooltipLayer() {
  const [tooltip, setTooltip] = useState<Tooltip | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hovered: Element | null = null;
    const hide = () => {
      clearTimeout(timer);
      hovered = null;
      setTooltip(null);
    };
    const show = (target: Element) => {
      const text = target.getAttribute("data-tip");
      if (text === null || text === "" || !target.isConnected) return;
      // It would cover the menu that the control has opened.
      if (target.getAttribute("aria-expanded") === "true") return;
      setTooltip({ text, target, side: target.getAttribute("data-tip-side") ?? "bottom" });
    };
    const tooltipTargetOf = (event: Event) =>
      event.target instanceof Element ? event.target.closest("[data-tip]") : null;
    const handlePointerOver = (event: PointerEvent) => {
      if (event.pointerType === "touch") return;
      const target = tooltipTargetOf(event);
      if (target === hovered) return;
      hide();
      if (target === null) return;
      hovered = target;
      timer = setTimeout(() => show(target), target.hasAttribute("data-tip-soon") ? SOON_MS : DELAY_MS);
    };
    const handleFocus = (event: FocusEvent) => {
      const target = tooltipTargetOf(event);
      hide();
      // Without a pointer that hovers, focus mostly comes from a press, and the tooltip would cover what is beside the finger.
      if (target?.matches(":focus-visible") && matchMedia("(hover: hover)").matches) show(target);
    };
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape") hide();
    };
    document.addEventListener("pointerover", handlePointerOver);
    document.addEventListener("pointerdown", hide);
    document.addEventListener("focusin", handleFocus);
    document.addEventListener("focusout", hide);
    document.addEventListener("keydown", handleKeyDown);
    document.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", handlePointerOver);
      document.removeEventListener("pointerdown", hide);
      document.removeEventListener("focusin", handleFocus);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("keydown", handleKeyDown);
      document.removeEventListener("scroll", hide, { capture: true });
    };
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (tooltip === null || element === null) return;
    const target = tooltip.target.getBoundingClientRect();
    const size = { width: element.offsetWidth, height: element.offsetHeight };
    const view = { width: innerWidth, height: innerHeight };
    const { x, y } = tooltipPosition(target, size, view, tooltip.side, pageTop());
    element.style.transform = `translate(${x}px, ${y}px)`;
  }, [tooltip]);

  return tooltip === null ? null : (
    <div ref={box} className={styles.tooltip} aria-hidden="true">
      {tooltip.text}
    </div>
  );
}
