import { Play } from "lucide-react";
import { playTime } from "@parley/core/model/format";
import { useText } from "../../../../kit/i18n.ts";
import { ICON_PROPS_24 } from "../../../../ui/icon-props.ts";
import { BubbleFrame, type BubbleProps } from "../bubbles/bubble-frame.tsx";
import { UnsupportedBubble } from "../bubbles/unsupported-bubble.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { mediaLabel } from "../message-summary.ts";
import { pictureOf, videoSeconds } from "../media/media-content.ts";
import { MediaPicture } from "../media/media-picture.tsx";
import { pictureBox } from "../media/picture-box.ts";
import { isUploading, UploadRing } from "../media/upload-ring.tsx";
import { useMaxPicturePx } from "../media/use-max-picture.ts";
import type { MessageKind } from "./message-kind.ts";
import styles from "../media/media.module.css";

/** The cover of a video. It plays in the viewer, which has room for it and its controls. */
function VideoBubble(props: BubbleProps) {
  const { chatKey, message } = props;
  const t = useText();
  const ui = useConversationUi();
  const max = useMaxPicturePx();
  const picture = pictureOf(message);
  if (picture === null) return <UnsupportedBubble {...props} />;
  const seconds = videoSeconds(message);
  return (
    <BubbleFrame {...props} variant={message.quoteMessage === null ? "picture" : "card"}>
      <MediaPicture
        message={message}
        picture={picture}
        {...pictureBox(picture.width, picture.height, max)}
        label={mediaLabel(message, t) ?? ""}
        onOpen={() => ui.set({ viewer: { messageKey: message.key } })}
      >
        <span className={styles.centre}>
          {isUploading(message) ? (
            <UploadRing chatKey={chatKey} message={message} isOnPicture />
          ) : (
            <span className={styles.play}>
              <Play {...ICON_PROPS_24} fill="currentColor" />
            </span>
          )}
        </span>
        {seconds !== null && <span className={styles.length}>{playTime(seconds)}</span>}
      </MediaPicture>
    </BubbleFrame>
  );
}

export const video: MessageKind = { Bubble: VideoBubble };
