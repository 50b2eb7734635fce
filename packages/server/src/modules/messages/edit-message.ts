/** Edits one's own text: changes the row and stores an event (7) for those who see it. */
import { type Delivery, tellOfChanges } from "../../delivery/delivery.ts";
import { kindOf } from "@parley/protocol/message";
import { ApiError, malformedField } from "../../api/api-error.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { Transactions } from "../../ports/store.ts";
import type { Appended, ChatKind } from "../../ports/stored-message.ts";
import { quotedRow } from "../../presenters/message-presenter.ts";
import type { NewOf, RowOf } from "../../ports/message-store.ts";
import type { ChatStrategy } from "./chat-strategy.ts";
import { validateText } from "./message-content.ts";
import type { MessagesTx } from "./messages-store.ts";

const MINUTE_SECONDS = 60;

export interface EditMessageDeps {
  store: Transactions<MessagesTx>;
  delivery: Pick<Delivery, "toUsers">;
  /** How long a text may be edited. */
  editSeconds(): number;
  /** How many characters a text may have. */
  textMax(): number;
}

/** Stores the event and changes the row of `targetId`. A known tmpId changes nothing. */
export type EditMessage<Kind extends ChatKind> = (
  event: NewOf<Kind>,
  targetId: number | null | undefined,
) => Promise<Appended<RowOf<Kind>>>;

export function createEditMessage<Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  { store, delivery, editSeconds, textMax }: EditMessageDeps,
): EditMessage<Kind> {
  return async (event, targetId) => {
    if (!targetId) throw malformedField("quoteMessageId", "is missing");
    const content = validateText(event.content, textMax());
    const { stored, savedBy } = await store.write(async (tx) => {
      const target = await chats.findEditTarget(tx, event, targetId);
      if (target === undefined) throw new ApiError("message.notFound");
      const age = await tx.messageAge(target, event.sendTime);
      const extra = (await tx.listExtras(event.sendId, [targetId])).get(targetId);
      // What people have voted on stays as it was.
      if (extra?.poll !== undefined) throw new ApiError("message.notEditable");
      authorizeEdit(target, event.sendId, editSeconds(), age);
      // Clients keep the later of two edits, so no two edits of a message may have the same time.
      const notBefore = (target.editedAt ?? 0) + 1;
      const quote = { ...quotedRow(target), content };
      const stored = await chats.appendEdit(tx, { ...event, content, notBefore, quote }, targetId);
      const { row, isNew } = stored;
      const edited = { id: targetId, eventId: row.id, content, editedAt: row.sendTime };
      return { stored, savedBy: isNew ? await tx.editMessage(edited) : [] };
    });
    tellOfChanges(delivery, savedBy);
    return stored;
  };
}

type EditableMessage = Pick<PrivateRow, "sendId" | "type" | "noticeId">;

/** Throws unless the message is a text of `sendId`, not recalled, and recent enough. */
export function authorizeEdit(
  target: EditableMessage,
  sendId: number,
  editSeconds: number,
  ageMs: number,
): void {
  const isEditable =
    target.sendId === sendId && kindOf(target.type)?.isEditable === true && target.noticeId === null;
  if (!isEditable) throw new ApiError("message.notEditable");
  if (ageMs > editSeconds * 1_000) {
    throw new ApiError("message.editTooLate", { minutes: Math.ceil(editSeconds / MINUTE_SECONDS) });
  }
}
