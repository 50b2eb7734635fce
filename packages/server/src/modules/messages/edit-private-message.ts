/** Edits one's own text in a private chat: changes the row and stores an event (7) for both sides. */
import { MessageType } from "@parley/protocol/codes";
import { ApiError, malformedField } from "../../calls/api-error.ts";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import { isOfChat, quotedRow } from "../../presenters/message-presenter.ts";
import { validateText } from "./message-content.ts";

const MINUTE_SECONDS = 60;

export interface EditPrivateMessageDeps {
  store: Store;
  /** How long a text may be edited. */
  editSeconds: number;
}

/** Stores the event and changes the row of `targetId`. A known tmpId changes nothing. */
export type EditPrivateMessage = (
  event: NewPrivateMessage,
  targetId: number | null | undefined,
) => Promise<Appended<PrivateRow>>;

export function createEditPrivateMessage({ store, editSeconds }: EditPrivateMessageDeps): EditPrivateMessage {
  return async (event, targetId) => {
    if (!targetId) throw malformedField("quoteMessageId", "is missing");
    const content = validateText(event.content);
    return store.write(async (tx) => {
      const target = await tx.findVisiblePrivate(event.sendId, targetId);
      if (target === undefined || !isOfChat(target, event)) throw new ApiError("message.notFound");
      authorizeEdit(target, event, editSeconds);
      // A receiver who has hidden or cleared the message does not get the new text either, unless they see it quoted.
      const isVisibleToReceiver =
        (await tx.findVisiblePrivate(event.recvId, targetId)) !== undefined ||
        (await tx.seesPrivateQuote(event.recvId, event.sendId, targetId));
      const appended = await tx.appendPrivate({
        ...event,
        ...(!isVisibleToReceiver && { onlyFor: event.sendId }),
        content,
        sendTime: editTime(target, event),
        quote: { ...quotedRow(target), content },
      });
      const { row, isNew } = appended;
      if (isNew) await tx.editPrivate({ id: targetId, eventId: row.id, content, editedAt: row.sendTime });
      return appended;
    });
  };
}

type EditableMessage = Pick<PrivateRow, "sendId" | "type" | "noticeId" | "sendTime" | "editedAt">;
type EditEvent = Pick<NewPrivateMessage, "sendId" | "sendTime">;

/** Throws unless the message is the sender's own text, not recalled, and recent enough. */
export function authorizeEdit(target: EditableMessage, event: EditEvent, editSeconds: number): void {
  const isEditable =
    target.sendId === event.sendId && target.type === MessageType.TEXT && target.noticeId === null;
  if (!isEditable) throw new ApiError("message.notEditable");
  if (event.sendTime - target.sendTime > editSeconds * 1_000) {
    throw new ApiError("message.editTooLate", { minutes: Math.ceil(editSeconds / MINUTE_SECONDS) });
  }
}

/** The time of the edit. Clients keep the later of two edits, so no two edits of a message may have the same time. */
export function editTime(target: EditableMessage, event: EditEvent): number {
  return Math.max(event.sendTime, (target.editedAt ?? 0) + 1);
}
