import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import type { Call } from "@parley/core/model/calls/call";
import { useClient } from "../../kit/use-client.ts";
import { isInUse } from "./call-controls.tsx";

/** Where keys write, or choose. */
const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="menu"]';

/**
 * The keys of a call: M, V, and Space to talk for as long as it is held while the microphone is off. These are for the call alone while it
 * is large (`isLarge`); the key that hangs up works always.
 */
export function useCallKeys(call: Call, isLarge: boolean): void {
  const { calls } = useClient();
  const { local, stage } = call;
  const hold = useHeldMicrophone(call);

  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (stage === "ringing" || event.defaultPrevented || event.isComposing) return;
    const use = (run: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) run();
    };
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if ((event.ctrlKey || event.metaKey) && event.shiftKey && event.code === "KeyH") use(() => calls.end());
    else if (!isLarge || !isPlain || isFor(event, FIELDS)) return;
    else if (event.code === "KeyM") use(() => calls.setMicrophone(!isInUse(local.microphone)));
    else if (event.code === "KeyV") use(() => calls.setCamera(!isInUse(local.camera)));
    // Space presses a button that was reached with the keyboard.
    else if (event.code === "Space" && !isFor(event, ":focus-visible:is(button, a)")) use(hold.begin);
  });
  const handleKeyUp = useEffectEvent((event: KeyboardEvent) => {
    if (event.code === "Space" && hold.end()) event.preventDefault();
  });

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKeyDown(event);
    const onKeyUp = (event: KeyboardEvent) => handleKeyUp(event);
    addEventListener("keydown", onKeyDown, { capture: true });
    addEventListener("keyup", onKeyUp, { capture: true });
    return () => {
      removeEventListener("keydown", onKeyDown, { capture: true });
      removeEventListener("keyup", onKeyUp, { capture: true });
    };
  }, []);
}

function isFor({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** The microphone while a key is held: on from `begin` to `end`, or until the window loses the keyboard. */
function useHeldMicrophone({ local }: Call) {
  const { calls } = useClient();
  const isHeld = useRef(false);
  const begin = () => {
    if (isInUse(local.microphone)) return;
    isHeld.current = true;
    calls.setMicrophone(true);
  };
  /** Whether it was held. */
  const end = useCallback(() => {
    const wasHeld = isHeld.current;
    isHeld.current = false;
    if (wasHeld) calls.setMicrophone(false);
    return wasHeld;
  }, [calls]);
  useEffect(() => {
    addEventListener("blur", end);
    return () => {
      removeEventListener("blur", end);
      end();
    };
  }, [end]);
  return { begin, end };
}
