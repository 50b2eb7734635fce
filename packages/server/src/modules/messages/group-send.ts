/** Sending to a group: one row and one frame, however many members there are. */
import { MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import type { sendGroupMessage } from "@parley/protocol/endpoints/group-messages";
import { RECEIPT_MEMBERS_MAX } from "@parley/protocol/limits";
import type { Delivery } from "../../delivery.ts";
import { type Actor, type Handlers, type Limits, Refusal } from "../../ports/call.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/groups.ts";
import type { Language } from "../../ports/language.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored.ts";
import { isForAll, quotedRow } from "../../rules/messages.ts";
import { createContents } from "./contents.ts";
import { createGroupEdit } from "./group-edit.ts";
import { createGroupTelling } from "./group-telling.ts";
import { knownInstead } from "./repeats.ts";
import { type Room, type Rooms, refuseUnlessIn, refuseUnlessMay } from "./rooms.ts";
import { createShakes } from "./shakes.ts";

export interface GroupSendDeps {
  store: Store;
  delivery: Delivery;
  limits: Limits;
  rooms: Rooms;
  defaultLanguage: Language;
  isMoneyAllowed: boolean;
  /** How long a text may be edited. */
  editSeconds: number;
}

type Body = BodyOf<typeof sendGroupMessage>;

const EVERYONE = -1;

export function createGroupSend(deps: GroupSendDeps): Pick<Handlers, "sendGroupMessage"> {
  const { store, limits, rooms } = deps;
  const readContent = createContents(deps);
  const shake = createShakes();
  const edit = createGroupEdit(deps);
  const { tellNew, asItStands } = createGroupTelling(deps);

  /** Checks everything, then stores; answers the row that was there before for a tmpId that is known. As in `send.ts`, no promise too many. */
  function append(actor: Actor, body: Body, now: number): Promise<Appended<GroupMessageRow>> {
    const content = body.type === MessageType.EDIT ? body.content : readContent(body.type, body.content);
    const room = rooms.find(body.groupId);
    if (typeof content === "string" && !(room instanceof Promise)) {
      return appendChecked(actor.userId, body, now, content, room);
    }
    return Promise.all([content, room]).then(([read, found]) =>
      appendChecked(actor.userId, body, now, read, found),
    );
  }

  function appendChecked(
    me: number,
    body: Body,
    now: number,
    content: string,
    room: Room | undefined,
  ): Promise<Appended<GroupMessageRow>> {
    if (room === undefined) throw new Refusal("group.notFound");
    const isEdit = body.type === MessageType.EDIT;
    const sender = refuseUnlessMay(isEdit ? "edit" : "speak", room, me);
    const message: NewGroupMessage = {
      tmpId: body.tmpId || null,
      type: body.type,
      groupId: body.groupId,
      sendId: me,
      sendRole: sender.role,
      sendNickName: sender.name,
      content,
      sendTime: now,
    };
    if (isEdit) return edit(message, body.quoteMessageId);
    message.atUserIds = readMentions(body, room, me);
    message.receipt = readReceipt(body, room, me);
    const write = () =>
      body.quoteMessageId ? appendQuoting(message, body.quoteMessageId) : store.appendGroup(message);
    return body.type === MessageType.SHAKE ? shake(me, String(body.groupId), now, write) : write();
  }

  /** The quoted row is read in the transaction that appends: a recall beside it cannot slip its text through. */
  function appendQuoting(message: NewGroupMessage, quoteId: number): Promise<Appended<GroupMessageRow>> {
    return store.write(async (tx) => {
      await refuseUnlessIn(tx, message.groupId, message.sendId);
      const isSeen = (await tx.findVisibleGroupMessage(message.sendId, quoteId)) !== undefined;
      // As it stands now, whatever its sender was there for: that is for the telling.
      const quoted = isSeen ? await tx.findGroupMessage(quoteId) : undefined;
      if (quoted === undefined || quoted.groupId !== message.groupId || !isForAll(quoted))
        throw new Refusal("message.quoteUnknown");
      return tx.appendGroup({ ...message, quote: quotedRow(quoted) });
    });
  }

  return {
    async sendGroupMessage({ actor, body, now, language }) {
      limits.takeSend(actor.userId, now);
      let sent: Appended<GroupMessageRow>;
      try {
        sent = await append(actor, body, now);
      } catch (error) {
        // Asked behind the writes under way: the first one may be among them.
        sent = await knownInstead(error, body.tmpId, (tmpId) =>
          store.write((tx) => tx.findGroupMessageByTmpId(actor.userId, tmpId)),
        );
      }
      return sent.isNew ? tellNew(actor, sent, language) : asItStands(sent.row, language);
    },
  };
}

/** Members only, each once; everyone only by those who lead the group. */
function readMentions({ atUserIds }: Body, room: Room, me: number): readonly number[] {
  const ids = [...new Set(atUserIds ?? [])];
  for (const id of ids) {
    if (id === EVERYONE) refuseUnlessMay("mentionAll", room, me);
    else if (room.members.get(id)?.quit !== false) throw new Refusal("message.mentionUnknown");
  }
  return ids;
}

function readReceipt({ receipt }: Body, room: Room, me: number): boolean {
  if (receipt !== true) return false;
  refuseUnlessMay("askReceipt", room, me);
  if (room.memberIds.length > RECEIPT_MEMBERS_MAX) {
    throw new Refusal("message.receiptTooMany", { max: RECEIPT_MEMBERS_MAX });
  }
  return true;
}
