import { useState } from "react";

/** Browsers that end a composition before the key that ended it (Safari) get this long to send that key. */
const JUST_ENDED_MS = 50;

/** The part of a keyboard event the guard reads; a React or a native one. */
export interface GuardedKey {
  readonly keyCode: number;
  readonly isComposing?: boolean;
  readonly nativeEvent?: { readonly isComposing: boolean };
}

export interface ImeGuard {
  readonly compositionEnded: () => void;
  readonly keyReleased: () => void;
  /** The key belongs to an input method: Enter, Esc and arrows must be left to it. */
  readonly isComposing: (event: GuardedKey) => boolean;
}

/** `now` in ms. */
export function createImeGuard(now: () => number): ImeGuard {
  let endedAt: number | null = null;
  return {
    compositionEnded() {
      endedAt = now();
    },
    keyReleased() {
      endedAt = null;
    },
    isComposing(event) {
      const composing = event.nativeEvent?.isComposing ?? event.isComposing ?? false;
      if (composing || event.keyCode === 229) return true;
      return endedAt !== null && now() - endedAt < JUST_ENDED_MS;
    },
  };
}

/**
 * The one IME guard: every handler of Enter, Esc or arrows asks `isComposing(event)` first. Spread `handlers` on the input.
 */
export function useImeGuard() {
  const [guard] = useState(() => createImeGuard(() => performance.now()));
  const { compositionEnded, keyReleased, isComposing } = guard;
  return { isComposing, handlers: { onCompositionEnd: compositionEnded, onKeyUp: keyReleased } } as const;
}
