import type { ReactNode } from "react";
import { Play } from "lucide-react";
import { playTime } from "@parley/core/model/format";
import { useText } from "../../../../kit/i18n.ts";
import { ICON_PROPS_24 } from "../../../../ui/icon-props.ts";
import { BubbleFrame, type BubbleProps, UnsupportedBubble } from "../bubbles/bubble-frame.tsx";
import { pictureOf, videoSeconds } from "../media/media-content.ts";
import { MediaPicture } from "../media/media-picture.tsx";
import { openViewer } from "../media/open-viewer.ts";
import { pictureBox, useMaxPicturePx } from "../media/picture-box.ts";
import { isUploading, UploadRing } from "../media/upload-ring.tsx";
import { mediaLabel } from "../message-summary.ts";
import type { MessageKind } from "./lazy-kinds.tsx";
import styles from "../media/media.module.css";

export const image: MessageKind = { Bubble: PictureBubble };

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

interface PictureBubbleProps extends BubbleProps {
  /** Shown over the picture. */
  children?: ReactNode;
}

/** A picture, or the cover of a video, which opens in the viewer. With a quote it is in a bubble, else it is one itself. */
function PictureBubble({ children, ...props }: PictureBubbleProps) {
  const { chatKey, message } = props;
  const t = useText();
  const max = useMaxPicturePx();
  const picture = pictureOf(message);
  if (picture === null) return <UnsupportedBubble {...props} />;
  return (
    <BubbleFrame {...props} variant={message.quoteMessage === null ? "picture" : "card"}>
      <MediaPicture
        message={message}
        picture={picture}
        {...pictureBox(picture.width, picture.height, max)}
        label={mediaLabel(message, t) ?? ""}
        onOpen={() => openViewer({ chatKey, messageKey: message.key })}
      >
        <span className={styles.centre}>
          <UploadRing chatKey={chatKey} message={message} isOnPicture />
        </span>
        {children}
      </MediaPicture>
    </BubbleFrame>
  );
}
