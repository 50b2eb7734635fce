import type { CSSProperties } from "react";
import { Download } from "lucide-react";
import { fileSize } from "@parley/core/model/format";
import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../../kit/use-client.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { BubbleFrame, type BubbleProps, UnsupportedBubble } from "../bubbles/bubble-frame.tsx";
import { downloadMedia } from "../media/media-files.ts";
import { FileIcon, FileNameText, nameWidth } from "../media/file-name.tsx";
import { fileOf, type SharedFile } from "../media/media-content.ts";
import { isUploading, UploadRing } from "../media/upload-ring.tsx";
import type { MessageKind } from "./lazy-kinds.tsx";
import styles from "../media/media.module.css";

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
