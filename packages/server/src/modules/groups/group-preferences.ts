/** A person's own settings of a group. A member can change them whatever the state of the group. */
import { ApiError } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import type { GroupMemberPatch } from "../../ports/group-store.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { requireOwnGroup } from "./authorize.ts";
import { createNotifyGroup } from "./notify-group.ts";

type GroupPreferencesHandlers = Pick<Handlers, "setGroupMsgRemind" | "setGroupTop" | "setGroupDnd">;

const REMIND = { always: 0, never: 2 } as const;

export function createGroupPreferences(deps: GroupsDeps): GroupPreferencesHandlers {
  const { store } = deps;
  const notifyGroup = createNotifyGroup(deps);

  const update = async (actor: Actor, groupId: number, patch: GroupMemberPatch): Promise<null> => {
    await store.write(async (tx) => {
      const { me } = await requireOwnGroup(tx, groupId, actor.userId);
      if (me.quit) throw new ApiError("group.notMember");
      await tx.updateGroupMember(groupId, actor.userId, patch);
    });
    await notifyGroup.preferencesChanged(actor, groupId);
    return null;
  };

  return {
    setGroupMsgRemind: ({ actor, body }) => update(actor, body.groupId, { msgRemind: body.msgRemind }),
    setGroupTop: ({ actor, body }) => update(actor, body.groupId, { isTop: body.isTop }),
    setGroupDnd: ({ actor, body }) =>
      update(actor, body.groupId, { msgRemind: body.isDnd ? REMIND.never : REMIND.always }),
  };
}
