import { expect, it } from "vitest";
import type { SendKey } from "./choices.ts";
import { keyCaps, keyGroups } from "./key-table.ts";
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

it.each(["enter", "ctrlEnter"] as const)(
  "has no combination twice in a group, sending with %s",
  (sendKey) => {
    for (const { rows } of keyGroups(sendKey)) {
      const all = rows.flatMap(({ combinations }) => combinations);
      expect(new Set(all).size).toBe(all.length);
    }
  },
);

it("shows the key that sends by the choice of the person", () => {
  const shown = (sendKey: SendKey) =>
    Object.fromEntries(
      keyGroups(sendKey).flatMap(({ rows }) => rows.map(({ text, combinations }) => [text, combinations])),
    );
  expect(shown("enter")["keys.send"]).toEqual(["Enter"]);
  expect(shown("enter")["keys.newLine"]).toEqual(["Shift+Enter", "Ctrl+Enter"]);
  expect(shown("ctrlEnter")["keys.send"]).toEqual(["Mod+Enter"]);
  expect(shown("ctrlEnter")["keys.newLine"]).toEqual(["Enter", "Shift+Enter"]);
});
