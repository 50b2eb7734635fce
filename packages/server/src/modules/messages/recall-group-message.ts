/** Taking a message of a group back: one's own for a while, a member's by those who lead the group at any time. */
import { GroupRole, MessageType } from "@parley/protocol/codes";
import { checkGroupAction } from "@parley/protocol/group-rights";
import type { Delivery } from "../../delivery.ts";
import { type Handlers, ApiError } from "../../ports/call.ts";
import type { GroupMessageRow } from "../../ports/group-store.ts";
import type { Language } from "../../ports/language.ts";
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
  /** How long an own message can be recalled. */
  recallSeconds: number;
}

export function createRecallGroupMessage(deps: RecallGroupMessageDeps): Pick<Handlers, "recallGroupMessage"> {
  const { store, defaultLanguage, recallSeconds } = deps;
  const { publish, viewCurrent } = createPublishGroupMessage(deps);

  /** Answers who recalls. */
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
    const by = authorizeInGroup(isOwn ? "recallOwn" : "recallOthers", cached, me, { role });
    if (target.noticeId !== null) return by;
    if (!isRecallable(target)) throw new ApiError("message.notYours");
    // The owner's own ones are no exception from what the owner may do at any time.
    if (isOwn && result !== "ok") requireRecallWindow(target, now, recallSeconds);
    return by;
  }

  async function recall(tx: Tx, me: number, id: number, now: number): Promise<Appended<GroupMessageRow>> {
    const target = await tx.findVisibleGroupMessage(me, id);
    if (target === undefined) throw new ApiError("message.notFound");
    const first = target.noticeId === null ? undefined : await noticeOf(tx, target.noticeId);
    // A repeat, whatever has become of the rights since.
    if (first !== undefined && (target.sendId === me || first.sendId === me))
      return { row: first, isNew: false };
    const cached = await loadGroup(tx, target.groupId);
    if (cached === undefined) throw new Error(`the group ${target.groupId} of a message is not there`);
    const by = authorizeRecall(cached, me, target, now);
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
      return notice.isNew ? publish(actor, notice, language) : viewCurrent(notice.row, language);
    },
  };
}

async function noticeOf(tx: Tx, noticeId: number): Promise<GroupMessageRow> {
  const notice = await tx.findGroupMessage(noticeId);
  if (notice === undefined) throw new Error(`the notice ${noticeId} of a recall is not there`);
  return notice;
}
