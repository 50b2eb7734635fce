import { type ChangeEvent, type ClipboardEvent, useEffect, useId, useRef, useState } from "react";
import { File as FileIcon, Image, Paperclip, RotateCw, X } from "lucide-react";
import type { BroadcastFile } from "@parley/core/broadcast/broadcast-attachments";
import type { BroadcastAttachment } from "@parley/core/model/broadcast/broadcast";
import {
  BROADCAST_FILE_MAX_BYTES,
  BROADCAST_PICTURE_TYPES,
  isTextTooLong,
} from "@parley/core/model/broadcast/broadcast-draft";
import { fileSize } from "@parley/core/model/format";
import { DRAFT_FILES_MAX } from "@parley/core/model/uploads/draft-files";
import { MessageType } from "@parley/protocol/codes";
import { TEXT_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { useLocale, useText } from "../../kit/i18n/i18n.ts";
import { EmoticonTool } from "../../kit/message-field/emoticon-tool.tsx";
import { fieldText } from "../../kit/message-field/field-text.ts";
import { MessageTextArea } from "../../kit/message-field/message-text-area.tsx";
import { useMessageField } from "../../kit/message-field/use-message-field.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { useFileDrag } from "../../kit/forms/use-file-drag.ts";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_16, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Overlay, Row, Stack, Text } from "../../ui/layout.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./broadcast.module.css";

/** The counter is shown from this fraction of the limit on, as in the composer. */
const COUNT_FROM = 0.8;

/** The text of a broadcast, with buttons that add emoticons, pictures and files. Pasted files are added too. */
export function MessageField({ text }: { text: string }) {
  const t = useText();
  const locale = useLocale();
  const client = useClient();
  const id = useId();
  const messageField = useMessageField(text);
  const [isPickerOpen, setPickerOpen] = useState(false);
  const pictures = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const length = countCodePoints(text.trim());
  const isTooLong = isTextTooLong(text);
  const attach = useAttach();
  const inputProps = (type: AttachmentType) => ({
    type: "file",
    hidden: true,
    multiple: true,
    onChange(event: ChangeEvent<HTMLInputElement>) {
      const chosen = [...(event.currentTarget.files ?? [])];
      // So that the same file can be chosen again.
      event.currentTarget.value = "";
      attach(chosen, () => type);
    },
  });
  const pasteFiles = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    attach(pasted, typeOfFile);
  };
  return (
    <Stack grow className={classNames(styles.box, isTooLong && styles.wrong)}>
      <label htmlFor={id} className="visually-hidden">
        {t("broadcast.text")}
      </label>
      <MessageTextArea
        className={styles.text}
        messageField={messageField}
        counterId={`${id}-count`}
        attributes={{ id, placeholder: t("broadcast.placeholder"), onPasteCapture: pasteFiles }}
        onChanged={() => {
          if (messageField.field.current !== null)
            client.broadcast.setText(fieldText(messageField.field.current));
        }}
      />
      <Row shrink={false} className={styles.tools}>
        <EmoticonTool
          isOpen={isPickerOpen}
          onOpenChange={setPickerOpen}
          onPick={messageField.insert}
          onReturnFocus={messageField.resume}
        />
        <IconButton
          label={t("broadcast.addPicture")}
          size={36}
          tooltipSide="top"
          onClick={() => pictures.current?.click()}
        >
          <Image {...ICON_PROPS} />
        </IconButton>
        <IconButton
          label={t("broadcast.addFile")}
          size={36}
          tooltipSide="top"
          onClick={() => files.current?.click()}
        >
          <Paperclip {...ICON_PROPS} />
        </IconButton>
        <Row
          as="span"
          grow
          wrap
          justify="end"
          size={12}
          tone="tertiary"
          textAlign="end"
          className={styles.toolsEnd}
        >
          <Text as="output" id={`${id}-count`} tone={isTooLong ? "danger" : undefined}>
            {length >= TEXT_MAX * COUNT_FROM &&
              t("chat.length", {
                length: length.toLocaleString(locale),
                max: TEXT_MAX.toLocaleString(locale),
              })}
          </Text>
          <span>{t("broadcast.limit", { max: SIZE_TEXT })}</span>
        </Row>
      </Row>
      <input
        {...inputProps(MessageType.IMAGE)}
        ref={pictures}
        accept={PICTURE_ACCEPT}
        data-attach="picture"
      />
      <input {...inputProps(MessageType.FILE)} ref={files} data-attach="file" />
    </Stack>
  );
}

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
    <Row as="li" gap={8} className={styles.attachment} data-status={status}>
      <Preview attachment={attachment} />
      <Stack grow>
        <Text as="bdi" truncate size={13} line={20}>
          {name}
        </Text>
        <StatusLine attachment={attachment} />
      </Stack>
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
    </Row>
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
        <Text size={12} line={16} tone="tertiary" className={styles.status}>
          {t("broadcast.uploading", {
            percent: Math.min(1, part).toLocaleString(locale, { style: "percent" }),
          })}
        </Text>
      );
    case "success":
      return (
        <Text size={12} line={16} tone="success" className={styles.status}>
          {t("broadcast.uploaded", { size: fileSize(size) })}
        </Text>
      );
    case "failed":
      return (
        <Text size={12} line={16} tone="danger" className={styles.status} role="alert">
          {t("broadcast.uploadFailed", {
            reason: failure === null ? t("failure.unknown") : failureText(failure, t),
          })}
        </Text>
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

/** Lies over the panes while files are dragged, and adds those that are dropped on it to the draft. */
export function DropTarget() {
  const t = useText();
  const attach = useAttach();
  const over = useFileDrag<"broadcast">({
    zoneAt: (target) => (target?.closest("[data-broadcast-drop]") == null ? "none" : "broadcast"),
    drop({ files, hasFolder }) {
      if (hasFolder) toasts.error(t("attach.folder"));
      if (files.length > 0) attach(files, typeOfFile);
    },
  });
  if (over === null) return null;
  return (
    <Overlay
      align="center"
      justify="center"
      gap={4}
      padding={16}
      tone="secondary"
      textAlign="center"
      className={styles.drop}
      data-over={over === "broadcast"}
    >
      <Paperclip {...ICON_PROPS_24} />
      <Text as="strong" size={16} weight="title" marginTop={8}>
        {t("broadcast.drop")}
      </Text>
      <Text size={13}>{t("broadcast.limit", { max: SIZE_TEXT })}</Text>
    </Overlay>
  );
}

/** The types of pictures, as a file input takes them. */
const PICTURE_ACCEPT = "image/jpeg,image/png,image/webp,image/gif";

/** The largest attachment, as texts name it. */
const SIZE_TEXT = `${BROADCAST_FILE_MAX_BYTES / 1024 / 1024} MB`;

/** As what a file is attached. */
type AttachmentType = BroadcastFile["type"];

/** A pasted or dropped picture of an allowed type is a picture, anything else a file. */
function typeOfFile({ type }: File): AttachmentType {
  return PICTURE_ACCEPT.split(",").includes(type) ? MessageType.IMAGE : MessageType.FILE;
}

/** Returns the function that adds files to the draft and says what is wrong with those that are not allowed (spec §5). */
function useAttach() {
  const t = useText();
  const client = useClient();
  return (chosen: readonly File[], typeOf: (file: File) => AttachmentType) => {
    const problems = client.broadcast.attach(
      chosen.map((file) => ({ file, type: typeOf(file), name: file.name, mimeType: file.type })),
    );
    for (const problem of new Set(problems)) {
      switch (problem) {
        case "type":
          toasts.error(t("upload.type", { types: BROADCAST_PICTURE_TYPES }));
          break;
        case "tooLarge":
          toasts.error(t("upload.tooLarge", { max: fileSize(BROADCAST_FILE_MAX_BYTES) }));
          break;
        case "empty":
          toasts.error(t("attach.empty"));
          break;
        case "tooMany":
          toasts.error(t("attach.tooMany", { max: DRAFT_FILES_MAX }));
          break;
        default:
          problem satisfies never;
      }
    }
  };
}
