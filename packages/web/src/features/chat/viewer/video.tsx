import { useState } from "react";
import { useText } from "../../../kit/i18n.ts";
import { claimSound, releaseSound } from "../message/media/sound-focus.ts";
import { Failed } from "./picture.tsx";
import type { ViewerItem } from "./viewer-item.ts";
import styles from "./viewer.module.css";

interface VideoProps {
  item: ViewerItem;
  /** The person chose this video: it plays at once. */
  isFirst: boolean;
}

/** A video with the controls of the browser. It stops when another item is shown. */
export function Video({ item, isFirst }: VideoProps) {
  const t = useText();
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <Failed text={t("viewer.videoFailed")} onRetry={() => setFailed(false)} />;
  return (
    // Videos that people send have no captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      ref={registerVideo}
      className={styles.video}
      controls
      playsInline
      preload="metadata"
      autoPlay={isFirst}
      src={item.url}
      poster={item.thumbUrl ?? undefined}
      aria-label={item.label}
      onError={() => setFailed(true)}
    />
  );
}

function registerVideo(video: HTMLVideoElement | null) {
  if (video === null) return;
  const pause = () => video.pause();
  const handlePlay = () => claimSound(pause);
  video.addEventListener("play", handlePlay);
  return () => {
    video.removeEventListener("play", handlePlay);
    pause();
    releaseSound(pause);
  };
}
