import type { Sound } from "@parley/core/ports";
import messageUrl from "./sounds/message.wav";

const FILES = { message: messageUrl } as const;

/** The sounds of the page. */
interface BrowserSound extends Sound {
  /**
   * Plays a sound after a gesture, and says why not if it cannot: this browser has no audio, it has blocked it, or the file could not be
   * loaded.
   */
  test(name: keyof typeof FILES): Promise<"played" | "unsupported" | "blocked" | "notLoaded">;
  /** What plays; null before the first gesture, and where there is no audio. */
  context(): AudioContext | null;
}

/** Plays sounds. Browsers allow none before the first gesture. Each sound is loaded at its first use and stays decoded. */
function browserSound(): BrowserSound {
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
      const response = await fetch(url);
      return await audio.decodeAudioData(await response.arrayBuffer());
    } catch {
      // No network: the next call tries again.
      decoded.delete(url);
      return null;
    }
  };

  const start = async (audio: AudioContext, name: keyof typeof FILES): Promise<boolean> => {
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
  };

  return {
    context: () => context,
    play: async (name) => context !== null && start(context, name),
    async test(name) {
      unlock();
      const audio = context;
      if (audio === null) return "unsupported";
      if (!(await start(audio, name))) return "notLoaded";
      return audio.state === "running" ? "played" : "blocked";
    },
  };
}

/** The sound of the page. Importing it starts to listen for the first gesture. */
export const sound = browserSound();
