import { useEffect } from "react";
import { useLocation } from "wouter";
import { isDialogOpen } from "../kit/is-dialog-open.ts";
import { isShortcut } from "../kit/shortcuts.ts";

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
