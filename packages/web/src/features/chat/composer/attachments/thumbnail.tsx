import { useEffect, useRef, useState } from "react";
import { ImageOff, Play } from "lucide-react";
import type { ChatKey, DraftFile } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { ICON_PROPS, ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { useFileBytes } from "./use-file-bytes.ts";
import styles from "./attachment-strip.module.css";

/** The pixels of a thumbnail: twice its size on touch devices, for dense screens. */
const THUMBNAIL_PX = 176;

/** One after the other: a picture of 50 megapixels needs 200 MB while it is decoded. */
let lastDrawing: Promise<void> = Promise.resolve();

/** A small picture of a chosen picture or video. Only the small picture stays in memory, not the decoded large one. */
export function Thumbnail({ chatKey, file }: { chatKey: ChatKey; file: DraftFile }) {
  const bytes = useFileBytes(chatKey, file.id);
  if (bytes === null) return <Missing />;
  if (bytes === undefined) return <span className={styles.picture} />;
  return file.type === MessageType.VIDEO ? <VideoThumbnail bytes={bytes} /> : <Picture bytes={bytes} />;
}

function Missing() {
  return (
    <span className={styles.picture}>
      <ImageOff {...ICON_PROPS} />
    </span>
  );
}

function Picture({ bytes }: { bytes: Blob }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const draw = async () => {
      if (!isCurrent) return;
      try {
        const bitmap = await createImageBitmap(bytes);
        if (canvas.current !== null) drawCovering(canvas.current, bitmap);
        bitmap.close();
      } catch {
        if (isCurrent) setBroken(true);
      }
    };
    lastDrawing = lastDrawing.then(draw);
    return () => {
      isCurrent = false;
    };
  }, [bytes]);
  if (isBroken) return <Missing />;
  return <canvas ref={canvas} className={styles.picture} width={THUMBNAIL_PX} height={THUMBNAIL_PX} />;
}

/** Fills the canvas with the middle of a picture. */
function drawCovering(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const side = Math.min(bitmap.width, bitmap.height);
  const [x, y] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, x, y, side, side, 0, 0, canvas.width, canvas.height);
}

function VideoThumbnail({ bytes }: { bytes: Blob }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(bytes);
    if (video.current !== null) video.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [bytes]);
  return (
    <span className={styles.picture}>
      <video ref={video} className={styles.picture} muted playsInline preload="metadata" tabIndex={-1} />
      <span className={styles.play}>
        <Play {...ICON_PROPS_16} fill="currentColor" />
      </span>
    </span>
  );
}
