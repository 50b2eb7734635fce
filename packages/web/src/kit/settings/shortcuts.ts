/**
 * All keyboard shortcuts (interface §12), for the handlers and for the table that people see. A combination is modifiers and a key joined
 * by `+`; `Mod` is Ctrl, on a Mac ⌘. Keys are named as in `KeyboardEvent.key`, digits as in `KeyboardEvent.code`. The names of the actions are
 * parts of text keys, such as `keys.switcher`.
 */

/** Shortcuts of commands of the app, which work everywhere. */
export const COMMAND_SHORTCUTS = {
  keys: ["Mod+/"],
} as const;

/** Shortcuts of the filters above the chat list, in their order. */
export const CHAT_FILTER_SHORTCUTS = {
  filterAll: ["Alt+Shift+Digit1"],
  filterUnread: ["Alt+Shift+Digit2"],
  filterMentions: ["Alt+Shift+Digit3"],
  filterGroups: ["Alt+Shift+Digit4"],
  filterPeople: ["Alt+Shift+Digit5"],
} as const;

/** Shortcuts that work everywhere. */
export const GLOBAL_SHORTCUTS = {
  switcher: ["Mod+k"],
  ...COMMAND_SHORTCUTS,
  previousChat: ["Alt+ArrowUp"],
  nextChat: ["Alt+ArrowDown"],
  previousUnread: ["Alt+Shift+ArrowUp"],
  nextUnread: ["Alt+Shift+ArrowDown"],
  ...CHAT_FILTER_SHORTCUTS,
  chats: ["Alt+Digit1"],
  friends: ["Alt+Digit2"],
  groups: ["Alt+Digit3"],
  nextPart: ["F6"],
  previousPart: ["Shift+F6"],
  close: ["Escape"],
} as const;

/** Shortcuts while a chat is open; `screenshot` in the desktop application only. */
export const CHAT_SHORTCUTS = {
  find: ["Mod+f"],
  send: ["Enter"],
  newLine: ["Shift+Enter", "Ctrl+Enter"],
  editLast: ["ArrowUp"],
  chooseQuoted: ["Mod+ArrowUp", "Mod+ArrowDown"],
  toEnd: ["Ctrl+End"],
  screenshot: ["Mod+Shift+a"],
} as const;

/** While a message has the focus. */
export const MESSAGE_SHORTCUTS = {
  walk: ["ArrowUp", "ArrowDown"],
  acts: ["Enter", "Shift+F10"],
  quote: ["r"],
  edit: ["e"],
  copy: ["c"],
  takeBack: ["Delete", "Backspace"],
  choose: [" "],
  thumbsUp: ["+"],
  joinReaction: ["="],
} as const;

/** While a chosen file above the field has the focus. */
export const FILE_SHORTCUTS = {
  walkFiles: ["ArrowLeft", "ArrowRight"],
  moveFile: ["Shift+ArrowLeft", "Shift+ArrowRight"],
  removeFile: ["Delete", "Backspace"],
} as const;

/** While the viewer of pictures and videos is open. */
export const VIEWER_SHORTCUTS = {
  previousPicture: ["ArrowLeft"],
  nextPicture: ["ArrowRight"],
  zoomIn: ["+", "="],
  zoomOut: ["-"],
  rotate: ["r"],
  wholePicture: ["0"],
} as const;

/** Shortcuts of commands of a chat, on its row in the list. */
export const CHAT_COMMAND_SHORTCUTS = {
  delete: ["Delete"],
} as const;

/** Keys of the chat list; all but those of commands are shown in the table only. */
export const LIST_SHORTCUTS = {
  move: ["ArrowUp", "ArrowDown", "Home", "End"],
  open: ["Enter"],
  menu: ["Shift+F10"],
  ...CHAT_COMMAND_SHORTCUTS,
} as const;

/** A shortcut of a command of the app. */
export type CommandShortcut = keyof typeof COMMAND_SHORTCUTS;

/** A shortcut of a command of a chat. */
export type ChatCommandShortcut = keyof typeof CHAT_COMMAND_SHORTCUTS;

/** An action that has a shortcut. */
export type ShortcutAction =
  | ChatCommandShortcut
  | keyof typeof GLOBAL_SHORTCUTS
  | keyof typeof CHAT_SHORTCUTS
  | keyof typeof FILE_SHORTCUTS
  | keyof typeof MESSAGE_SHORTCUTS
  | keyof typeof VIEWER_SHORTCUTS;

const ALL_SHORTCUTS: Readonly<Record<ShortcutAction, readonly string[]>> = {
  ...GLOBAL_SHORTCUTS,
  ...CHAT_SHORTCUTS,
  ...CHAT_COMMAND_SHORTCUTS,
  ...MESSAGE_SHORTCUTS,
  ...FILE_SHORTCUTS,
  ...VIEWER_SHORTCUTS,
};

type KeyPress = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

/** The combinations of an action; the first is the one that menus show. */
export function combinationsOf(action: ShortcutAction): readonly string[] {
  return ALL_SHORTCUTS[action];
}

/** Whether these keys are the ones of an action. */
export function isShortcut(event: KeyPress, action: ShortcutAction, isMac = isOnMac()): boolean {
  return combinationsOf(action).some((combination) => matches(event, combination, isMac));
}

/** The modifiers and the key of a combination; the key is last, and may be `+` itself. */
export function partsOf(combination: string): readonly string[] {
  return combination.split(/\+(?=.)/);
}

function matches(event: KeyPress, combination: string, isMac: boolean): boolean {
  const parts = partsOf(combination);
  const key = parts.at(-1) ?? "";
  const has = (modifier: string) => parts.includes(modifier);
  // On some keyboards a punctuation character needs Shift, so Shift is ignored for those.
  const isPunctuation = /^[^\w]$/.test(key);
  return (
    (event.key.toLowerCase() === key.toLowerCase() || (key.startsWith("Digit") && event.code === key)) &&
    event.altKey === has("Alt") &&
    event.ctrlKey === (has("Ctrl") || (has("Mod") && !isMac)) &&
    event.metaKey === (has("Mod") && isMac) &&
    (isPunctuation || event.shiftKey === has("Shift"))
  );
}

/** Whether the client runs on an Apple device. */
export function isOnMac(): boolean {
  return typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
}
