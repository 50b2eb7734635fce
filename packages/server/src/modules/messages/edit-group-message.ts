/** Edits one's own text in a group: changes the row and stores an event (7) for the members. */
import { ApiError, malformedField } from "../../calls/api-error.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import { quotedRow } from "../../presenters/message-presenter.ts";
import { validateText } from "./message-content.ts";
import { editTime, authorizeEdit } from "./edit-private-message.ts";
import { requireMembership } from "./group-cache.ts";

export interface EditGroupMessageDeps {
  store: Pick<Store, "write">;
  /** How long a text may be edited. */
  editSeconds: number;
}

/** Stores the event and changes the row of `targetId`. A known tmpId changes nothing. */
export type EditGroupMessage = (
  event: NewGroupMessage,
  targetId: number | null | undefined,
) => Promise<Appended<GroupMessageRow>>;

export function createEditGroupMessage({ store, editSeconds }: EditGroupMessageDeps): EditGroupMessage {
  return async (event, targetId) => {
    if (!targetId) throw malformedField("quoteMessageId", "is missing");
    const content = validateText(event.content);
    return store.write(async (tx) => {
      await requireMembership(tx, event.groupId, event.sendId);
      const target = await tx.findVisibleGroupMessage(event.sendId, targetId);
      if (target === undefined || target.groupId !== event.groupId) throw new ApiError("message.notFound");
      authorizeEdit(target, event, editSeconds);
      const edit = await tx.appendGroup({
        ...event,
        content,
        sendTime: editTime(target, event),
        quote: { ...quotedRow(target), content },
      });
      const { row } = edit;
      if (edit.isNew) await tx.editGroup({ id: targetId, eventId: row.id, content, editedAt: row.sendTime });
      // Members who have hidden the message do not get the new text either, unless they see it quoted.
      return { ...edit, except: await tx.listGroupHiders(targetId) };
    });
  };
}
