import { expect, test } from "vitest";
import { fittedSize, keyAfter, openView, reduceView, type ViewAction, type ViewState } from "./view-state.ts";

const KEYS = ["a", "b", "c"];
const MIDDLE = { x: 0, y: 0 };

/** A viewer of 1000 x 800 px that shows a picture of 2000 x 1000 px: fitted it is 1000 x 500. */
function view(...actions: ViewAction[]): ViewState {
  const opened: ViewAction[] = [
    { kind: "stage", size: { width: 1_000, height: 800 } },
    { kind: "picture", size: { width: 2_000, height: 1_000 } },
  ];
  return [...opened, ...actions].reduce(reduceView, openView(KEYS, "b"));
}

const zoom = (steps: number, at = MIDDLE): ViewAction => ({ kind: "zoom", steps, at });

test("VP1 the viewer opens at the chosen picture; after the last comes the first, and the other way round", () => {
  expect(view().current).toBe("b");
  const next: ViewAction = { kind: "step", by: 1 };
  const previous: ViewAction = { kind: "step", by: -1 };
  expect(view(next).current).toBe("c");
  expect(view(next, next).current).toBe("a");
  expect(view(previous).current).toBe("a");
  expect(view(previous, previous).current).toBe("c");
  const alone = openView(["only"], "only");
  expect(reduceView(alone, next).current).toBe("only");
  expect(keyAfter({ keys: KEYS, current: "a" }, -1)).toBe("c");
});

test("VP2 one step of zoom is the factor 1.2, between 0.1 and 5", () => {
  expect(view(zoom(1)).scale).toBeCloseTo(1.2);
  expect(view(zoom(-1)).scale).toBeCloseTo(1 / 1.2);
  expect(view(zoom(1), zoom(-1)).scale).toBe(1);
  expect(view(...Array.from({ length: 30 }, () => zoom(1))).scale).toBe(5);
  expect(view(...Array.from({ length: 30 }, () => zoom(-1))).scale).toBe(0.1);
});

test("VP2 the scale 1 shows the whole picture, and a small picture not larger than it is", () => {
  expect(fittedSize(view())).toEqual({ width: 1_000, height: 500 });
  expect(fittedSize(view({ kind: "picture", size: { width: 300, height: 200 } }))).toEqual({
    width: 300,
    height: 200,
  });
  // Nothing is divided by a size that is not known yet.
  expect(fittedSize(openView(KEYS, "a"))).toEqual({ width: 0, height: 0 });
});

test("VP3 zooming keeps the point under the pointer where it is", () => {
  const at = { x: 300, y: 50 };
  const before = view(zoom(6));
  const after = reduceView(before, zoom(2, at));
  const pointOf = (state: ViewState) => ({
    x: (at.x - state.offset.x) / state.scale,
    y: (at.y - state.offset.y) / state.scale,
  });
  expect(pointOf(after).x).toBeCloseTo(pointOf(before).x);
  expect(pointOf(after).y).toBeCloseTo(pointOf(before).y);
  expect(after.offset.x).not.toBe(0);
});

test("VP3 the point under the pointer stays also where the picture does not fill the stage", () => {
  const pointOf = (state: ViewState, at: { x: number; y: number }) => [
    (at.x - state.offset.x) / state.scale,
    (at.y - state.offset.y) / state.scale,
  ];
  // The whole picture leaves 150 px of the stage empty above and below.
  for (const at of [
    { x: 300, y: 200 },
    { x: -490, y: -240 },
    { x: 10, y: 249 },
  ]) {
    let state = view();
    const point = pointOf(state, at);
    for (const steps of [1, 1, 0.4, 1, 3, -1, -2, -1]) {
      state = reduceView(state, zoom(steps, at));
      const [x = 0, y = 0] = pointOf(state, at);
      expect([x, y].map(Math.round)).toEqual(point.map(Math.round));
    }
  }
  expect(view(zoom(3, { x: 300, y: 200 }), zoom(-3, { x: 300, y: 200 })).offset).toEqual(MIDDLE);
});

test("VP3 the whole picture is in the middle, wherever the wheel was turned", () => {
  expect(view(zoom(3, { x: 300, y: 200 }), zoom(-3, { x: -400, y: 0 }))).toMatchObject({
    scale: 1,
    offset: MIDDLE,
  });
});

test("VP3 zooming never moves a picture off the stage", () => {
  const far = { x: 5_000, y: 5_000 };
  const enlarged = view(...Array.from({ length: 12 }, () => zoom(1, far)));
  expect(enlarged.offset.x).toBe(-(1_000 + 5_000) / 2 + 48);
  const reduced = view(...Array.from({ length: 6 }, () => zoom(-1, far)));
  const { width } = fittedSize(reduced);
  expect(reduced.offset.x).toBeCloseTo((1_000 - width * reduced.scale) / 2);
});

test("VP5 a picture that zooming has left beside the middle is not dragged farther, and does not jump", () => {
  const zoomed = view(zoom(1, { x: 300, y: 200 }));
  expect(zoomed.offset.y).toBeCloseTo(-40);
  const drag = (y: number) => reduceView(zoomed, { kind: "drag", by: { x: 0, y } }).offset.y;
  expect(drag(-10)).toBeCloseTo(-40);
  expect(drag(15)).toBeCloseTo(-25);
});

test("VP3 two fingers zoom at their middle, and the picture follows them", () => {
  const state = view(zoom(8), { kind: "pinch", factor: 1, at: MIDDLE, by: { x: 40, y: 10 } });
  expect(state.offset).toEqual({ x: 40, y: 10 });
  expect(reduceView(state, { kind: "pinch", factor: 10, at: MIDDLE, by: MIDDLE }).scale).toBe(5);
});

test("VP4 a picture turns by 90 degrees and is fitted again; 4 turns are a whole one", () => {
  const turn: ViewAction = { kind: "rotate", turns: 1 };
  const turned = view(turn);
  expect(turned.rotation).toBe(90);
  // Lying it is 800 px high.
  expect(fittedSize(turned)).toEqual({ width: 800, height: 400 });
  expect(view(turn, turn, turn, turn).rotation).toBe(360);
  expect(fittedSize(view(turn, turn, turn, turn))).toEqual(fittedSize(view()));
  expect(view({ kind: "rotate", turns: -1 }).rotation).toBe(-90);
  expect(fittedSize(view({ kind: "rotate", turns: -1 }))).toEqual({ width: 800, height: 400 });
});

test("VP4 turning keeps the scale, and what was in the middle", () => {
  const state = view({ kind: "zoom", steps: 8, at: MIDDLE }, { kind: "drag", by: { x: 100, y: 20 } });
  const turned = reduceView(state, { kind: "rotate", turns: 1 });
  expect(turned.scale).toBe(state.scale);
  expect(turned.offset).toEqual({ x: -20, y: 100 });
  expect(reduceView(turned, { kind: "rotate", turns: -1 }).offset).toEqual(state.offset);
});

test("VP5 an enlarged picture can be dragged to its edges and no farther; a whole one stays in the middle", () => {
  expect(view({ kind: "drag", by: { x: 50, y: 50 } }).offset).toEqual(MIDDLE);
  // At 2 it is 2000 x 1000 in a stage of 1000 x 800.
  const doubled = view({ kind: "toggle", at: MIDDLE });
  expect(doubled.scale).toBe(2);
  const drag = (x: number, y: number) => reduceView(doubled, { kind: "drag", by: { x, y } }).offset;
  expect(drag(120, -30)).toEqual({ x: 120, y: -30 });
  expect(drag(9_000, 9_000)).toEqual({ x: 500, y: 100 });
  expect(drag(-9_000, -9_000)).toEqual({ x: -500, y: -100 });
});

test("VP5 a smaller stage moves a dragged picture back inside", () => {
  const state = view({ kind: "toggle", at: MIDDLE }, { kind: "drag", by: { x: 500, y: 0 } });
  const wide = reduceView(state, { kind: "stage", size: { width: 1_900, height: 800 } });
  expect(wide.offset.x).toBeLessThanOrEqual((fittedSize(wide).width * wide.scale - 1_900) / 2);
});

test("VP6 a double click changes between the whole picture and its own size, a small picture to double size", () => {
  const toggle: ViewAction = { kind: "toggle", at: MIDDLE };
  expect(view(toggle).scale).toBe(2);
  expect(view(toggle, toggle).scale).toBe(1);
  expect(view(zoom(3), toggle).scale).toBe(1);
  const small: ViewAction = { kind: "picture", size: { width: 300, height: 200 } };
  expect(view(small, toggle).scale).toBe(2);
  // The own size of a huge picture is beyond the limit.
  expect(view({ kind: "picture", size: { width: 90_000, height: 90_000 } }, toggle).scale).toBe(5);
});

test("VP6 the key 0 shows the whole picture upright again", () => {
  const state = view(zoom(5), { kind: "rotate", turns: 1 }, { kind: "reset" });
  expect(state).toMatchObject({ scale: 1, rotation: 0, offset: MIDDLE, current: "b" });
  expect(fittedSize(state)).toEqual({ width: 1_000, height: 500 });
  const turns = Array.from({ length: 5 }, (): ViewAction => ({ kind: "rotate", turns: 1 }));
  expect(view(...turns, { kind: "reset" }).rotation).toBe(360);
});

test("VP7 another picture is shown whole and upright", () => {
  const state = view(zoom(5), { kind: "rotate", turns: 1 }, { kind: "step", by: 1 });
  expect(state).toMatchObject({ current: "c", scale: 1, rotation: 0, offset: MIDDLE });
  expect(view(zoom(1), { kind: "show", key: "a" })).toMatchObject({ current: "a", scale: 1 });
  expect(view({ kind: "show", key: "unknown" }).current).toBe("b");
});

test("VP8 older and newer pictures that arrive leave the shown one as it is", () => {
  const state = view(zoom(3), { kind: "list", keys: ["older", ...KEYS, "newer"] });
  expect(state.current).toBe("b");
  expect(state.scale).toBeCloseTo(1.2 ** 3);
  expect(reduceView(state, { kind: "step", by: -1 }).current).toBe("a");
});

test("VP8 a picture that is chosen outside of the loaded messages stays chosen until it is found", () => {
  const waiting = reduceView(openView(KEYS, "old"), { kind: "list", keys: ["older", ...KEYS] });
  expect(waiting.current).toBe("old");
  const found = reduceView(waiting, { kind: "list", keys: ["old", "older", ...KEYS] });
  expect(found.current).toBe("old");
  expect(reduceView(found, { kind: "list", keys: KEYS }).current).toBe("a");
  // Nothing to step from, as long as it is not there.
  expect(reduceView(waiting, { kind: "step", by: 1 }).current).toBe("old");
});

test("VP9 if the shown picture is recalled the next one is shown, at the end the last one, and without any it closes", () => {
  const list = (...keys: string[]): ViewAction => ({ kind: "list", keys });
  expect(view(list("a", "c")).current).toBe("c");
  expect(view(list("a")).current).toBe("a");
  expect(view(list("older", "a")).current).toBe("a");
  expect(view(list()).current).toBeNull();
  expect(view(zoom(4), list("a", "c"))).toMatchObject({ current: "c", scale: 1 });
  // Nothing shown, nothing to step to.
  expect(reduceView(view(list()), { kind: "step", by: 1 }).current).toBeNull();
});
