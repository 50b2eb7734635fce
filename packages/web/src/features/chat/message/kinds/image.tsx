import { useText } from "../../../../kit/i18n.ts";
import { BubbleFrame, type BubbleProps } from "../bubbles/bubble-frame.tsx";
import { UnsupportedBubble } from "../bubbles/unsupported-bubble.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { mediaLabel } from "../message-summary.ts";
import { pictureOf } from "../media/media-content.ts";
import { MediaPicture } from "../media/media-picture.tsx";
import { pictureBox } from "../media/picture-box.ts";
import { UploadRing } from "../media/upload-ring.tsx";
import { useMaxPicturePx } from "../media/use-max-picture.ts";
import type { MessageKind } from "./message-kind.ts";
import styles from "../media/media.module.css";

/** A picture. With a quote it is in a bubble, else it is one itself. */
function ImageBubble(props: BubbleProps) {
  const { chatKey, message } = props;
  const t = useText();
  const ui = useConversationUi();
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
        onOpen={() => ui.set({ viewer: { messageKey: message.key } })}
      >
        <span className={styles.centre}>
          <UploadRing chatKey={chatKey} message={message} isOnPicture />
        </span>
      </MediaPicture>
    </BubbleFrame>
  );
}

export const image: MessageKind = { Bubble: ImageBubble };
