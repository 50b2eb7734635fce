import { describe, expect, it } from "vitest";
import { enterDoes } from "./enter-key.ts";

const plain = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const ctrl = { ...plain, ctrlKey: true };
const command = { ...plain, metaKey: true };
const shift = { ...plain, shiftKey: true };

describe("Enter in the field", () => {
  it("sends, and makes a new line with Ctrl or Shift", () => {
    expect(enterDoes(plain, "enter", false)).toBe("send");
    expect(enterDoes(ctrl, "enter", false)).toBe("newLine");
    expect(enterDoes(command, "enter", false)).toBe("newLine");
    expect(enterDoes(shift, "enter", false)).toBe("browser");
  });

  it("makes a new line for who sends with Ctrl+Enter", () => {
    expect(enterDoes(plain, "ctrlEnter", false)).toBe("browser");
    expect(enterDoes(ctrl, "ctrlEnter", false)).toBe("send");
    expect(enterDoes(command, "ctrlEnter", false)).toBe("send");
    expect(enterDoes(shift, "ctrlEnter", false)).toBe("browser");
  });

  it("is a new line where a finger is the pointer, unless a real keyboard says otherwise", () => {
    expect(enterDoes(plain, "enter", true)).toBe("browser");
    expect(enterDoes(ctrl, "ctrlEnter", true)).toBe("send");
  });
});
