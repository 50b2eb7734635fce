/** A shorter press is a click, not a hold. */
const CLICK_MS = 300;
/** How far a finger slides to the start of the line to cancel, px. */
const CANCEL_PX = 96;
/** How far it slides up to go on without the finger, px. */
const LOCK_PX = 72;

/** What a press on the microphone has come to. `locked` records on without the finger; `interrupted`: the system took the finger away. */
export type VoicePress = "held" | "locked" | "released" | "interrupted" | "cancelled";

/** Where a held finger has got to, from where it went down. The direction in which it went further decides. */
export function slideOf(dx: number, dy: number): VoicePress {
  const toCancel = -dx / CANCEL_PX;
  const toLock = -dy / LOCK_PX;
  if (Math.max(toCancel, toLock) < 1) return "held";
  return toCancel >= toLock ? "cancelled" : "locked";
}

/** What the end of a press means: a click records on until the next one, a longer press ends with the finger. */
export function endOfPress(ms: number): VoicePress {
  return ms < CLICK_MS ? "locked" : "released";
}
