import { expect, it } from "vitest";
import { KEY_GROUPS, keyCaps } from "./key-table.ts";
import { isPressed } from "./keys.ts";

const event = (key: string, modifiers = "", code = "") => ({
  key,
  code,
  altKey: modifiers.includes("a"),
  ctrlKey: modifiers.includes("c"),
  metaKey: modifiers.includes("m"),
  shiftKey: modifiers.includes("s"),
});

it("takes exactly the keys of an action", () => {
  expect(isPressed(event("k", "c"), "switcher", false)).toBe(true);
  expect(isPressed(event("K", "c"), "switcher", false)).toBe(true);
  expect(isPressed(event("k", "cs"), "switcher", false)).toBe(false);
  expect(isPressed(event("k", "m"), "switcher", false)).toBe(false);
  expect(isPressed(event("ArrowDown", "a"), "nextChat")).toBe(true);
  expect(isPressed(event("ArrowDown", "as"), "nextChat")).toBe(false);
  expect(isPressed(event("ArrowDown", "as"), "nextUnread")).toBe(true);
});

it("knows a Mac's keys", () => {
  expect(isPressed(event("k", "m"), "switcher", true)).toBe(true);
  expect(isPressed(event("k", "c"), "switcher", true)).toBe(false);
  // Option with a digit writes a sign.
  expect(isPressed(event("¡", "a", "Digit1"), "chats", true)).toBe(true);
  expect(keyCaps("Mod+k", true)).toEqual(["⌘", "K"]);
});

it("finds a sign with and without Shift", () => {
  expect(isPressed(event("/", "c"), "keys", false)).toBe(true);
  expect(isPressed(event("/", "cs"), "keys", false)).toBe(true);
});

it("names keys as they are printed", () => {
  expect(keyCaps("Alt+Shift+ArrowUp", false)).toEqual(["Alt", "Shift", "↑"]);
  expect(keyCaps("Mod+/", false)).toEqual(["Ctrl", "/"]);
  expect(keyCaps("Alt+Digit1", false)).toEqual(["Alt", "1"]);
});

it("has no combination twice in a group", () => {
  for (const { rows } of KEY_GROUPS) {
    const all = rows.flatMap(({ combinations }) => combinations);
    expect(new Set(all).size).toBe(all.length);
  }
});
