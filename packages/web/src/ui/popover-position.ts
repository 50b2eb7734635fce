/** The smallest distance to the edge of the window, px. */
const EDGE_PX = 8;
const TOOLTIP_GAP_PX = 6;

/** Where the page begins below the upper edge of the window, px: the height of the desktop application's title bar, 0 in a browser. */
export function pageTop(): number {
  return Number.parseFloat(document.documentElement.style.getPropertyValue("--title-bar")) || 0;
}

/** The distances that a menu keeps from the edges of the window, px. */
export function menuPadding() {
  return { top: EDGE_PX + pageTop(), right: EDGE_PX, bottom: EDGE_PX, left: EDGE_PX };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An element's place in the window. */
interface Box extends Size {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where a popover of this size starts on one axis, moved so that it stays in the window, which begins at `from`; a larger one starts there. */
export function fitIntoWindow(start: number, size: number, available: number, from = 0): number {
  return Math.round(Math.max(from + EDGE_PX, Math.min(start, available - size - EDGE_PX)));
}

/** Position of a tooltip beside its target: on its side, but above it if there is no space below. It stays below `top`. */
export function tooltipPosition(
  target: Box,
  tooltip: Size,
  view: Size,
  side: string,
  top = 0,
): { readonly x: number; readonly y: number } {
  const isRight = side === "right";
  const below = target.bottom + TOOLTIP_GAP_PX;
  const isAbove = side === "top" || below + tooltip.height > view.height - EDGE_PX;
  const x = isRight ? target.right + TOOLTIP_GAP_PX : target.left + (target.width - tooltip.width) / 2;
  const y = isRight
    ? target.top + (target.height - tooltip.height) / 2
    : isAbove
      ? target.top - tooltip.height - TOOLTIP_GAP_PX
      : below;
  return {
    x: fitIntoWindow(x, tooltip.width, view.width),
    y: fitIntoWindow(y, tooltip.height, view.height, top),
  };
}
