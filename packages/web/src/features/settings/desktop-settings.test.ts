import { expect, test } from "vitest";
import { ZOOM_MAX_PERCENT, ZOOM_MIN_PERCENT } from "@parley/desktop/bridge/desktop-bridge";
import { zoomSteps } from "./desktop-settings.tsx";

test("DT3 the zoom that the keys of the window have led to is among those to choose from, in its place", () => {
  const steps = zoomSteps(120);
  expect(steps.slice(steps.indexOf(110), steps.indexOf(125) + 1)).toEqual([110, 120, 125]);
});

test("DT3 each zoom is offered once, and none that the application refuses", () => {
  const steps = zoomSteps(100);
  expect(steps.filter((percent) => percent === 100)).toHaveLength(1);
  expect([steps[0], steps.at(-1)]).toEqual([ZOOM_MIN_PERCENT, ZOOM_MAX_PERCENT]);
});
