import { useEffect, useState } from "react";
import type { RefObject } from "react";

/** How long the controls of a picture stay after the last movement. */
const HIDE_MS = 3_000;
/** What the person uses at the moment: a button that was reached with the keyboard, or an open menu. */
const IN_USE = ':is(button, a):focus-visible, [aria-expanded="true"]';

/** Whether the controls over a picture hide, because nobody has moved there for a while. Never while one of them has the focus. */
export function useHidingControls(stage: RefObject<HTMLElement | null>, isAllowed: boolean): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    const element = stage.current;
    if (element === null || !isAllowed) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => (element.querySelector(IN_USE) === null ? setHidden(true) : wait()), HIDE_MS);
    };
    const wake = () => {
      clearTimeout(timer);
      setHidden(false);
      wait();
    };
    const EVENTS = ["pointermove", "pointerdown", "keydown", "focusin"];
    for (const event of EVENTS) element.addEventListener(event, wake);
    wait();
    return () => {
      clearTimeout(timer);
      setHidden(false);
      for (const event of EVENTS) element.removeEventListener(event, wake);
    };
  }, [stage, isAllowed]);
  return isHidden && isAllowed;
}
