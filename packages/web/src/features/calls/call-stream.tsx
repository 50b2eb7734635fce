import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import type { StreamData } from "@parley/core/call-ports";
import { useSpeaker } from "../../kit/call-devices.ts";
import { classNames } from "../../ui/class-names.ts";
import { endPictureInPicture, usePictureInPicture, watchPictureInPicture } from "./picture-in-picture.ts";
import { forget, play, routeTo } from "./playback.ts";
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
