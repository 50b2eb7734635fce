import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { dismissToast, showToast, useToasts } from "./toast-store.ts";
import type { Toast } from "./toast-store.ts";

function Layer({ onRender }: { onRender: (shown: readonly Toast[]) => void }) {
  onRender(useToasts());
  return null;
}

function shownToasts(): readonly Toast[] {
  let shown: readonly Toast[] = [];
  renderToStaticMarkup(<Layer onRender={(toasts) => (shown = toasts)} />);
  return shown;
}

const shownTexts = () => shownToasts().map(({ text }) => text);

beforeEach(() => {
  for (const { id } of shownToasts()) dismissToast(id);
});

test("at most three toasts are shown, and the oldest is dropped first", () => {
  for (const text of ["one", "two", "three", "four"]) showToast("info", text, 1_500);
  expect(shownTexts()).toEqual(["two", "three", "four"]);
});

test("a repeated toast replaces the earlier one and is the newest", () => {
  showToast("info", "one", 1_500);
  const first = shownToasts()[0]?.id;
  showToast("info", "two", 1_500);
  showToast("info", "one", 1_500);
  expect(shownTexts()).toEqual(["two", "one"]);
  expect(shownToasts()[1]?.id).not.toBe(first);
});

test("the same text of another kind is another toast", () => {
  showToast("info", "one", 1_500);
  showToast("error", "one", 1_500);
  expect(shownToasts().map(({ kind }) => kind)).toEqual(["info", "error"]);
});

test("a dismissed toast is gone, and the others stay", () => {
  showToast("info", "one", 1_500);
  showToast("info", "two", 1_500);
  dismissToast(shownToasts()[0]?.id ?? 0);
  expect(shownTexts()).toEqual(["two"]);
});
