import type { SendKey } from "./choices.ts";
import type { TextId } from "./i18n.ts";
import { EVERYWHERE, IN_CHAT, IN_LIST, IN_MESSAGES, isOnMac, type KeyAction } from "./keys.ts";

export interface KeyGroup {
  readonly title: TextId;
  readonly rows: readonly { readonly text: TextId; readonly combinations: readonly string[] }[];
}

type KeyName = KeyAction | keyof typeof IN_LIST;

const rows = (keys: Readonly<Partial<Record<KeyName, readonly string[]>>>) =>
  (Object.keys(keys) as KeyName[]).map((name) => ({
    text: `keys.${name}` as const,
    combinations: keys[name] ?? [],
  }));

/** In place of those of `IN_CHAT` for who chose that Enter alone does not send. */
const CTRL_ENTER_SENDS = { send: ["Mod+Enter"], newLine: ["Enter", "Shift+Enter"] };

/** What the table shows to somebody who sends with this key. */
export function keyGroups(sendKey: SendKey): readonly KeyGroup[] {
  const inChat = sendKey === "ctrlEnter" ? { ...IN_CHAT, ...CTRL_ENTER_SENDS } : IN_CHAT;
  return [
    { title: "keys.everywhere", rows: rows(EVERYWHERE) },
    { title: "keys.inChat", rows: rows(inChat) },
    { title: "keys.inMessages", rows: rows(IN_MESSAGES) },
    { title: "keys.inList", rows: rows(IN_LIST) },
  ];
}

const CAPS: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: "Del",
  Backspace: "⌫",
  " ": "Space",
};
const MAC_CAPS: Readonly<Record<string, string>> = { Mod: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" };

/** A combination as it stands on the keys of this computer. */
export function keyCaps(combination: string, isMac = isOnMac()): readonly string[] {
  return combination.split("+").map((part) => {
    if (isMac && part in MAC_CAPS) return MAC_CAPS[part] ?? part;
    if (part === "Mod") return "Ctrl";
    const cap = CAPS[part] ?? part.replace(/^Digit/, "");
    return cap.length === 1 ? cap.toUpperCase() : cap;
  });
}
