import { describe, expect, test } from "vitest";
import { enterAction, nextQuoted } from "./composer-keys.ts";

const plain = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const ctrl = { ...plain, ctrlKey: true };
const command = { ...plain, metaKey: true };
const shift = { ...plain, shiftKey: true };

describe("Enter in the composer", () => {
  test("sends; with Ctrl or Shift it inserts a new line", () => {
    expect(enterAction(plain, "enter", false)).toBe("send");
    expect(enterAction(ctrl, "enter", false)).toBe("newLine");
    expect(enterAction(command, "enter", false)).toBe("newLine");
    expect(enterAction(shift, "enter", false)).toBe("browser");
  });

  test("inserts a new line if the setting is Ctrl+Enter to send", () => {
    expect(enterAction(plain, "ctrlEnter", false)).toBe("browser");
    expect(enterAction(ctrl, "ctrlEnter", false)).toBe("send");
    expect(enterAction(command, "ctrlEnter", false)).toBe("send");
    expect(enterAction(shift, "ctrlEnter", false)).toBe("browser");
  });

  test("inserts a new line on a touch device, unless a hardware keyboard sends Ctrl+Enter", () => {
    expect(enterAction(plain, "enter", true)).toBe("browser");
    expect(enterAction(ctrl, "ctrlEnter", true)).toBe("send");
  });
});

test("moves up from the newest message to the oldest, and down again until nothing is quoted", () => {
  const messages = [{ id: 3 }, { id: 5 }];
  expect(nextQuoted(messages, null, -1)).toBe(5);
  expect(nextQuoted(messages, 5, -1)).toBe(3);
  expect(nextQuoted(messages, 3, -1)).toBe(3);
  expect(nextQuoted(messages, 3, 1)).toBe(5);
  expect(nextQuoted(messages, 5, 1)).toBeNull();
  expect(nextQuoted(messages, null, 1)).toBeNull();
  expect(nextQuoted([], null, -1)).toBeNull();
});
