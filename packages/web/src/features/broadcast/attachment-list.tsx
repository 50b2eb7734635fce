import { useEffect, useRef } from "react";
import { File as FileIcon, RotateCw, X } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import type { BroadcastAttachment } from "@parley/core/model/broadcast/broadcast";
import { fileSize } from "@parley/core/model/format";
import { failureText } from "../../kit/failure-text.ts";
import { useLocale, useText } from "../../kit/i18n.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./broadcast.module.css";

/** The attachments with the state of their uploads, in the order in which they are sent. */
export function AttachmentList({ attachments }: { attachments: readonly BroadcastAttachment[] }) {
  const t = useText();
  return (
    <ul className={styles.attachments} aria-label={t("broadcast.attachments")}>
      {attachments.map((attachment) => (
        <Attachment key={attachment.id} attachment={attachment} />
      ))}
    </ul>
  );
}

function Attachment({ attachment }: { attachment: BroadcastAttachment }) {
  const t = useText();
  const { broadcast } = useClient();
  const { id, name, status } = attachment;
  return (
    <li className={styles.attachment} data-status={status}>
      <Preview attachment={attachment} />
      <div className={styles.lines}>
        <bdi className={styles.fileName}>{name}</bdi>
        <StatusLine attachment={attachment} />
      </div>
      {status === "uploading" && <Spinner size={16} />}
      {status === "failed" && (
        <IconButton
          label={t("broadcast.retryUpload", { name })}
          size={28}
          onClick={() => broadcast.retryAttachment(id)}
        >
          <RotateCw {...ICON_PROPS_16} />
        </IconButton>
      )}
      <IconButton
        label={t("attach.remove", { name })}
        size={28}
        hasTooltip={false}
        onClick={() => broadcast.removeAttachment(id)}
      >
        <X {...ICON_PROPS_16} />
      </IconButton>
    </li>
  );
}

function StatusLine({ attachment }: { attachment: BroadcastAttachment }) {
  const t = useText();
  const locale = useLocale();
  const { id, size, status, failure } = attachment;
  const progress = useClientState((state) => state.uploads[id]);
  const part =
    progress === undefined || progress.totalBytes === 0 ? 0 : progress.sentBytes / progress.totalBytes;
  switch (status) {
    case "uploading":
      return (
        <span className={styles.status}>
          {t("broadcast.uploading", {
            percent: Math.min(1, part).toLocaleString(locale, { style: "percent" }),
          })}
        </span>
      );
    case "success":
      return (
        <span className={classNames(styles.status, styles.ok)}>
          {t("broadcast.uploaded", { size: fileSize(size) })}
        </span>
      );
    case "failed":
      return (
        <span className={classNames(styles.status, styles.problem)} role="alert">
          {t("broadcast.uploadFailed", {
            reason: failure === null ? t("failure.unknown") : failureText(failure, t),
          })}
        </span>
      );
    default:
      return status satisfies never;
  }
}

/** The picture itself, or the extension of a file. */
function Preview({ attachment: { id, type, name } }: { attachment: BroadcastAttachment }) {
  const { broadcast } = useClient();
  const file = type === MessageType.IMAGE ? broadcast.attachedFile(id) : undefined;
  if (file instanceof Blob) return <Picture file={file} />;
  const extension = /\.([a-z\d]{1,4})$/i.exec(name)?.[1]?.toUpperCase();
  return <span className={styles.preview}>{extension ?? <FileIcon {...ICON_PROPS} />}</span>;
}

function Picture({ file }: { file: Blob }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (image.current !== null) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return <img ref={image} className={styles.preview} alt="" />;
}
