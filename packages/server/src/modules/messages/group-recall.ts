/** Taking a message of a group back: one's own for a while, a member's by those who lead the group at any time. */
import { GroupRole, MessageType } from "@parley/protocol/codes";
import { judgeGroupAction } from "@parley/protocol/group-rights";
import type { Delivery } from "../../delivery.ts";
import { type Handlers, Refusal } from "../../ports/call.ts";
import type { GroupMessageRow } from "../../ports/groups.ts";
import type { Language } from "../../ports/language.ts";
import type { Store, Tx } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored.ts";
import { groupState } from "../../rules/groups.ts";
import { tipSentence } from "../../rules/tips.ts";
import { createGroupTelling } from "./group-telling.ts";
import { isRecallable, refuseLate } from "./recall.ts";
import { type Room, type RoomMember, type Rooms, loadRoom, refuseUnlessMay } from "./rooms.ts";

export interface GroupRecallDeps {
  store: Store;
  delivery: Delivery;
  rooms: Rooms;
  defaultLanguage: Language;
  /** How long an own message can be recalled. */
  recallSeconds: number;
}

export function createGroupRecall(deps: GroupRecallDeps): Pick<Handlers, "recallGroupMessage"> {
  const { store, defaultLanguage, recallSeconds } = deps;
  const { tellNew, asItStands } = createGroupTelling(deps);

  /** Answers who recalls. */
  function refuseRecall(room: Room, me: number, target: GroupMessageRow, now: number): RoomMember {
    const isOwn = target.sendId === me;
    const role = room.members.get(target.sendId)?.role ?? GroupRole.MEMBER;
    const verdict = judgeGroupAction("recallOthers", room.members.get(me), groupState(room.group), { role });
    if (!isOwn && verdict === "noRight") throw new Refusal("message.notYours");
    const by = refuseUnlessMay(isOwn ? "recallOwn" : "recallOthers", room, me, { role });
    if (target.noticeId !== null) return by;
    if (!isRecallable(target)) throw new Refusal("message.notYours");
    // The owner's own ones are no exception from what the owner may do at any time.
    if (isOwn && verdict !== "ok") refuseLate(target, now, recallSeconds);
    return by;
  }

  async function recall(tx: Tx, me: number, id: number, now: number): Promise<Appended<GroupMessageRow>> {
    const target = await tx.findVisibleGroupMessage(me, id);
    if (target === undefined) throw new Refusal("message.notFound");
    const first = target.noticeId === null ? undefined : await noticeOf(tx, target.noticeId);
    // A repeat, whatever has become of the rights since.
    if (first !== undefined && (target.sendId === me || first.sendId === me))
      return { row: first, isNew: false };
    const room = await loadRoom(tx, target.groupId);
    if (room === undefined) throw new Error(`the group ${target.groupId} of a message is not there`);
    const by = refuseRecall(room, me, target, now);
    if (first !== undefined) return { row: first, isNew: false };
    const notice = await tx.appendGroup({
      tmpId: null,
      type: MessageType.RECALL,
      groupId: target.groupId,
      sendId: me,
      sendRole: by.role,
      sendNickName: by.name,
      content: String(id),
      sendTime: now,
    });
    const author = target.sendNickName;
    const tip =
      target.sendId === me
        ? ({ key: "recalled", params: { name: author } } as const)
        : ({ key: "recalledBy", params: { name: by.name, nameId: me, author } } as const);
    const content = tipSentence(tip.key, defaultLanguage, tip.params);
    await tx.recallGroup({ id, noticeId: notice.row.id, content, tip });
    return notice;
  }

  return {
    async recallGroupMessage({ actor, params, now, language }) {
      const notice = await store.write((tx) => recall(tx, actor.userId, params.id, now));
      return notice.isNew ? tellNew(actor, notice, language) : asItStands(notice.row, language);
    },
  };
}

async function noticeOf(tx: Tx, noticeId: number): Promise<GroupMessageRow> {
  const notice = await tx.findGroupMessage(noticeId);
  if (notice === undefined) throw new Error(`the notice ${noticeId} of a recall is not there`);
  return notice;
}
