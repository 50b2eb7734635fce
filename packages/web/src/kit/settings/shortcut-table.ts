import type { SendKey } from "./user-settings.ts";
import type { TextId } from "../i18n/i18n.ts";
import {
  GLOBAL_SHORTCUTS,
  CHAT_SHORTCUTS,
  FILE_SHORTCUTS,
  LIST_SHORTCUTS,
  MESSAGE_SHORTCUTS,
  VIEWER_SHORTCUTS,
  combinationsOf,
  isOnMac,
  partsOf,
  type ShortcutAction,
} from "./shortcuts.ts";

export interface ShortcutGroup {
  readonly title: TextId;
  readonly rows: readonly { readonly text: TextId; readonly combinations: readonly string[] }[];
}

/** In a call; `features/calls/call-layer.tsx` handles them, because one of them is held. */
const CALL_SHORTCUTS = {
  mute: ["m"],
  camera: ["v"],
  talk: [" "],
  hangUp: ["Ctrl+Shift+h"],
} as const;

type ShortcutName = ShortcutAction | keyof typeof LIST_SHORTCUTS | keyof typeof CALL_SHORTCUTS;

const rows = (shortcuts: Readonly<Partial<Record<ShortcutName, readonly string[]>>>) =>
  (Object.keys(shortcuts) as ShortcutName[]).map((name) => ({
    text: `keys.${name}` as const,
    combinations: shortcuts[name] ?? [],
  }));

/** Replaces rows of `CHAT_SHORTCUTS` for people who send with Ctrl+Enter. */
const CTRL_ENTER_SENDS = { send: ["Mod+Enter"], newLine: ["Enter", "Shift+Enter"] };

/** The groups of the shortcut table for a person who sends with this key, in a browser or in the desktop application. */
export function shortcutGroups(sendKey: SendKey, isDesktop: boolean): readonly ShortcutGroup[] {
  const { screenshot, ...everywhere } = CHAT_SHORTCUTS;
  const inChat = {
    ...everywhere,
    ...(sendKey === "ctrlEnter" && CTRL_ENTER_SENDS),
    ...(isDesktop && { screenshot }),
  };
  return [
    { title: "keys.everywhere", rows: rows(GLOBAL_SHORTCUTS) },
    { title: "keys.inChat", rows: rows(inChat) },
    { title: "keys.inFiles", rows: rows(FILE_SHORTCUTS) },
    { title: "keys.inMessages", rows: rows(MESSAGE_SHORTCUTS) },
    { title: "keys.inViewer", rows: rows(VIEWER_SHORTCUTS) },
    { title: "keys.inCall", rows: rows(CALL_SHORTCUTS) },
    { title: "keys.inList", rows: rows(LIST_SHORTCUTS) },
  ];
}

const KEY_LABELS: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Delete: "Del",
  Backspace: "⌫",
  " ": "Space",
};
const MAC_KEY_LABELS: Readonly<Record<string, string>> = { Mod: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" };

/** What a menu shows beside an item with this shortcut. */
export function shortcutHint(action: ShortcutAction): string {
  return keyLabels(combinationsOf(action)[0] ?? "").join(" ");
}

/** The labels of a combination as printed on the keys of this computer. */
export function keyLabels(combination: string, isMac = isOnMac()): readonly string[] {
  return partsOf(combination).map((part) => {
    if (isMac && part in MAC_KEY_LABELS) return MAC_KEY_LABELS[part] ?? part;
    if (part === "Mod") return "Ctrl";
    const label = KEY_LABELS[part] ?? part.replace(/^Digit/, "");
    return label.length === 1 ? label.toUpperCase() : label;
  });
}
