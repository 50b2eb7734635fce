import { Play } from "lucide-react";
import { playTime } from "@parley/core/model/format";
import { ICON_PROPS_24 } from "../../../../ui/icon-props.ts";
import type { BubbleProps } from "../bubbles/bubble-frame.tsx";
import { videoSeconds } from "../media/media-content.ts";
import { isUploading } from "../media/upload-ring.tsx";
import type { MessageKind } from "./message-kind.ts";
import { PictureBubble } from "./picture-bubble.tsx";
import styles from "../media/media.module.css";

/** The cover of a video. It plays in the viewer, which has room for it and its controls. */
function VideoBubble(props: BubbleProps) {
  const { message } = props;
  const seconds = videoSeconds(message);
  return (
    <PictureBubble {...props}>
      {!isUploading(message) && (
        <span className={styles.centre}>
          <span className={styles.play}>
            <Play {...ICON_PROPS_24} fill="currentColor" />
          </span>
        </span>
      )}
      {seconds !== null && <span className={styles.length}>{playTime(seconds)}</span>}
    </PictureBubble>
  );
}

export const video: MessageKind = { Bubble: VideoBubble };
