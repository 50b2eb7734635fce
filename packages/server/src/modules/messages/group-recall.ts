/** Who may recall a message of a group. */
import { GroupRole } from "@parley/protocol/codes";
import { checkGroupAction } from "@parley/protocol/group-rights";
import { ApiError } from "../../api/api-error.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import { groupState } from "../../presenters/group-presenter.ts";
import type { RecallEvent, RecallRight } from "./chat-strategy.ts";
import { type CachedGroup, authorizeInGroup } from "./group-cache.ts";

/** The right of the sender of `event` to recall `target`. Throws if there is none. */
export function groupRecallRight(
  cached: CachedGroup,
  target: Pick<GroupMessageRow, "groupId" | "sendId" | "sendNickName">,
  event: RecallEvent,
): RecallRight<NewGroupMessage> {
  const { groupId, sendNickName: author } = target;
  const me = event.sendId;
  const isOwn = target.sendId === me;
  const role = cached.members.get(target.sendId)?.role ?? GroupRole.MEMBER;
  const result = checkGroupAction("recallOthers", cached.members.get(me), groupState(cached.group), { role });
  if (!isOwn && result === "noRight") throw new ApiError("message.notYours");
  const recaller = authorizeInGroup(isOwn ? "recallOwn" : "recallOthers", cached, me, { role });
  const { name, role: sendRole } = recaller;
  return {
    event: { ...event, groupId, sendRole, sendNickName: name },
    tip: isOwn
      ? { key: "recalled", params: { name: author } }
      : { key: "recalledBy", params: { name, nameId: me, author } },
    // Somebody who may recall messages of others of the same role has no time limit for their own.
    isTimeLimited: isOwn && result !== "ok",
  };
}
