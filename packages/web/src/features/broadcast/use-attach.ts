import { MessageType } from "@parley/protocol/codes";
import type { BroadcastFile } from "@parley/core/client-api";
import {
  BROADCAST_FILE_MAX_BYTES,
  BROADCAST_PICTURE_TYPES,
} from "@parley/core/model/broadcast/broadcast-draft";
import { fileSize } from "@parley/core/model/format";
import { DRAFT_FILES_MAX } from "@parley/core/model/uploads/draft-files";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient } from "../../kit/use-client.ts";

/** The types of pictures, as a file input takes them. */
export const PICTURE_ACCEPT = "image/jpeg,image/png,image/webp,image/gif";

/** The largest attachment, as texts name it. */
export const SIZE_TEXT = `${BROADCAST_FILE_MAX_BYTES / 1024 / 1024} MB`;

/** As what a file is attached. */
export type AttachmentType = BroadcastFile["type"];

/** A pasted or dropped picture of an allowed type is a picture, anything else a file. */
export function typeOfFile({ type }: File): AttachmentType {
  return PICTURE_ACCEPT.split(",").includes(type) ? MessageType.IMAGE : MessageType.FILE;
}

/** Returns the function that adds files to the draft and says what is wrong with those that are not allowed (spec §5). */
export function useAttach() {
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
