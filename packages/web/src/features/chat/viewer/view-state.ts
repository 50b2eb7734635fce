/** Spec §9. The scale 1 shows the whole picture. */
const MIN_SCALE = 0.1;
const MAX_SCALE = 5;
const SCALE_STEP = 1.2;
const QUARTER_TURN = 90;
const FULL_TURN = 360;
/** What a double click enlarges a picture to that is shown in its own size already. */
const DOUBLE = 2;
/** How much of an enlarged picture stays on the stage at least. */
const VISIBLE_PX = 48;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** px from the middle of the stage, to the right and down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the viewer shows, and how. */
export interface ViewState {
  /** All pictures, in the order of their messages. */
  readonly keys: readonly string[];
  /** It may be missing in `keys` until it is found. null: none is left, so the viewer closes. */
  readonly current: string | null;
  readonly scale: number;
  /** Degrees clockwise, a multiple of 90. It is not reduced to one turn, so that the picture never turns back the long way. */
  readonly rotation: number;
  /** Where the middle of the picture is. */
  readonly offset: Point;
  /** The room for the picture, px. */
  readonly stage: Size;
  /** The picture in its own size, px, before rotation; 0 while unknown. */
  readonly picture: Size;
}

export type ViewAction =
  | { readonly kind: "show"; readonly key: string }
  /** To the next (1) or previous (-1) picture; the ends meet (spec §2). */
  | { readonly kind: "step"; readonly by: 1 | -1 }
  /** The list has changed: older pictures were found, one has arrived, or one was recalled. */
  | { readonly kind: "list"; readonly keys: readonly string[] }
  | { readonly kind: "stage"; readonly size: Size }
  | { readonly kind: "picture"; readonly size: Size }
  /** `steps` of the factor 1.2, in if positive. The point of the picture at `at` stays where it is. */
  | { readonly kind: "zoom"; readonly steps: number; readonly at: Point }
  /** Two fingers: the picture follows them. */
  | { readonly kind: "pinch"; readonly factor: number; readonly at: Point; readonly by: Point }
  | { readonly kind: "rotate"; readonly turns: 1 | -1 }
  | { readonly kind: "drag"; readonly by: Point }
  /** Between the whole picture and its own size. */
  | { readonly kind: "toggle"; readonly at: Point }
  | { readonly kind: "reset" };

/** The middle of the stage. */
export const MIDDLE: Point = { x: 0, y: 0 };
const UNKNOWN: Size = { width: 0, height: 0 };
const UNTOUCHED = { scale: 1, rotation: 0, offset: MIDDLE, picture: UNKNOWN } as const;

/** The viewer as it opens. The picture to show may be one that is found later. */
export function openView(keys: readonly string[], current: string): ViewState {
  return { ...UNTOUCHED, keys, current, stage: UNKNOWN };
}

/** The next state of the viewer. The same object if nothing changes. */
export function reduceView(state: ViewState, action: ViewAction): ViewState {
  switch (action.kind) {
    case "show":
      return show(state, state.keys.includes(action.key) ? action.key : state.current);
    case "step":
      return show(state, keyAfter(state, action.by) ?? state.current);
    case "list":
      return replaceList(state, action.keys);
    case "stage":
      return keepInside({ ...state, stage: action.size });
    case "picture":
      return keepInside({ ...state, picture: action.size });
    case "zoom":
      return zoom(state, state.scale * SCALE_STEP ** action.steps, action.at);
    case "pinch":
      return zoom(drag(state, action.by), state.scale * action.factor, action.at);
    case "rotate":
      return rotate(state, action.turns);
    case "drag":
      return drag(state, action.by);
    case "toggle":
      return zoom(state, state.scale === 1 ? ownSizeScale(state) : 1, action.at);
    case "reset":
      return { ...state, scale: 1, offset: MIDDLE, rotation: uprightAfter(state.rotation) };
  }
}

/** The key of the picture so many places after the shown one; the ends meet. null: nothing is shown. */
export function keyAfter({ keys, current }: Pick<ViewState, "keys" | "current">, by: number): string | null {
  const index = current === null ? -1 : keys.indexOf(current);
  if (index === -1) return null;
  return keys[(((index + by) % keys.length) + keys.length) % keys.length] ?? null;
}

/** The nearest upright position, so that the picture does not turn back all the turns that it has made. */
const uprightAfter = (rotation: number) => Math.round(rotation / FULL_TURN) * FULL_TURN;

function show(state: ViewState, current: string | null): ViewState {
  return current === state.current ? state : { ...state, ...UNTOUCHED, current };
}

function replaceList(state: ViewState, keys: readonly string[]): ViewState {
  const { current } = state;
  if (current === null || keys.includes(current)) return { ...state, keys };
  const index = state.keys.indexOf(current);
  // It has not been found yet.
  if (index === -1) return { ...state, keys };
  // The shown picture is gone: the next one that is left takes its place, at the end the last one.
  const later = state.keys.slice(index + 1).find((key) => keys.includes(key));
  return show({ ...state, keys }, later ?? keys.at(-1) ?? null);
}

function rotate(state: ViewState, turns: 1 | -1): ViewState {
  const { x, y } = state.offset;
  // The point of the picture in the middle of the stage stays there.
  const offset = turns === 1 ? { x: -y, y: x } : { x: y, y: -x };
  return keepInside({ ...state, rotation: state.rotation + turns * QUARTER_TURN, offset });
}

function zoom(state: ViewState, wanted: number, at: Point): ViewState {
  const rounded = Math.abs(wanted - 1) < 1e-9 ? 1 : wanted;
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, rounded));
  const factor = scale / state.scale;
  const offset = {
    x: at.x - (at.x - state.offset.x) * factor,
    y: at.y - (at.y - state.offset.y) * factor,
  };
  return keepVisible({ ...state, scale, offset });
}

/** The size at the scale 1, before rotation: the whole picture, not larger than it is. */
export function fittedSize({ picture, stage, rotation }: ViewState): Size {
  const isLying = rotation % (2 * QUARTER_TURN) !== 0;
  const { width, height } = isLying ? { width: picture.height, height: picture.width } : picture;
  if (width === 0 || height === 0) return UNKNOWN;
  const factor = Math.min(1, stage.width / width, stage.height / height);
  return { width: picture.width * factor, height: picture.height * factor };
}

/** The scale at which a pixel of the picture is one of the page, within the limits. */
function ownSizeScale(state: ViewState): number {
  const { width } = fittedSize(state);
  if (width === 0) return 1;
  const scale = state.picture.width / width;
  return scale === 1 ? DOUBLE : scale;
}

/** The picture as it is shown, after rotation. */
function shownSize(state: ViewState): Size {
  const { width, height } = fittedSize(state);
  const isLying = state.rotation % (2 * QUARTER_TURN) !== 0;
  const { scale } = state;
  return isLying
    ? { width: height * scale, height: width * scale }
    : { width: width * scale, height: height * scale };
}

/** Moves the middle of the picture to at most so many px from that of the stage, by axis. */
function limitOffset(state: ViewState, limit: Point): ViewState {
  return { ...state, offset: { x: within(state.offset.x, limit.x), y: within(state.offset.y, limit.y) } };
}

/** How far a picture can be moved without leaving a stage empty that it could fill. */
function reachOf(state: ViewState): Point {
  const { width, height } = shownSize(state);
  const reach = (size: number, room: number) => Math.max(0, (size - room) / 2);
  return { x: reach(width, state.stage.width), y: reach(height, state.stage.height) };
}

/** No stage is left empty that the picture could fill. */
function keepInside(state: ViewState): ViewState {
  return limitOffset(state, reachOf(state));
}

/** A picture cannot be dragged farther than its edge, or than where zooming has left it. */
function drag(state: ViewState, by: Point): ViewState {
  const { x, y } = reachOf(state);
  const limit = { x: Math.max(x, Math.abs(state.offset.x)), y: Math.max(y, Math.abs(state.offset.y)) };
  return limitOffset({ ...state, offset: add(state.offset, by) }, limit);
}

/**
 * Leaves the picture where zooming has put it, so that the point under the pointer stays, as long as some of an enlarged picture, and all of
 * a reduced one, is on the stage. The whole picture is in the middle.
 */
function keepVisible(state: ViewState): ViewState {
  if (state.scale === 1) return limitOffset(state, MIDDLE);
  const { width, height } = shownSize(state);
  const reach = (size: number, room: number) =>
    Math.max(0, state.scale < 1 ? (room - size) / 2 : (room + size) / 2 - VISIBLE_PX);
  return limitOffset(state, { x: reach(width, state.stage.width), y: reach(height, state.stage.height) });
}

/** Not `-0`, which is another value in comparisons. */
const within = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value)) + 0;

const add = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y });
