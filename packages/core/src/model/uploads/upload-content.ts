import { MessageType } from "@parley/protocol/codes";
import type { ImageUpload, VideoUpload } from "@parley/protocol/entities";
import { FILE_NAME_MAX } from "@parley/protocol/limits";
import { isVisible, isWellFormed, visibleFileName } from "@parley/protocol/text";
import type { PendingUpload } from "../state.ts";

/** The content of a message whose files are uploaded: what the server answered, and what only the sender knows (protocol §6). */

/** What the server has of the files of a message. */
export type Uploaded =
  | { readonly type: typeof MessageType.IMAGE; readonly answer: ImageUpload }
  | { readonly type: typeof MessageType.VIDEO; readonly answer: VideoUpload }
  | { readonly type: typeof MessageType.FILE | typeof MessageType.AUDIO; readonly answer: string };

/** The content as JSON. */
export function uploadedContent(uploaded: Uploaded, upload: PendingUpload): string {
  return JSON.stringify(fieldsOf(uploaded, upload));
}

function fieldsOf(uploaded: Uploaded, { name, size, duration, wave }: PendingUpload): object {
  switch (uploaded.type) {
    case MessageType.IMAGE: {
      const { originUrl, thumbUrl, width, height, placeholder } = uploaded.answer;
      return { originUrl, thumbUrl, width, height, ...(placeholder !== undefined && { placeholder }) };
    }
    case MessageType.VIDEO: {
      const { videoUrl, coverUrl, width, height, placeholder } = uploaded.answer;
      return {
        videoUrl,
        coverUrl,
        width,
        height,
        ...(placeholder !== undefined && { placeholder }),
        ...(duration !== null && { duration }),
      };
    }
    case MessageType.FILE:
      return { name: sentFileName(name), size, url: uploaded.answer };
    case MessageType.AUDIO:
      return { duration: duration ?? 0, url: uploaded.answer, ...(wave !== null && { wave }) };
    default:
      return uploaded satisfies never;
  }
}

/** Longer endings are not an extension. */
const EXTENSION = /\.[^.]{1,16}$/u;

/** The name of a file as it is sent: without what no store can hold, and shortened before its extension. */
export function sentFileName(name: string): string {
  const letters = [...(isVisible(name) ? name : visibleFileName(name))].filter((letter) =>
    isWellFormed(letter),
  );
  if (letters.length <= FILE_NAME_MAX) return letters.join("");
  const extension = [...(EXTENSION.exec(letters.join(""))?.[0] ?? "")];
  return [...letters.slice(0, FILE_NAME_MAX - extension.length), ...extension].join("");
}
