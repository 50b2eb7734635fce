import { describe, expect, it } from "vitest";
import { enterAction } from "./enter-action.ts";

const plain = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const ctrl = { ...plain, ctrlKey: true };
const command = { ...plain, metaKey: true };
const shift = { ...plain, shiftKey: true };

describe("Enter in the field", () => {
  it("sends, and makes a new line with Ctrl or Shift", () => {
    expect(enterAction(plain, "enter", false)).toBe("send");
    expect(enterAction(ctrl, "enter", false)).toBe("newLine");
    expect(enterAction(command, "enter", false)).toBe("newLine");
    expect(enterAction(shift, "enter", false)).toBe("browser");
  });

  it("makes a new line when Ctrl+Enter sends", () => {
    expect(enterAction(plain, "ctrlEnter", false)).toBe("browser");
    expect(enterAction(ctrl, "ctrlEnter", false)).toBe("send");
    expect(enterAction(command, "ctrlEnter", false)).toBe("send");
    expect(enterAction(shift, "ctrlEnter", false)).toBe("browser");
  });

  it("makes a new line on a touch device, unless a hardware keyboard sends Ctrl+Enter", () => {
    expect(enterAction(plain, "enter", true)).toBe("browser");
    expect(enterAction(ctrl, "ctrlEnter", true)).toBe("send");
  });
});
