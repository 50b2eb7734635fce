import { expect, test } from "vitest";
import type { SendKey } from "./user-settings.ts";
import { keyLabels, shortcutGroups } from "./shortcut-table.ts";
import { isShortcut } from "./shortcuts.ts";

const event = (key: string, modifiers = "", code = "") => ({
  key,
  code,
  altKey: modifiers.includes("a"),
  ctrlKey: modifiers.includes("c"),
  metaKey: modifiers.includes("m"),
  shiftKey: modifiers.includes("s"),
});

test("matches exactly the keys of an action", () => {
  expect(isShortcut(event("k", "c"), "switcher", false)).toBe(true);
  expect(isShortcut(event("K", "c"), "switcher", false)).toBe(true);
  expect(isShortcut(event("k", "cs"), "switcher", false)).toBe(false);
  expect(isShortcut(event("k", "m"), "switcher", false)).toBe(false);
  expect(isShortcut(event("ArrowDown", "a"), "nextChat")).toBe(true);
  expect(isShortcut(event("ArrowDown", "as"), "nextChat")).toBe(false);
  expect(isShortcut(event("ArrowDown", "as"), "nextUnread")).toBe(true);
});

test("CF5 a filter is chosen by the place of the digit, because Shift changes its character", () => {
  expect(isShortcut(event("!", "as", "Digit1"), "filterAll", false)).toBe(true);
  expect(isShortcut(event("%", "as", "Digit5"), "filterPeople", false)).toBe(true);
  // A French keyboard has the digits with Shift.
  expect(isShortcut(event("2", "as", "Digit2"), "filterUnread", false)).toBe(true);
  expect(isShortcut(event("&", "a", "Digit1"), "filterAll", false)).toBe(false);
  expect(isShortcut(event("!", "as", "Digit1"), "chats", false)).toBe(false);
  expect(keyLabels("Alt+Shift+Digit2", false)).toEqual(["Alt", "Shift", "2"]);
});

test("uses the Mac's modifier keys on a Mac", () => {
  expect(isShortcut(event("k", "m"), "switcher", true)).toBe(true);
  expect(isShortcut(event("k", "c"), "switcher", true)).toBe(false);
  // Option with a digit types another character.
  expect(isShortcut(event("¡", "a", "Digit1"), "chats", true)).toBe(true);
  expect(keyLabels("Mod+k", true)).toEqual(["⌘", "K"]);
});

test("matches a punctuation key with and without Shift", () => {
  expect(isShortcut(event("/", "c"), "keys", false)).toBe(true);
  expect(isShortcut(event("/", "cs"), "keys", false)).toBe(true);
});

test("labels keys as they are printed on the keyboard", () => {
  expect(keyLabels("Alt+Shift+ArrowUp", false)).toEqual(["Alt", "Shift", "↑"]);
  expect(keyLabels("Mod+/", false)).toEqual(["Ctrl", "/"]);
  expect(keyLabels("Alt+Digit1", false)).toEqual(["Alt", "1"]);
});

test.each(["enter", "ctrlEnter"] as const)(
  "contains no combination twice in a group when %s sends",
  (sendKey) => {
    for (const { rows } of shortcutGroups(sendKey, true)) {
      const all = rows.flatMap(({ combinations }) => combinations);
      expect(new Set(all).size).toBe(all.length);
    }
  },
);

test("shows the send key that the person chose", () => {
  const shown = (sendKey: SendKey) =>
    Object.fromEntries(
      shortcutGroups(sendKey, false).flatMap(({ rows }) =>
        rows.map(({ text, combinations }) => [text, combinations]),
      ),
    );
  expect(shown("enter")["keys.send"]).toEqual(["Enter"]);
  expect(shown("enter")["keys.newLine"]).toEqual(["Shift+Enter", "Ctrl+Enter"]);
  expect(shown("ctrlEnter")["keys.send"]).toEqual(["Mod+Enter"]);
  expect(shown("ctrlEnter")["keys.newLine"]).toEqual(["Enter", "Shift+Enter"]);
});

test("shows the keys of a screenshot in the desktop application only", () => {
  const texts = (isDesktop: boolean) =>
    shortcutGroups("enter", isDesktop).flatMap(({ rows }) => rows.map(({ text }) => text));
  expect(texts(true)).toContain("keys.screenshot");
  expect(texts(false)).not.toContain("keys.screenshot");
  expect(isShortcut(event("A", "cs"), "screenshot", false)).toBe(true);
});
