import type { Clock } from "../ports.ts";

/** Tells whether somebody speaks. */
export interface SpeechMeter {
  /** Begins to read the loudness. */
  start(): void;
  isSpeaking(): boolean;
  stop(): void;
}

/** Loudness is read later than the rest of a call begins: in some browsers the first time takes long. */
const FIRST_MS = 1_000;
/** How often loudness is read. */
const LEVEL_MS = 250;
/** Louder is speech. */
const SPEECH_LEVEL = 0.05;
/** A short pause does not end it. */
const SPEECH_HOLD_MS = 1_500;

/** Creates a meter. `level` is the loudness now, from 0 to 1; `onChange` is called when speech begins and ends. */
export function createSpeechMeter(clock: Clock, level: () => number, onChange: () => void): SpeechMeter {
  let cancel: (() => void) | null = null;
  let spokeAt = -Infinity;
  let isSpeaking = false;

  function read(): void {
    cancel = clock.after(LEVEL_MS, read);
    if (level() > SPEECH_LEVEL) spokeAt = clock.now();
    const isSpeech = clock.now() - spokeAt < SPEECH_HOLD_MS;
    if (isSpeech === isSpeaking) return;
    isSpeaking = isSpeech;
    onChange();
  }

  return {
    start: () => void (cancel ??= clock.after(FIRST_MS, read)),
    isSpeaking: () => isSpeaking,
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
