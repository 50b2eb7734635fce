import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import type { StreamData } from "@parley/core/call-ports";
import { classNames } from "../../ui/class-names.ts";
import { forget, play, routeTo, useSpeaker } from "./playback.ts";
import styles from "./call-stream.module.css";

interface CallVideoProps {
  readonly stream: StreamData | null;
  /** As in a mirror: for the own camera, not for a screen. */
  readonly isMirrored?: boolean;
  /** `cover` fills the place and cuts what is too much; `contain` shows everything. */
  readonly fit?: "cover" | "contain";
}

/** The picture of a stream, without its sound: `CallAudio` plays that, also while no picture is shown. */
export function CallVideo({ stream, isMirrored = false, fit = "cover" }: CallVideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  useStream(video, stream);
  return (
    <video
      ref={video}
      className={classNames(styles.video, styles[fit], isMirrored && styles.mirrored)}
      muted
      playsInline
      disablePictureInPicture
      aria-hidden="true"
    />
  );
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
