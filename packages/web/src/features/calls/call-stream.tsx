import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { create } from "zustand";
import type { StreamData } from "@parley/core/call-ports";
import type { Call } from "@parley/core/model/calls/call";
import { canChooseSpeaker, useSpeaker } from "../../kit/settings/call-devices.ts";
import { currentText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { classNames } from "../../ui/class-names.ts";
import styles from "./call-stream.module.css";

interface CallVideoProps {
  readonly stream: StreamData | null;
  /** As in a mirror: for the own camera, not for a screen. */
  readonly isMirrored?: boolean;
  /** `cover` fills the place and cuts what is too much, unless little would be left; `contain` shows everything. */
  readonly fit?: "cover" | "contain";
}

/** The picture of a stream, without its sound: `CallAudio` plays that, also while no picture is shown. */
export function CallVideo({ stream, isMirrored = false, fit = "cover" }: CallVideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  useStream(video, stream);
  const isFar = useFarShape(video);
  return (
    <video
      ref={video}
      className={classNames(styles.video, styles[isFar ? "contain" : fit], isMirrored && styles.mirrored)}
      muted
      playsInline
      disablePictureInPicture
      aria-hidden="true"
    />
  );
}

/** The picture for a window of the browser. It belongs to no window of the call, so that the browser keeps it while those change. */
export function PictureInPictureVideo({ stream }: { readonly stream: StreamData | null }) {
  const video = useRef<HTMLVideoElement>(null);
  const isWanted = usePictureInPicture(({ state }) => state !== "off");
  useEffect(() => (video.current === null ? undefined : watchPictureInPicture(video.current)), []);
  useStream(video, isWanted ? stream : null);
  useEffect(() => {
    if (stream === null) endPictureInPicture();
  }, [stream]);
  return <video ref={video} className="visually-hidden" muted playsInline aria-hidden="true" />;
}

/** Plays the sound of a stream through the chosen loudspeaker. An element does it, because only so the browser can cancel the echo. */
export function CallAudio({ stream }: { readonly stream: StreamData | null }) {
  const audio = useRef<HTMLAudioElement>(null);
  const speaker = useSpeaker();
  useStream(audio, stream);
  useEffect(() => {
    if (audio.current !== null) void routeTo(audio.current, speaker);
  }, [speaker]);
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <audio ref={audio} />;
}

/** The least part of a picture that may be left when it fills its place. */
const LEAST_PART = 0.4;

/** Whether a picture and its place have such different shapes, as a phone and a desktop, that most of the picture would be cut. */
function useFarShape(ref: RefObject<HTMLVideoElement | null>): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const video = ref.current;
    if (video === null) return;
    const measure = () => {
      if (video.videoHeight === 0 || video.clientHeight === 0) return;
      const picture = video.videoWidth / video.videoHeight;
      const place = video.clientWidth / video.clientHeight;
      setFar(Math.min(picture / place, place / picture) < LEAST_PART);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(video);
    // The size of the picture is known, or has changed because somebody has turned the phone.
    video.addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      video.removeEventListener("resize", measure);
    };
  }, [ref]);
  return isFar;
}

/** Plays a stream in an element while that is shown. */
function useStream(ref: RefObject<HTMLMediaElement | null>, stream: StreamData | null): void {
  useEffect(() => {
    const element = ref.current;
    if (element === null || !(stream instanceof MediaStream)) return;
    element.srcObject = stream;
    void play(element);
    return () => {
      forget(element);
      element.srcObject = null;
    };
  }, [ref, stream]);
}

/** The person whose picture is shown where there is room for one only: of all who send one, the person who speaks. */
export function shownPerson(call: Call): number | null {
  if (call.kind === "private") return call.peer.isCamera || call.peer.isShareScreen ? call.userId : null;
  const seen = call.people.filter(({ isIn, isCamera, isShareScreen }) => isIn && (isCamera || isShareScreen));
  return (seen.find(({ isSpeaking }) => isSpeaking) ?? seen[0])?.userId ?? null;
}

interface PictureInPicture {
  /** `opening`: the person wants it, and the browser has not shown it yet. */
  readonly state: "off" | "opening" | "on";
}

/** The window of the browser, above those of other programs, that shows the picture of a call. */
export const usePictureInPicture = create<PictureInPicture>(() => ({ state: "off" }));

/** Whether this browser has such a window. */
export function hasPictureInPicture(): boolean {
  // Firefox has neither of the two.
  const { pictureInPictureEnabled } = document as Partial<Document>;
  return pictureInPictureEnabled === true;
}

/** Shows the picture in that window, or ends that. `PictureInPictureVideo` has the picture. */
export function togglePictureInPicture(): void {
  usePictureInPicture.setState(({ state }) => ({ state: state === "off" ? "opening" : "off" }));
}

/** Closes that window. */
function endPictureInPicture(): void {
  usePictureInPicture.setState({ state: "off" });
}

/** Keeps the window and the state in step: the person can close it as well. Returns a function that stops, and closes it. */
function watchPictureInPicture(video: HTMLVideoElement): () => void {
  const set = (state: PictureInPicture["state"]) => usePictureInPicture.setState({ state });
  const entered = () => set("on");
  const left = () => set("off");
  const isOpening = () => usePictureInPicture.getState().state === "opening";
  const refused = (error: unknown) => {
    // The person has given it up, or the picture has ended.
    if (!isOpening()) return;
    left();
    toasts.long(currentText()("call.pictureInPictureRefused"));
    reportError(new Error(`the browser refused picture in picture: ${String(error)}`, { cause: error }));
  };
  // Before it knows the size of the picture, the browser refuses.
  const open = () => {
    if (isOpening()) video.requestPictureInPicture().catch(refused);
  };
  video.addEventListener("enterpictureinpicture", entered);
  video.addEventListener("leavepictureinpicture", left);
  video.addEventListener("loadedmetadata", open);
  const stopFollowing = usePictureInPicture.subscribe(({ state }) => {
    if (state === "off") leavePictureInPicture(video);
  });
  return () => {
    stopFollowing();
    video.removeEventListener("enterpictureinpicture", entered);
    video.removeEventListener("leavepictureinpicture", left);
    video.removeEventListener("loadedmetadata", open);
    leavePictureInPicture(video);
    left();
  };
}

function leavePictureInPicture(video: HTMLVideoElement): void {
  // Rejects only if the person has closed it in the same moment.
  if (document.pictureInPictureElement === video) document.exitPictureInPicture().catch(() => undefined);
}

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
async function routeTo(element: HTMLMediaElement, speaker: string | null): Promise<void> {
  if (!canChooseSpeaker() || element.sinkId === (speaker ?? "")) return;
  await element.setSinkId(speaker ?? "").catch(() => element.setSinkId("").catch(reportError));
}
