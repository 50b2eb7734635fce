import { useCallback, useEffect, useRef, useState } from "react";
import { useText } from "../../../kit/i18n.ts";
import { claimSound, releaseSound } from "../message/media/sound-focus.ts";
import { Failed } from "./picture.tsx";
import type { ViewerItem } from "./viewer.tsx";
import styles from "./viewer.module.css";

interface VideoProps {
  item: ViewerItem;
  /** The person chose this video: it plays at once. */
  isFirst: boolean;
}

/** A video with the controls of the browser. It stops when another item is shown. */
export function Video({ item, isFirst }: VideoProps) {
  const t = useText();
  const video = useRef<HTMLVideoElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const pause = useCallback(() => video.current?.pause(), []);
  useEffect(() => {
    const element = video.current;
    return () => {
      element?.pause();
      releaseSound(pause);
    };
  }, [pause]);
  if (hasFailed) return <Failed text={t("viewer.videoFailed")} onRetry={() => setFailed(false)} />;
  return (
    // Videos that people send have no captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      ref={video}
      className={styles.video}
      controls
      playsInline
      preload="metadata"
      autoPlay={isFirst}
      src={item.url}
      poster={item.thumbUrl ?? undefined}
      aria-label={item.label}
      onPlay={() => claimSound(pause)}
      onError={() => setFailed(true)}
    />
  );
}
