import { beforeEach, expect, test } from "vitest";
import { dismissToast, isShownAsToast, showToast, useToasts } from "./toast-store.ts";

const shownTexts = () => useToasts.getState().map(({ text }) => text);

beforeEach(() => useToasts.setState([], true));

test("at most three toasts are shown, and the oldest is dropped first", () => {
  for (const text of ["one", "two", "three", "four"]) showToast("info", text, 1_500);
  expect(shownTexts()).toEqual(["two", "three", "four"]);
});

test("a repeated toast replaces the earlier one and is the newest", () => {
  showToast("info", "one", 1_500);
  const first = useToasts.getState()[0]?.id;
  showToast("info", "two", 1_500);
  showToast("info", "one", 1_500);
  expect(shownTexts()).toEqual(["two", "one"]);
  expect(useToasts.getState()[1]?.id).not.toBe(first);
});

test("the same text of another kind is another toast", () => {
  showToast("info", "one", 1_500);
  showToast("error", "one", 1_500);
  expect(useToasts.getState().map(({ kind }) => kind)).toEqual(["info", "error"]);
});

test("a dismissed toast is gone, and the others stay", () => {
  showToast("info", "one", 1_500);
  showToast("info", "two", 1_500);
  dismissToast(useToasts.getState()[0]?.id ?? 0);
  expect(shownTexts()).toEqual(["two"]);
});

test("a text is told by a toast while an error toast says it, and by no other kind", () => {
  showToast("info", "Wrong password", 1_500);
  expect(isShownAsToast("Wrong password")).toBe(false);
  showToast("error", "Wrong password", 1_500);
  expect(isShownAsToast("Wrong password")).toBe(true);
  const error = useToasts.getState().find(({ kind }) => kind === "error");
  dismissToast(error?.id ?? 0);
  expect(isShownAsToast("Wrong password")).toBe(false);
});
