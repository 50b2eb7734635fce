/** When the person last did something on this page. */

let lastInput = -Infinity;
const listeners = new Set<() => void>();

/** Counts as input from now on. For what a person does outside the page: a click on a notification is no event of the page. */
export function recordInput(): void {
  lastInput = performance.now();
  for (const listener of listeners) listener();
}

const EVENTS = ["pointerdown", "pointermove", "keydown", "touchstart", "wheel"] as const;
for (const name of EVENTS) window.addEventListener(name, recordInput, { capture: true, passive: true });
// The click that caused this file to be loaded happened before the listeners existed.
if (navigator.userActivation?.isActive) recordInput();

/** The time of the person's last input, by `performance.now()`. */
export function lastInputTime(): number {
  return lastInput;
}

/** Calls the listener after each input. Returns a function that stops it. */
export function onInput(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
