import type { TextId } from "./i18n.ts";

/**
 * The keys of the product (interface §12): the one place where they stand, for the handlers and for the table that people see. A combination is
 * modifiers and a key joined by `+`; `Mod` is Ctrl, on a Mac ⌘. Keys are named as `KeyboardEvent.key` does, digits by their place.
 */
const EVERYWHERE = {
  switcher: ["Mod+k"],
  keys: ["Mod+/"],
  previousChat: ["Alt+ArrowUp"],
  nextChat: ["Alt+ArrowDown"],
  previousUnread: ["Alt+Shift+ArrowUp"],
  nextUnread: ["Alt+Shift+ArrowDown"],
  chats: ["Alt+Digit1"],
  friends: ["Alt+Digit2"],
  nextPart: ["F6"],
  previousPart: ["Shift+F6"],
  close: ["Escape"],
} as const;

const IN_CHAT = {
  find: ["Mod+f"],
  send: ["Enter"],
  newLine: ["Shift+Enter", "Ctrl+Enter"],
  editLast: ["ArrowUp"],
  chooseQuoted: ["Mod+ArrowUp", "Mod+ArrowDown"],
} as const;

/** While a message has the focus. */
const IN_MESSAGES = {
  walk: ["ArrowUp", "ArrowDown"],
  acts: ["Enter", "Shift+F10"],
  quote: ["r"],
  edit: ["e"],
  copy: ["c"],
  takeBack: ["Delete", "Backspace"],
  choose: [" "],
} as const;

const IN_LIST = {
  move: ["ArrowUp", "ArrowDown", "Home", "End"],
  open: ["Enter"],
  menu: ["Shift+F10"],
  delete: ["Delete"],
} as const;

export type KeyAction = keyof typeof EVERYWHERE | keyof typeof IN_CHAT | keyof typeof IN_MESSAGES;

export interface KeyGroup {
  readonly title: TextId;
  readonly rows: readonly { readonly text: TextId; readonly combinations: readonly string[] }[];
}

const rows = <Name extends string>(keys: Readonly<Record<Name, readonly string[]>>) =>
  (Object.keys(keys) as Name[]).map((name) => ({
    text: `keys.${name}` as const,
    combinations: keys[name],
  }));

/** What the table shows. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  { title: "keys.everywhere", rows: rows(EVERYWHERE) },
  { title: "keys.inChat", rows: rows(IN_CHAT) },
  { title: "keys.inMessages", rows: rows(IN_MESSAGES) },
  { title: "keys.inList", rows: rows(IN_LIST) },
];

const ALL: Readonly<Record<KeyAction, readonly string[]>> = {
  ...EVERYWHERE,
  ...IN_CHAT,
  ...IN_MESSAGES,
};

type Pressed = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

/** Whether these keys are the ones of an action. */
export function isPressed(event: Pressed, action: KeyAction, isMac = isOnMac()): boolean {
  return ALL[action].some((combination) => fits(event, combination, isMac));
}

function fits(event: Pressed, combination: string, isMac: boolean): boolean {
  const parts = combination.split("+");
  const key = parts.at(-1) ?? "";
  const has = (modifier: string) => parts.includes(modifier);
  // Where a sign needs Shift on some keyboards, it is part of the sign.
  const isSign = /^[^\w]$/.test(key);
  return (
    (event.key.toLowerCase() === key.toLowerCase() || (key.startsWith("Digit") && event.code === key)) &&
    event.altKey === has("Alt") &&
    event.ctrlKey === (has("Ctrl") || (has("Mod") && !isMac)) &&
    event.metaKey === (has("Mod") && isMac) &&
    (isSign || event.shiftKey === has("Shift"))
  );
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

function isOnMac(): boolean {
  return typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
}
