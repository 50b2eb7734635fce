import type { SendKey } from "./user-settings.ts";
import type { TextId } from "./i18n.ts";
import {
  GLOBAL_SHORTCUTS,
  CHAT_SHORTCUTS,
  LIST_SHORTCUTS,
  MESSAGE_SHORTCUTS,
  isOnMac,
  type ShortcutAction,
} from "./shortcuts.ts";

export interface ShortcutGroup {
  readonly title: TextId;
  readonly rows: readonly { readonly text: TextId; readonly combinations: readonly string[] }[];
}

type ShortcutName = ShortcutAction | keyof typeof LIST_SHORTCUTS;

const rows = (keys: Readonly<Partial<Record<ShortcutName, readonly string[]>>>) =>
  (Object.keys(keys) as ShortcutName[]).map((name) => ({
    text: `keys.${name}` as const,
    combinations: keys[name] ?? [],
  }));

/** In place of those of `IN_CHAT` for who chose that Enter alone does not send. */
const CTRL_ENTER_SENDS = { send: ["Mod+Enter"], newLine: ["Enter", "Shift+Enter"] };

/** What the table shows to somebody who sends with this key. */
export function shortcutGroups(sendKey: SendKey): readonly ShortcutGroup[] {
  const inChat = sendKey === "ctrlEnter" ? { ...CHAT_SHORTCUTS, ...CTRL_ENTER_SENDS } : CHAT_SHORTCUTS;
  return [
    { title: "keys.everywhere", rows: rows(GLOBAL_SHORTCUTS) },
    { title: "keys.inChat", rows: rows(inChat) },
    { title: "keys.inMessages", rows: rows(MESSAGE_SHORTCUTS) },
    { title: "keys.inList", rows: rows(LIST_SHORTCUTS) },
  ];
}

const KEY_LABELS: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: "Del",
  Backspace: "⌫",
  " ": "Space",
};
const MAC_KEY_LABELS: Readonly<Record<string, string>> = { Mod: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" };

/** A combination as it stands on the keys of this computer. */
export function keyLabels(combination: string, isMac = isOnMac()): readonly string[] {
  return combination.split("+").map((part) => {
    if (isMac && part in MAC_KEY_LABELS) return MAC_KEY_LABELS[part] ?? part;
    if (part === "Mod") return "Ctrl";
    const cap = KEY_LABELS[part] ?? part.replace(/^Digit/, "");
    return cap.length === 1 ? cap.toUpperCase() : cap;
  });
}
