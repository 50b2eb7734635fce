import { useId, useRef } from "react";
import type { ChangeEvent, ClipboardEvent } from "react";
import { Image, Paperclip } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { TEXT_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import type { BroadcastFile } from "@parley/core/client-api";
import {
  BROADCAST_FILE_MAX_BYTES,
  BROADCAST_PICTURE_TYPES,
  isTextTooLong,
} from "@parley/core/model/broadcast/broadcast-draft";
import { fileSize } from "@parley/core/model/format";
import { DRAFT_FILES_MAX } from "@parley/core/model/uploads/draft-files";
import { useLocale, useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient } from "../../kit/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import styles from "./broadcast.module.css";

/** The counter is shown from this fraction of the limit on, as in the composer. */
const COUNT_FROM = 0.8;
const PICTURE_ACCEPT = "image/jpeg,image/png,image/webp,image/gif";

type AttachmentType = BroadcastFile["type"];

/** The text of a broadcast, with buttons that add pictures and files. Pasted files are added too. */
export function MessageField({ text }: { text: string }) {
  const t = useText();
  const locale = useLocale();
  const client = useClient();
  const id = useId();
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
  return (
    <div className={classNames(styles.box, isTooLong && styles.wrong)}>
      <label htmlFor={id} className="visually-hidden">
        {t("broadcast.text")}
      </label>
      <textarea
        id={id}
        className={styles.text}
        value={text}
        placeholder={t("broadcast.placeholder")}
        aria-invalid={isTooLong || undefined}
        aria-describedby={`${id}-count`}
        onChange={(event) => client.broadcast.setText(event.currentTarget.value)}
        onPaste={(event: ClipboardEvent) => {
          const pasted = [...event.clipboardData.files];
          if (pasted.length === 0) return;
          event.preventDefault();
          attach(pasted, pastedType);
        }}
      />
      <div className={styles.tools}>
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
        <span className={styles.toolsEnd}>
          <output id={`${id}-count`} className={classNames(isTooLong && styles.problem)}>
            {length >= TEXT_MAX * COUNT_FROM &&
              t("chat.length", {
                length: length.toLocaleString(locale),
                max: TEXT_MAX.toLocaleString(locale),
              })}
          </output>
          <span>{t("broadcast.limit", { max: SIZE_TEXT })}</span>
        </span>
      </div>
      <input
        {...inputProps(MessageType.IMAGE)}
        ref={pictures}
        accept={PICTURE_ACCEPT}
        data-attach="picture"
      />
      <input {...inputProps(MessageType.FILE)} ref={files} data-attach="file" />
    </div>
  );
}

const SIZE_TEXT = `${BROADCAST_FILE_MAX_BYTES / 1024 / 1024} MB`;

/** A pasted picture of an allowed type is a picture, anything else a file. */
function pastedType({ type }: File): AttachmentType {
  return PICTURE_ACCEPT.split(",").includes(type) ? MessageType.IMAGE : MessageType.FILE;
}

/** Adds files to the draft; says what is wrong with those that are not allowed (spec §5). */
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
