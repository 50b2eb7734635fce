import { useId, useRef, useState } from "react";
import type { ChangeEvent, ClipboardEvent } from "react";
import { Image, Paperclip } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { TEXT_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { isTextTooLong } from "@parley/core/model/broadcast/broadcast-draft";
import { useLocale, useText } from "../../kit/i18n.ts";
import { EmoticonTool } from "../../kit/message-field/emoticon-tool.tsx";
import { fieldText } from "../../kit/message-field/field-text.ts";
import { MessageTextArea } from "../../kit/message-field/message-text-area.tsx";
import { useMessageField } from "../../kit/message-field/use-message-field.ts";
import { useClient } from "../../kit/use-client.ts";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { type AttachmentType, PICTURE_ACCEPT, SIZE_TEXT, typeOfFile, useAttach } from "./use-attach.ts";
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
    <div className={classNames(styles.box, isTooLong && styles.wrong)}>
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
      <div className={styles.tools}>
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
