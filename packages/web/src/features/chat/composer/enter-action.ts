import type { SendKey } from "../../../kit/user-settings.ts";

interface EnterPress {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/**
 * What Enter does in the field: send, insert a new line, or leave the key to the browser. On touch devices the
 * keyboard's Enter is always a new line, and people send with the button.
 */
export function enterAction(
  press: EnterPress,
  sendKey: SendKey,
  isCoarse: boolean,
): "send" | "newLine" | "browser" {
  if (press.altKey || press.shiftKey) return "browser";
  const isCtrl = press.ctrlKey || press.metaKey;
  if (sendKey === "ctrlEnter") return isCtrl ? "send" : "browser";
  if (isCtrl) return "newLine";
  return isCoarse ? "browser" : "send";
}
