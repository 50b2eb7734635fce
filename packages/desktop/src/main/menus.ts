import type { ContextMenuParams, MenuItemConstructorOptions } from "electron";
import { ZOOM_MAX_PERCENT, ZOOM_MIN_PERCENT } from "../bridge/desktop-bridge.ts";
import type { Platform } from "./electron-parts.ts";
import type { Translate } from "./texts.ts";

/** The steps of a browser. */
const ZOOM_STEPS = [ZOOM_MIN_PERCENT, 67, 75, 80, 90, 100, 110, 125, 150, 175, ZOOM_MAX_PERCENT] as const;

export type Zoom = "in" | "out" | "reset";

/** The next step from here. */
export function zoomed(percent: number, zoom: Zoom): number {
  if (zoom === "reset") return 100;
  if (zoom === "in") return ZOOM_STEPS.find((step) => step > percent) ?? ZOOM_MAX_PERCENT;
  return ZOOM_STEPS.findLast((step) => step < percent) ?? ZOOM_MIN_PERCENT;
}

interface MenuOptions {
  readonly platform: Platform;
  readonly isDevelopment: boolean;
  readonly t: Translate;
  readonly zoom: (zoom: Zoom) => void;
}

/**
 * The menu of the application. On macOS it is the menu bar; elsewhere a frameless window shows none, and its keys work all the same.
 */
export function applicationMenu(options: MenuOptions): MenuItemConstructorOptions[] {
  const { platform, isDevelopment, t } = options;
  const isMac = platform === "darwin";
  const developer: MenuItemConstructorOptions[] = isDevelopment
    ? [{ type: "separator" }, { role: "reload" }, { role: "toggleDevTools" }]
    : [];
  return [
    isMac
      ? macApplicationMenu(t)
      : { label: "Parley", submenu: [{ role: "quit", label: t("desktop.menu.quit") }] },
    { label: t("desktop.menu.edit"), submenu: editItems(t) },
    { label: t("desktop.menu.view"), submenu: [...viewItems(options), ...developer] },
    {
      label: t("desktop.menu.window"),
      ...(isMac && { role: "window" as const }),
      submenu: [
        ...(isMac
          ? [
              { role: "minimize" as const, label: t("desktop.menu.minimize") },
              { role: "zoom" as const, label: t("desktop.menu.zoomWindow") },
            ]
          : []),
        { role: "close", label: t("desktop.menu.close") },
        ...(isMac
          ? [{ type: "separator" as const }, { role: "front" as const, label: t("desktop.menu.front") }]
          : []),
      ],
    },
  ];
}

function macApplicationMenu(t: Translate): MenuItemConstructorOptions {
  return {
    label: "Parley",
    submenu: [
      { role: "about", label: t("desktop.menu.about") },
      { type: "separator" },
      { role: "services", label: t("desktop.menu.services") },
      { type: "separator" },
      { role: "hide", label: t("desktop.menu.hide") },
      { role: "hideOthers", label: t("desktop.menu.hideOthers") },
      { role: "unhide", label: t("desktop.menu.showAll") },
      { type: "separator" },
      { role: "quit", label: t("desktop.menu.quit") },
    ],
  };
}

function editItems(t: Translate): MenuItemConstructorOptions[] {
  return [
    { role: "undo", label: t("desktop.menu.undo") },
    { role: "redo", label: t("desktop.menu.redo") },
    { type: "separator" },
    { role: "cut", label: t("desktop.menu.cut") },
    { role: "copy", label: t("desktop.menu.copy") },
    { role: "paste", label: t("desktop.menu.paste") },
    { role: "selectAll", label: t("desktop.menu.selectAll") },
  ];
}

function viewItems({ t, zoom }: MenuOptions): MenuItemConstructorOptions[] {
  /** Keys of the main and the number block; on many keyboards the plus is typed with Shift, and people press the key without it. */
  const item = (label: string, to: Zoom, [first = "", ...others]: string[]): MenuItemConstructorOptions[] =>
    [first, ...others].map((key) => ({
      label,
      accelerator: `CommandOrControl+${key}`,
      visible: key === first,
      click: () => zoom(to),
    }));
  return [
    ...item(t("desktop.menu.zoomReset"), "reset", ["0", "num0"]),
    ...item(t("desktop.menu.zoomIn"), "in", ["Plus", "=", "numadd"]),
    ...item(t("desktop.menu.zoomOut"), "out", ["-", "numsub"]),
    { type: "separator" },
    { role: "togglefullscreen", label: t("desktop.menu.fullScreen") },
  ];
}

type Clicked = Pick<
  ContextMenuParams,
  "dictionarySuggestions" | "editFlags" | "isEditable" | "misspelledWord" | "selectionText"
>;

/** The menu of what was clicked: texts and fields for texts have one. Empty: no menu. */
export function textMenu(
  { isEditable, selectionText, misspelledWord, dictionarySuggestions, editFlags }: Clicked,
  t: Translate,
  correct: (word: string) => void,
): MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = {
    role: "copy",
    label: t("desktop.menu.copy"),
    enabled: editFlags.canCopy,
  };
  if (!isEditable) return selectionText.trim() === "" ? [] : [copy];
  const suggestions: MenuItemConstructorOptions[] = dictionarySuggestions.map((word) => ({
    label: word,
    click: () => correct(word),
  }));
  if (misspelledWord !== "" && suggestions.length === 0)
    suggestions.push({ label: t("desktop.menu.noSuggestions"), enabled: false });
  return [
    ...suggestions,
    ...(suggestions.length > 0 ? [{ type: "separator" as const }] : []),
    { role: "cut", label: t("desktop.menu.cut"), enabled: editFlags.canCut },
    copy,
    { role: "paste", label: t("desktop.menu.paste"), enabled: editFlags.canPaste },
    { type: "separator" },
    { role: "selectAll", label: t("desktop.menu.selectAll"), enabled: editFlags.canSelectAll },
  ];
}
