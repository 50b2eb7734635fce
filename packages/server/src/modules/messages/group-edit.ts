/** Changing the text of an own message in a group: the row itself, and a stored event (7) that tells of it. */
import { Refusal, malformed } from "../../ports/call.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/groups.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored.ts";
import { quotedRow } from "../../rules/messages.ts";
import { readText } from "./contents.ts";
import { editTime, refuseEdit } from "./edit.ts";
import { refuseUnlessIn } from "./rooms.ts";

export interface GroupEditDeps {
  store: Pick<Store, "write">;
  /** How long a text may be edited. */
  editSeconds: number;
}

/** Stores the event and changes the row of `targetId`; a tmpId that is known changes nothing. */
export type GroupEdit = (
  event: NewGroupMessage,
  targetId: number | null | undefined,
) => Promise<Appended<GroupMessageRow>>;

export function createGroupEdit({ store, editSeconds }: GroupEditDeps): GroupEdit {
  return async (event, targetId) => {
    if (!targetId) throw malformed("quoteMessageId", "is missing");
    const content = readText(event.content);
    return store.write(async (tx) => {
      await refuseUnlessIn(tx, event.groupId, event.sendId);
      const target = await tx.findVisibleGroupMessage(event.sendId, targetId);
      if (target === undefined || target.groupId !== event.groupId) throw new Refusal("message.notFound");
      refuseEdit(target, event, editSeconds);
      const edit = await tx.appendGroup({
        ...event,
        content,
        sendTime: editTime(target, event),
        quote: { ...quotedRow(target), content },
      });
      const { row } = edit;
      if (edit.isNew) await tx.editGroup({ id: targetId, eventId: row.id, content, editedAt: row.sendTime });
      // Who has hidden the message is not shown its new text either, but where others quote it.
      return { ...edit, except: await tx.listGroupHiders(targetId) };
    });
  };
}
