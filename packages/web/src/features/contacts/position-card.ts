/** Spec §2: the card stays this far from the right and the bottom edge of the window. */
const FROM_RIGHT_PX = 350;
const FROM_BOTTOM_PX = 200;
const EDGE_PX = 8;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where the card's upper left corner goes; a card higher than the distance to the bottom is moved up until all of it is seen. */
export function positionCard(
  wanted: Point,
  view: { width: number; height: number },
  cardHeight: number,
): Point {
  const lowest = Math.min(view.height - FROM_BOTTOM_PX, view.height - cardHeight - EDGE_PX);
  return {
    x: Math.max(EDGE_PX, Math.min(wanted.x, view.width - FROM_RIGHT_PX)),
    y: Math.max(EDGE_PX, Math.min(wanted.y, lowest)),
  };
}
