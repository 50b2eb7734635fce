import { useEffect } from "react";
import { useLocation } from "wouter";
import { isShortcut } from "../kit/shortcuts.ts";

const AREAS = [
  ["chats", "/home/chat"],
  ["friends", "/home/friend"],
  ["groups", "/home/group"],
] as const;

const LIST = '[data-landmark="list"] [role="listbox"]';

/** Keys that go to the lists of chats, friends and groups; browsers keep Ctrl with digits for their tabs. */
export function useAreaShortcuts(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    let stop = () => {};
    const press = (event: KeyboardEvent) => {
      stop();
      const area = AREAS.find(([action]) => isShortcut(event, action));
      if (area === undefined) return;
      event.preventDefault();
      navigate(area[1]);
      stop = focusList();
    };
    const point = () => stop();
    document.addEventListener("keydown", press);
    document.addEventListener("pointerdown", point);
    return () => {
      stop();
      document.removeEventListener("keydown", press);
      document.removeEventListener("pointerdown", point);
    };
  }, [navigate]);
}

/** The list gets the focus as soon as it is there; answers how to stop waiting for it. */
function focusList(): () => void {
  const comings = new MutationObserver(() => tryFocus());
  const tryFocus = () => {
    const list = document.querySelector<HTMLElement>(LIST);
    if (list === null) return;
    comings.disconnect();
    list.focus({ preventScroll: true });
  };
  // The list that is there now may be that of the area which is left.
  const frame = requestAnimationFrame(() => {
    comings.observe(document.body, { childList: true, subtree: true });
    tryFocus();
  });
  return () => {
    cancelAnimationFrame(frame);
    comings.disconnect();
  };
}
