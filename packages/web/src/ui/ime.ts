import { useState } from "react";

/** Some browsers (Safari) report the end of a composition before the key that ended it. That key arrives within this time. */
const JUST_ENDED_MS = 50;

/** The part of a keyboard event that the guard reads; of a React or a native event. */
export interface GuardedKey {
  readonly keyCode: number;
  readonly isComposing?: boolean;
  readonly nativeEvent?: { readonly isComposing: boolean };
}

/** Detects keys that belong to an input method. */
export interface ImeGuard {
  readonly compositionEnded: () => void;
  readonly keyReleased: () => void;
  /** Whether the key belongs to an input method, which then handles Enter, Esc and arrows itself. */
  readonly isComposing: (event: GuardedKey) => boolean;
}

/** Creates a guard; `now` returns ms. */
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
 * The IME guard for components: every handler of Enter, Esc or arrows checks `isComposing(event)` first. Spread `handlers` on the input.
 */
export function useImeGuard() {
  const [guard] = useState(() => createImeGuard(() => performance.now()));
  const { compositionEnded, keyReleased, isComposing } = guard;
  return { isComposing, handlers: { onCompositionEnd: compositionEnded, onKeyUp: keyReleased } } as const;
}
