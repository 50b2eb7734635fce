import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchToday } from "./use-today.ts";

const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 4, 31, 22) });
  vi.stubGlobal("document", new EventTarget());
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("listeners are notified at each local midnight", () => {
  const days: string[] = [];
  const stop = watchToday(() => days.push(new Date().toDateString()));
  vi.advanceTimersByTime(2 * HOUR_MS - 1);
  expect(days).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(days).toEqual(["Mon Jun 01 2026"]);
  vi.advanceTimersByTime(24 * HOUR_MS);
  expect(days).toEqual(["Mon Jun 01 2026", "Tue Jun 02 2026"]);
  stop();
});

test("a page that was suspended over midnight notifies when it becomes visible", () => {
  const days: string[] = [];
  const stop = watchToday(() => days.push(new Date().toDateString()));
  vi.setSystemTime(new Date(2026, 5, 1, 8));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(days).toEqual(["Mon Jun 01 2026"]);
  stop();
});

test("all listeners share one timer, and none runs without listeners", () => {
  const stops = [watchToday(() => undefined), watchToday(() => undefined)];
  expect(vi.getTimerCount()).toBe(1);
  for (const stop of stops) stop();
  expect(vi.getTimerCount()).toBe(0);
});
