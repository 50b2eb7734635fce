import { useEffect, useState } from "react";
import type { CSSProperties } from "react";
import { useText } from "../../../kit/i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Overlay } from "../../../ui/layout.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { claimSound, releaseSound } from "../message/media/sound-focus.ts";
import { fittedSize, type Point, type Size, type ViewState } from "./view-state.ts";
import type { ViewerItem } from "./viewer-item.ts";
import styles from "./viewer.module.css";

interface PictureProps {
  item: ViewerItem;
  view: ViewState;
  /** How far a finger has pulled the picture. */
  pull: Point | null;
  onSize: (size: Size) => void;
}

/** A picture with the zoom and rotation of the view. The thumbnail shows until the original is loaded. */
export function Picture({ item, view, pull, onSize }: PictureProps) {
  const t = useText();
  const [status, setStatus] = useState<"loading" | "shown" | "failed">("loading");
  const { width, height } = item;
  useEffect(() => {
    if (width > 0 && height > 0) onSize({ width, height });
    // The size in the message is known before anything is loaded; the picture itself has the last word.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [width, height]);
  const size = fittedSize(view);
  const x = view.offset.x + (pull?.x ?? 0);
  // It does not follow a finger upwards, which means nothing.
  const y = view.offset.y + Math.max(0, pull?.y ?? 0);
  const style: CSSProperties = {
    inlineSize: size.width,
    blockSize: size.height,
    transform: `translate(-50%, -50%) translate(${x}px, ${y}px) rotate(${view.rotation}deg) scale(${view.scale})`,
  };
  return (
    <>
      <div className={styles.picture} style={style} data-picture>
        {status !== "shown" && item.placeholder !== null && (
          <img className={styles.blurred} src={item.placeholder} alt="" draggable={false} />
        )}
        {status !== "shown" && item.thumbUrl !== null && (
          <img className={styles.layer} src={item.thumbUrl} alt="" draggable={false} />
        )}
        {status !== "failed" && (
          <img
            className={styles.layer}
            src={item.url}
            alt={item.label}
            draggable={false}
            decoding="async"
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              setStatus("shown");
              onSize({ width: naturalWidth, height: naturalHeight });
            }}
            onError={() => setStatus("failed")}
          />
        )}
      </div>
      {status === "loading" && (
        <Overlay as="span" align="center" justify="center" tone="secondary" className={styles.loading}>
          <Spinner size={32} />
        </Overlay>
      )}
      {status === "failed" && <Failed text={t("viewer.failed")} onRetry={() => setStatus("loading")} />}
    </>
  );
}

/** Says that something could not be loaded. */
function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const t = useText();
  return (
    <Overlay
      align="center"
      justify="center"
      gap={16}
      padding={24}
      textAlign="center"
      className={styles.failed}
      role="alert"
    >
      <p>{text}</p>
      <Button onClick={onRetry}>{t("app.retry")}</Button>
    </Overlay>
  );
}

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
