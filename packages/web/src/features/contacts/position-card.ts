/** Minimum distance of the card from the right and the bottom edge of the window (spec §2). */
const FROM_RIGHT_PX = 350;
const FROM_BOTTOM_PX = 200;
const EDGE_PX = 8;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Position of the card's upper left corner. A card taller than the distance to the bottom is moved up until it is completely visible. */
export function positionCard(
  clicked: Point,
  view: { width: number; height: number },
  cardHeight: number,
  /** The factor of the text size, with which the card grows. */
  scale = 1,
): Point {
  const maxY = Math.min(view.height - FROM_BOTTOM_PX, view.height - cardHeight - EDGE_PX);
  return {
    x: Math.max(EDGE_PX, Math.min(clicked.x, view.width - FROM_RIGHT_PX * scale)),
    y: Math.max(EDGE_PX, Math.min(clicked.y, maxY)),
  };
}
