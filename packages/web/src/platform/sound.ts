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
  /** What can play; null before the first gesture, and where there is no audio. */
  context(): AudioContext | null;
  /** Plays a sound of the context, for ever if `loop`. Returns a function that ends it. */
  start(audio: AudioContext, buffer: AudioBuffer, loop?: boolean): () => void;
}

/** How long a browser takes at most to open the audio device, before it counts as blocked. */
const START_MS = 1_000;

/** Plays sounds. Browsers allow none before the first gesture. Each sound is loaded at its first use and stays decoded. */
function browserSound(): BrowserSound {
  let context: AudioContext | null = null;
  const decoded = new Map<string, Promise<AudioBuffer | null>>();

  /** A running context keeps the audio device open and a thread busy, so it runs only while something plays. */
  let playing = 0;
  const rest = async (audio: AudioContext) => {
    if (playing === 0) await audio.suspend();
  };
  const unlock = () => {
    if (context !== null || !("AudioContext" in globalThis)) return;
    const audio = new AudioContext();
    context = audio;
    // The gesture allows it to run, also later when there is something to play.
    void audio.resume().then(() => rest(audio));
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

  const start = (audio: AudioContext, buffer: AudioBuffer, loop = false) => {
    const source = audio.createBufferSource();
    source.buffer = buffer;
    source.loop = loop;
    source.connect(audio.destination);
    source.addEventListener("ended", () => {
      playing -= 1;
      void rest(audio);
    });
    playing += 1;
    void audio.resume();
    source.start();
    return () => source.stop();
  };

  const startFile = async (audio: AudioContext, name: keyof typeof FILES): Promise<boolean> => {
    const url = FILES[name];
    const loading = decoded.get(url) ?? load(audio, url);
    decoded.set(url, loading);
    const buffer = await loading;
    if (buffer === null) return false;
    start(audio, buffer);
    return true;
  };

  return {
    context: () => context,
    start,
    play: async (name) => context !== null && startFile(context, name),
    async test(name) {
      unlock();
      const audio = context;
      if (audio === null) return "unsupported";
      if (!(await startFile(audio, name))) return "notLoaded";
      const isRunning = await Promise.race([
        audio.resume().then(() => true),
        new Promise<false>((resolve) => setTimeout(resolve, START_MS, false)),
      ]);
      return isRunning ? "played" : "blocked";
    },
  };
}

/** The sound of the page. Importing it starts to listen for the first gesture. */
export const sound = browserSound();
