/** A place on the picture, px of the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How large the picture is, px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A part of the picture, whole px. */
export interface Area extends Point, Size {}

/** What a press takes hold of: an edge or a corner by its directions, the whole area, or nothing, so that a new area begins. */
export type Grip = "new" | "move" | "n" | "s" | "w" | "e" | "nw" | "ne" | "sw" | "se";

/** A press that has not ended. */
export interface Drag {
  readonly grip: Grip;
  readonly from: Point;
  /** The area before it. */
  readonly area: Area;
}

/** The step of an arrow key, px, and the small one. */
const STEP_PX = 10;
const SMALL_STEP_PX = 1;

/** The whole picture as an area. */
export function wholeOf({ width, height }: Size): Area {
  return { x: 0, y: 0, width, height };
}

/** Whether an area is the whole picture. */
export function isWhole(area: Area, size: Size): boolean {
  return area.width === size.width && area.height === size.height;
}

/** The place on the picture that is shown in this box, both in px of the screen; beside it, the nearest place on it. */
export function placeOn(box: Area, screen: Point, size: Size): Point {
  return {
    x: within(((screen.x - box.x) / box.width) * size.width, size.width),
    y: within(((screen.y - box.y) / box.height) * size.height, size.height),
  };
}

/** What a press at this place takes hold of. `reach`: how far from an edge that still is. The whole picture has no edges to hold. */
export function gripAt(point: Point, area: Area, reach: number, size: Size): Grip {
  if (isWhole(area, size)) return "new";
  const isBeside = (at: number, start: number, length: number) =>
    at < start - reach || at > start + length + reach;
  if (isBeside(point.x, area.x, area.width) || isBeside(point.y, area.y, area.height)) return "new";
  const vertical = nearEdge(point.y - area.y, area.height, reach, ["n", "s"]);
  const horizontal = nearEdge(point.x - area.x, area.width, reach, ["w", "e"]);
  return vertical === "" && horizontal === "" ? "move" : (`${vertical}${horizontal}` as Grip);
}

/** The nearer of two edges, if one is within reach. */
function nearEdge<Edge extends string>(
  at: number,
  length: number,
  reach: number,
  [start, end]: readonly [Edge, Edge],
): Edge | "" {
  if (Math.min(Math.abs(at), Math.abs(length - at)) > reach) return "";
  return Math.abs(at) < Math.abs(length - at) ? start : end;
}

/** The area while a press is at this place. A new area that is smaller than `slack` in both directions was a click, which changes nothing. */
export function dragged({ grip, from, area }: Drag, to: Point, slack: number, size: Size): Area {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (grip === "new") return Math.abs(dx) < slack && Math.abs(dy) < slack ? area : between(from, to, size);
  if (grip === "move") return moved(area, dx, dy, size);
  const has = (edge: string) => grip.includes(edge);
  return between(
    { x: area.x + (has("w") ? dx : 0), y: area.y + (has("n") ? dy : 0) },
    { x: area.x + area.width + (has("e") ? dx : 0), y: area.y + area.height + (has("s") ? dy : 0) },
    size,
  );
}

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The area after an arrow key, which moves it, with Shift moves its right or lower edge, and with Alt in small steps. Null: another key. */
export function afterKey(
  { key, shiftKey, altKey }: Pick<KeyboardEvent, "key" | "shiftKey" | "altKey">,
  area: Area,
  size: Size,
): Area | null {
  const direction = DIRECTIONS[key];
  if (direction === undefined) return null;
  const step = altKey ? SMALL_STEP_PX : STEP_PX;
  const [dx, dy] = [direction[0] * step, direction[1] * step];
  if (!shiftKey) return moved(area, dx, dy, size);
  return {
    ...area,
    width: Math.max(1, Math.min(area.width + dx, size.width - area.x)),
    height: Math.max(1, Math.min(area.height + dy, size.height - area.y)),
  };
}

function moved(area: Area, dx: number, dy: number, size: Size): Area {
  return {
    ...area,
    x: Math.round(within(area.x + dx, size.width - area.width)),
    y: Math.round(within(area.y + dy, size.height - area.height)),
  };
}

/** The area with these two corners, inside the picture and of at least one pixel. */
function between(a: Point, b: Point, size: Size): Area {
  const [x, width] = span(a.x, b.x, size.width);
  const [y, height] = span(a.y, b.y, size.height);
  return { x, y, width, height };
}

function span(a: number, b: number, max: number): readonly [start: number, length: number] {
  const start = Math.min(Math.round(within(Math.min(a, b), max)), max - 1);
  const end = Math.round(within(Math.max(a, b), max));
  return [start, Math.max(1, end - start)];
}

function within(value: number, max: number): number {
  return Math.max(0, Math.min(value, max));
}
