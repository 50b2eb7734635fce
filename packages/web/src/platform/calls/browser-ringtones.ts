import type { Ringtones } from "@parley/core/call-ports";
import { sound } from "../sound.ts";
import incomingUrl from "../sounds/incoming-call.wav";
import outgoingUrl from "../sounds/outgoing-call.wav";

const FILES = { incoming: incomingUrl, outgoing: outgoingUrl } as const;
const GESTURES = ["pointerdown", "keydown"] as const;

/** The sounds while it rings. Before the first gesture in the page browsers play none: then it rings from that gesture on. */
export function browserRingtones(): Ringtones {
  const loaded = new Map<string, Promise<ArrayBuffer>>();

  /** The file, for one use: decoding takes it. A file that could not be loaded is tried again at the next ring. */
  const load = async (url: string): Promise<ArrayBuffer> => {
    const loading = loaded.get(url) ?? fetch(url).then((response) => response.arrayBuffer());
    loaded.set(url, loading);
    try {
      return (await loading).slice(0);
    } catch (error) {
      loaded.delete(url);
      throw error;
    }
  };

  return {
    start(which) {
      const ring = new AbortController();
      const play = async (context: AudioContext) => {
        const buffer = await context.decodeAudioData(await load(FILES[which]));
        if (ring.signal.aborted) return;
        ring.signal.addEventListener("abort", sound.start(context, buffer, true));
      };
      let hasBegun = false;
      const begin = () => {
        const context = sound.context();
        // Each kind of gesture begins it once.
        if (hasBegun) return true;
        hasBegun = context !== null;
        // Without a network it rings on the screen alone.
        if (context !== null) play(context).catch(() => undefined);
        return context !== null;
      };
      if (!begin()) {
        const options = { once: true, capture: true, passive: true, signal: ring.signal };
        for (const gesture of GESTURES) addEventListener(gesture, begin, options);
      }
      return () => ring.abort();
    },
  };
}
