/** A person's own settings of a group. A member can change them whatever the state of the group. */
import { mutedLevel, usualLevel } from "@parley/protocol/alert-level";
import { ChatType } from "@parley/protocol/codes";
import { ApiError, refusePast } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import { changedLevel } from "../../ports/alert-level.ts";
import type { GroupMemberPatch, GroupMemberRow } from "../../ports/group-store.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { requireOwnGroup } from "./authorize.ts";
import { createNotifyGroup } from "./notify-group.ts";

type GroupPreferencesHandlers = Pick<Handlers, "setGroupMsgRemind" | "setGroupTop" | "setGroupDnd">;

export function createGroupPreferences(deps: GroupsDeps): GroupPreferencesHandlers {
  const { store } = deps;
  const notifyGroup = createNotifyGroup(deps);

  const update = async (
    actor: Actor,
    groupId: number,
    patchOf: (before: GroupMemberRow) => GroupMemberPatch,
  ): Promise<null> => {
    await store.write(async (tx) => {
      const { me } = await requireOwnGroup(tx, groupId, actor.userId);
      if (me.quit) throw new ApiError("group.notMember");
      await tx.updateGroupMember(groupId, actor.userId, patchOf(me));
    });
    await notifyGroup.preferencesChanged(actor, groupId);
    return null;
  };

  const setLevel = (actor: Actor, groupId: number, msgRemind: number, until: number | null) =>
    update(actor, groupId, (before) =>
      changedLevel(before, { msgRemind, until, usual: usualLevel(ChatType.GROUP) }),
    );

  return {
    async setGroupMsgRemind({ actor, body: { groupId, msgRemind, until = null }, now }) {
      refusePast("until", until, now);
      return setLevel(actor, groupId, msgRemind, until);
    },
    setGroupTop: ({ actor, body }) => update(actor, body.groupId, () => ({ isTop: body.isTop })),
    setGroupDnd: ({ actor, body }) =>
      setLevel(actor, body.groupId, (body.isDnd ? mutedLevel : usualLevel)(ChatType.GROUP), null),
  };
}
