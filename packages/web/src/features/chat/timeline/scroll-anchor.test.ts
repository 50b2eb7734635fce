import { expect, test } from "vitest";
import { orderAnchors } from "./scroll-anchor.ts";

const body = (key: string, top: number, isMessage = true) => ({ key, top, bottom: top + 50, isMessage });

test("anchors are the visible messages, those cut off at the top and other rows last", () => {
  const bodies = [
    body("time", 10, false),
    body("cut", -20),
    body("third", 210),
    body("first", 0),
    body("second", 60),
  ];
  expect(orderAnchors(bodies, 400)).toEqual([
    { key: "first", y: 0 },
    { key: "second", y: 60 },
    { key: "third", y: 210 },
    { key: "cut", y: -20 },
    { key: "time", y: 10 },
  ]);
});

test("rows outside the view are no anchors", () => {
  expect(orderAnchors([body("above", -50), body("below", 400)], 400)).toEqual([]);
});
