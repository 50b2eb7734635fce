import type { ReactNode } from "react";
import { useText } from "../../../../kit/i18n.ts";
import { BubbleFrame, type BubbleProps } from "../bubbles/bubble-frame.tsx";
import { UnsupportedBubble } from "../bubbles/unsupported-bubble.tsx";
import { mediaLabel } from "../message-summary.ts";
import { pictureOf } from "../media/media-content.ts";
import { MediaPicture } from "../media/media-picture.tsx";
import { openViewer } from "../media/open-viewer.ts";
import { pictureBox } from "../media/picture-box.ts";
import { UploadRing } from "../media/upload-ring.tsx";
import { useMaxPicturePx } from "../media/use-max-picture.ts";
import styles from "../media/media.module.css";

interface PictureBubbleProps extends BubbleProps {
  /** Shown over the picture. */
  children?: ReactNode;
}

/** A picture, or the cover of a video, which opens in the viewer. With a quote it is in a bubble, else it is one itself. */
export function PictureBubble({ children, ...props }: PictureBubbleProps) {
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
