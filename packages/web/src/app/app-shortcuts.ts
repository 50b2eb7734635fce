import { useEffect } from "react";
import { useLocation } from "wouter";
import { currentText } from "../kit/i18n/i18n.ts";
import { isDialogOpen, openDialog } from "../kit/dialogs/open-dialog.ts";
import { loadChunk } from "../kit/loading/load-chunk.ts";
import { loadSounds } from "../kit/search/pinyin.ts";
import { COMMAND_SHORTCUTS, type CommandShortcut, isShortcut } from "../kit/settings/shortcuts.ts";
import { toasts } from "../kit/dialogs/toasts.ts";

/** Loads the commands of the app. The first screens know only which shortcuts are theirs. */
const loadCommands = () => import("./commands.ts");

const SHORTCUTS = ["switcher", ...(Object.keys(COMMAND_SHORTCUTS) as CommandShortcut[])] as const;

/** Shortcuts that open the switcher and run commands from anywhere (interface §12). */
export function useDialogShortcuts(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      // The second key of the shortcut follows in a moment.
      if (event.key === "Control" || event.key === "Meta") return preloadSwitcher();
      const shortcut = SHORTCUTS.find((name) => isShortcut(event, name));
      if (shortcut === undefined) return;
      event.preventDefault();
      // Do not replace an open confirmation dialog, nor one with changes that are not saved.
      if (document.querySelector('[role="alertdialog"], [data-unsaved]') !== null) return;
      if (shortcut === "switcher") openDialog({ kind: "switcher" });
      else void runCommand(shortcut);
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, []);
}

async function runCommand(shortcut: CommandShortcut): Promise<void> {
  const part = await loadChunk(loadCommands).catch(() => null);
  if (part === null) toasts.long(currentText()("app.chunkFailed"));
  else part.APP_COMMANDS.find((command) => command.shortcut === shortcut)?.run();
}

const AREAS = [
  ["chats", "/home/chat"],
  ["friends", "/home/friend"],
  ["groups", "/home/group"],
] as const;

const LIST_SELECTOR = '[data-landmark="list"] [role="listbox"]';

/** Shortcuts to the lists of chats, friends and groups. They use Alt, because browsers use Ctrl and a digit for their tabs. */
export function useAreaShortcuts(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    let stopWaiting = () => {};
    const handleKeyDown = (event: KeyboardEvent) => {
      stopWaiting();
      const area = AREAS.find(([action]) => isShortcut(event, action));
      if (area === undefined || isDialogOpen()) return;
      event.preventDefault();
      navigate(area[1]);
      stopWaiting = focusList();
    };
    const handlePointerDown = () => stopWaiting();
    document.addEventListener("keydown", handleKeyDown);
    document.addEventListener("pointerdown", handlePointerDown);
    return () => {
      stopWaiting();
      document.removeEventListener("keydown", handleKeyDown);
      document.removeEventListener("pointerdown", handlePointerDown);
    };
  }, [navigate]);
}

/** Focuses the list as soon as it is rendered. Returns a function that stops waiting for it. */
function focusList(): () => void {
  const observer = new MutationObserver(() => tryFocus());
  const tryFocus = () => {
    const list = document.querySelector<HTMLElement>(LIST_SELECTOR);
    if (list === null) return;
    observer.disconnect();
    list.focus({ preventScroll: true });
  };
  // Wait a frame, because the list that exists now may belong to the previous area.
  const frame = requestAnimationFrame(() => {
    observer.observe(document.body, { childList: true, subtree: true });
    tryFocus();
  });
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}

/** F6 and Shift+F6 cycle through the parts of the page with `data-landmark`, in the order of the page. */
export function useLandmarkShortcuts(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const step = isShortcut(event, "nextPart") ? 1 : isShortcut(event, "previousPart") ? -1 : null;
      if (step === null) return;
      event.preventDefault();
      focusNextLandmark(step);
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, []);
}

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Moves the focus to the next (1) or previous (-1) part of the page with `data-landmark`, in the order of the page. */
function focusNextLandmark(step: 1 | -1): void {
  const landmarks = [...document.querySelectorAll<HTMLElement>("[data-landmark]")].filter(
    (landmark) => landmark.offsetParent !== null,
  );
  // The innermost landmark with the focus, because the composer is inside the main area.
  const current = landmarks.findLastIndex((landmark) => landmark.contains(document.activeElement));
  const next =
    current < 0
      ? step < 0
        ? landmarks.length - 1
        : 0
      : (current + step + landmarks.length) % landmarks.length;
  focusIn(landmarks[next]);
}

/** Focuses the landmark itself if it is focusable, else its text field, else its first control. */
function focusIn(landmark: HTMLElement | undefined): void {
  if (landmark === undefined) return;
  const inside = [...landmark.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (element) => element.offsetParent !== null && element.closest("[data-landmark]") === landmark,
  );
  const field = inside.find((element) => element.matches("textarea"));
  const target = landmark.tabIndex >= 0 ? landmark : (field ?? inside[0] ?? landmark);
  target.focus();
}

/** Loads the quick switcher. */
export const loadSwitcher = () =>
  import("../features/switcher/switcher.tsx").then((module) => module.Switcher);

let isRequested = false;

/** Loads the switcher and the pinyin table in advance, once. A failure shows when the switcher is opened. */
function preloadSwitcher(): void {
  if (isRequested) return;
  isRequested = true;
  for (const loading of [loadSwitcher(), loadSounds()]) loading.catch(() => (isRequested = false));
}
