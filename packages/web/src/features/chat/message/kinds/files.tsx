import type { CSSProperties, ReactNode } from "react";
import { Download, Play } from "lucide-react";
import { fileSize, playTime } from "@parley/core/model/format";
import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../../kit/loading/lazy-component.tsx";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { ICON_PROPS, ICON_PROPS_24 } from "../../../../ui/icon-props.ts";
import { BubbleFrame, type BubbleProps, UnsupportedBubble } from "../bubbles/bubble-frame.tsx";
import { FileIcon, FileNameText, nameWidth } from "../media/file-name.tsx";
import { fileOf, pictureOf, type SharedFile, videoSeconds, voiceOf } from "../media/media-content.ts";
import { downloadMedia, openViewer } from "../media/media-files.ts";
import { MediaPicture } from "../media/pictures.tsx";
import { pictureBox, useMaxPicturePx } from "../media/picture-box.ts";
import { isUploading, UploadRing } from "../media/upload-ring.tsx";
import { mediaLabel } from "../message-summary.ts";
import type { MessageKind } from "./kinds.tsx";
import styles from "../media/media.module.css";

const VoiceLine = lazyComponent(() => import("../voice/voice-controls.tsx").then((part) => part.VoiceLine));

export const image: MessageKind = { Bubble: PictureBubble };
export const video: MessageKind = { Bubble: VideoBubble };

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

/** A voice message. Its player is a file of its own, loaded when the first one is shown. */
function VoiceBubble(props: BubbleProps) {
  const voice = voiceOf(props.message);
  if (voice === null) return <UnsupportedBubble {...props} />;
  const box = <span className={styles.voiceBox} />;
  return (
    <BubbleFrame {...props} variant="voice">
      <VoiceLine chatKey={props.chatKey} message={props.message} voice={voice} waiting={box} />
    </BubbleFrame>
  );
}

export const audio: MessageKind = { Bubble: VoiceBubble };

/** A file: a click downloads it. */
function FileBubble(props: BubbleProps) {
  const { chatKey, message } = props;
  const t = useText();
  const client = useClient();
  const file = fileOf(message);
  if (file === null) return <UnsupportedBubble {...props} />;
  return (
    <BubbleFrame {...props} variant="file">
      <span className={styles.file} style={{ "--name-width": nameWidth(file.name) } as CSSProperties}>
        <button
          type="button"
          className={styles.fileOpen}
          aria-label={t("media.downloadFile", { name: file.name, size: fileSize(file.size) })}
          disabled={file.url === null}
          data-searched
          onClick={() => downloadMedia(client, message)}
        >
          <FileIcon name={file.name} />
          <span className={styles.fileText}>
            <FileNameText name={file.name} /> <SizeText message={message} file={file} />
          </span>
          {file.url !== null && (
            <span className={styles.fileIcon}>
              <Download {...ICON_PROPS} />
            </span>
          )}
        </button>
        <UploadRing chatKey={chatKey} message={message} />
      </span>
    </BubbleFrame>
  );
}

/** The size, and while it is being uploaded how much of it is. */
function SizeText({ message, file }: { message: ChatMessage; file: SharedFile }) {
  const { tmpId } = message;
  const sent = useClientState((state) => (tmpId === null ? undefined : state.uploads[tmpId]?.sentBytes));
  const size = fileSize(file.size);
  return (
    <span className={styles.fileSize}>
      {sent !== undefined && isUploading(message) ? `${fileSize(Math.min(sent, file.size))} / ${size}` : size}
    </span>
  );
}

export const file: MessageKind = { Bubble: FileBubble };
