/** Recalls a message of a group: one's own for a limited time, a member's by owner and admins at any time. */
import { GroupRole, MessageType } from "@parley/protocol/codes";
import { checkGroupAction } from "@parley/protocol/group-rights";
import type { Delivery } from "../../delivery.ts";
import { ApiError } from "../../calls/api-error.ts";
import type { Handlers } from "../../calls/call.ts";
import type { Language } from "../../calls/language.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { Store, Tx } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import { groupState } from "../../presenters/group-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import { createPublishGroupMessage } from "./publish-group-message.ts";
import { isRecallable, requireRecallWindow } from "./recall-private-message.ts";
import {
  type CachedGroup,
  type CachedMember,
  type GroupCache,
  loadGroup,
  authorizeInGroup,
} from "./group-cache.ts";

export interface RecallGroupMessageDeps {
  store: Store;
  delivery: Delivery;
  groupCache: GroupCache;
  defaultLanguage: Language;
  /** How long one's own message can be recalled. */
  recallSeconds: number;
}

export function createRecallGroupMessage(deps: RecallGroupMessageDeps): Pick<Handlers, "recallGroupMessage"> {
  const { store, defaultLanguage, recallSeconds } = deps;
  const { publish, viewCurrent } = createPublishGroupMessage(deps);

  /** Throws unless the recall is allowed. Returns the member who recalls. */
  function authorizeRecall(
    cached: CachedGroup,
    me: number,
    target: GroupMessageRow,
    now: number,
  ): CachedMember {
    const isOwn = target.sendId === me;
    const role = cached.members.get(target.sendId)?.role ?? GroupRole.MEMBER;
    const result = checkGroupAction("recallOthers", cached.members.get(me), groupState(cached.group), {
      role,
    });
    if (!isOwn && result === "noRight") throw new ApiError("message.notYours");
    const recaller = authorizeInGroup(isOwn ? "recallOwn" : "recallOthers", cached, me, { role });
    if (target.noticeId !== null) return recaller;
    if (!isRecallable(target)) throw new ApiError("message.notYours");
    // Somebody who may recall messages of others of the same role has no time limit for their own.
    if (isOwn && result !== "ok") requireRecallWindow(target, now, recallSeconds);
    return recaller;
  }

  async function recall(tx: Tx, me: number, id: number, now: number): Promise<Appended<GroupMessageRow>> {
    const target = await tx.findVisibleGroupMessage(me, id);
    if (target === undefined) throw new ApiError("message.notFound");
    const earlier = target.noticeId === null ? undefined : await findRecallEvent(tx, target.noticeId);
    // A repeated recall is answered even if the rights have changed since.
    if (earlier !== undefined && (target.sendId === me || earlier.sendId === me))
      return { row: earlier, isNew: false };
    const cached = await loadGroup(tx, target.groupId);
    if (cached === undefined) throw new Error(`the group ${target.groupId} of a message was not found`);
    const recaller = authorizeRecall(cached, me, target, now);
    if (earlier !== undefined) return { row: earlier, isNew: false };
    const event = await tx.appendGroup({
      tmpId: null,
      type: MessageType.RECALL,
      groupId: target.groupId,
      sendId: me,
      sendRole: recaller.role,
      sendNickName: recaller.name,
      content: String(id),
      sendTime: now,
    });
    const author = target.sendNickName;
    const tip =
      target.sendId === me
        ? ({ key: "recalled", params: { name: author } } as const)
        : ({ key: "recalledBy", params: { name: recaller.name, nameId: me, author } } as const);
    const content = tipSentence(tip.key, defaultLanguage, tip.params);
    await tx.recallGroup({ id, noticeId: event.row.id, content, tip });
    return event;
  }

  return {
    async recallGroupMessage({ actor, params, now, language }) {
      const event = await store.write((tx) => recall(tx, actor.userId, params.id, now));
      return event.isNew ? publish(actor, event, language) : viewCurrent(event.row, language);
    },
  };
}

async function findRecallEvent(tx: Tx, noticeId: number): Promise<GroupMessageRow> {
  const event = await tx.findGroupMessage(noticeId);
  if (event === undefined) throw new Error(`the recall event ${noticeId} was not found`);
  return event;
}
