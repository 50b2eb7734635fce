import { create } from "zustand";
import { canChooseSpeaker } from "../../kit/call-devices.ts";

/** What plays in calls. */
interface Playback {
  /** Elements that the browser refused to play, because nobody has touched the page yet. */
  readonly blocked: ReadonlySet<HTMLMediaElement>;
}

const usePlayback = create<Playback>(() => ({ blocked: new Set() }));

/** Plays an element, and remembers it if the browser refuses that. */
export async function play(element: HTMLMediaElement): Promise<void> {
  try {
    await element.play();
    forget(element);
  } catch (error) {
    // Other rejections mean that the element has got another stream, which is played by its own call.
    if (error instanceof DOMException && error.name === "NotAllowedError") {
      usePlayback.setState(({ blocked }) => ({ blocked: new Set([...blocked, element]) }));
    }
  }
}

/** Forgets an element that is no longer shown. */
export function forget(element: HTMLMediaElement): void {
  usePlayback.setState(({ blocked }) =>
    blocked.has(element) ? { blocked: new Set([...blocked].filter((other) => other !== element)) } : {},
  );
}

/** Plays everything again that was refused. Works in the handler of a click. */
export function playBlocked(): void {
  for (const element of usePlayback.getState().blocked) void play(element);
}

/** Whether something is held back until the person touches the page. */
export function useIsBlocked(): boolean {
  return usePlayback(({ blocked }) => blocked.size > 0);
}

/** Sends the sound of an element to a loudspeaker; to the default one if that is gone. */
export async function routeTo(element: HTMLMediaElement, speaker: string | null): Promise<void> {
  if (!canChooseSpeaker() || element.sinkId === (speaker ?? "")) return;
  await element.setSinkId(speaker ?? "").catch(() => element.setSinkId("").catch(reportError));
}
