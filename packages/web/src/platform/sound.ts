import type { Sound } from "@parley/core/ports";
import messageUrl from "./sounds/message.wav";

const FILES = { message: messageUrl } as const;

/** Browsers play nothing before the first gesture: from then on sounds are fetched when first wanted and kept decoded. */
function browserSound(): Sound {
  let context: AudioContext | null = null;
  const decoded = new Map<string, Promise<AudioBuffer | null>>();

  const unlock = () => {
    context ??= "AudioContext" in globalThis ? new AudioContext() : null;
    void context?.resume();
  };
  for (const gesture of ["pointerdown", "keydown"] as const) {
    addEventListener(gesture, unlock, { once: true, capture: true, passive: true });
  }

  const load = async (audio: AudioContext, url: string): Promise<AudioBuffer | null> => {
    try {
      const answer = await fetch(url);
      return await audio.decodeAudioData(await answer.arrayBuffer());
    } catch {
      // No network at this moment: the next sound tries again.
      decoded.delete(url);
      return null;
    }
  };

  return {
    async play(name) {
      const audio = context;
      if (audio === null) return false;
      const url = FILES[name];
      const loading = decoded.get(url) ?? load(audio, url);
      decoded.set(url, loading);
      const buffer = await loading;
      if (buffer === null) return false;
      const source = audio.createBufferSource();
      source.buffer = buffer;
      source.connect(audio.destination);
      source.start();
      return true;
    },
  };
}

/** Listens for gestures from now on. */
export const sound = browserSound();
