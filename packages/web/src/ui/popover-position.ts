/** The smallest distance to the edge of the window, px. */
const EDGE_PX = 8;
const TOOLTIP_GAP_PX = 6;

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

/** Where a popover of this size starts on one axis, moved so that it stays in the window; a larger one starts at its edge. */
export function fitIntoWindow(start: number, size: number, available: number): number {
  return Math.round(Math.max(EDGE_PX, Math.min(start, available - size - EDGE_PX)));
}

/** Position of a tooltip beside its target: on its side, but above it if there is no space below. */
export function tooltipPosition(
  target: Box,
  tooltip: Size,
  view: Size,
  side: string,
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
  return { x: fitIntoWindow(x, tooltip.width, view.width), y: fitIntoWindow(y, tooltip.height, view.height) };
}
