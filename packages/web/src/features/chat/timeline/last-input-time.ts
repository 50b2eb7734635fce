let lastInput = -Infinity;

function recordInput(): void {
  lastInput = performance.now();
}

const EVENTS = ["pointerdown", "pointermove", "keydown", "touchstart", "wheel"] as const;
for (const name of EVENTS) window.addEventListener(name, recordInput, { capture: true, passive: true });
// The click that brought this file came before it.
if (navigator.userActivation?.isActive) recordInput();

/** When the person last touched anything, by `performance.now()`. */
export function lastInputTime(): number {
  return lastInput;
}
