let lastInput = -Infinity;

function recordInput(): void {
  lastInput = performance.now();
}

const EVENTS = ["pointerdown", "pointermove", "keydown", "touchstart", "wheel"] as const;
for (const name of EVENTS) window.addEventListener(name, recordInput, { capture: true, passive: true });
// The click that caused this file to be loaded happened before the listeners existed.
if (navigator.userActivation?.isActive) recordInput();

/** The time of the person's last input, by `performance.now()`. */
export function lastInputTime(): number {
  return lastInput;
}
