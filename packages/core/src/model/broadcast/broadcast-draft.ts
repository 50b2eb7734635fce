import { MessageType } from "@parley/protocol/codes";
import { TEXT_MAX } from "@parley/protocol/limits";
import { countCodePoints, isVisible } from "@parley/protocol/text";
import { DRAFT_FILES_MAX } from "../uploads/draft-files.ts";
import type { BroadcastAttachment, BroadcastDraft, BroadcastPart } from "./broadcast.ts";

/** The largest picture or file of a broadcast, in bytes (spec §9). */
export const BROADCAST_FILE_MAX_BYTES = 10_485_760;
/** The types of pictures, as the message names them (spec §5). */
export const BROADCAST_PICTURE_TYPES = "jpeg, png, jpg, webp, gif";

const PICTURE_MIME_TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/gif"];

/** What is wrong with a file that the person has chosen; null for nothing. */
export type AttachmentProblem = "type" | "tooLarge" | "empty" | "tooMany";

/** Checks a chosen file against the rules of spec §5. Files may have any type. */
export function attachmentProblem(
  draft: BroadcastDraft,
  file: Pick<BroadcastAttachment, "type" | "size" | "mimeType">,
): AttachmentProblem | null {
  if (file.type === MessageType.IMAGE && !PICTURE_MIME_TYPES.includes(file.mimeType)) return "type";
  if (file.size > BROADCAST_FILE_MAX_BYTES) return "tooLarge";
  if (file.size === 0) return "empty";
  return draft.attachments.length >= DRAFT_FILES_MAX ? "tooMany" : null;
}

/** Changes one attachment; an attachment that is no longer there is not added again. */
export function withAttachment(
  draft: BroadcastDraft,
  id: string,
  change: Partial<BroadcastAttachment>,
): BroadcastDraft {
  const attachments = draft.attachments.map((one) => (one.id === id ? { ...one, ...change } : one));
  return { ...draft, attachments };
}

/** The messages that each recipient gets: the trimmed text unless it is blank, then the attachments that are uploaded (spec §5). */
export function partsOf({ text, attachments }: BroadcastDraft): readonly BroadcastPart[] {
  const trimmed = text.trim();
  return [
    ...(!isVisible(trimmed) ? [] : [{ type: MessageType.TEXT, content: trimmed }]),
    ...attachments.flatMap(({ type, content, status }) => (status === "success" ? [{ type, content }] : [])),
  ];
}

/**
 * Whether the draft can be sent to these friends: at least one of them, and a text or an uploaded attachment (spec §5). While an upload
 * runs it cannot, because what is not uploaded would silently be left out.
 */
export function canSendDraft(draft: BroadcastDraft, userIds: readonly number[]): boolean {
  const isUploading = draft.attachments.some(({ status }) => status === "uploading");
  return userIds.length > 0 && !isUploading && !isTextTooLong(draft.text) && partsOf(draft).length > 0;
}

/** Whether the text is longer than a message may be. Lengths count code points. */
export function isTextTooLong(text: string): boolean {
  return countCodePoints(text.trim()) > TEXT_MAX;
}
