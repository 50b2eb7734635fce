/** Stops what makes a sound now. */
let stopCurrent: (() => void) | null = null;

/** Says that something begins to play: what played before is stopped, so that one thing plays at a time. */
export function claimSound(stop: () => void): void {
  if (stopCurrent !== stop) stopCurrent?.();
  stopCurrent = stop;
}

/** Says that it no longer plays. */
export function releaseSound(stop: () => void): void {
  if (stopCurrent === stop) stopCurrent = null;
}
