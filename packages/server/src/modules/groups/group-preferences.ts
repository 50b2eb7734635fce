/** A person's own settings of a group. A member can change them whatever the state of the group. */
import { ApiError, refusePast } from "../../api/api-error.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import { changedLevel } from "../../ports/alert-level.ts";
import type { GroupMemberPatch, GroupMemberRow } from "../../ports/group-store.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { requireOwnGroup } from "./authorize.ts";
import { createNotifyGroup } from "./notify-group.ts";

type GroupPreferencesHandlers = Pick<Handlers, "setGroupMsgRemind" | "setGroupTop" | "setGroupDnd">;

const REMIND = { always: 0, never: 2 } as const;

export function createGroupPreferences(deps: GroupsDeps): GroupPreferencesHandlers {
  const { store } = deps;
  const notifyGroup = createNotifyGroup(deps);

  const update = async (
    actor: Actor,
    groupId: number,
    change: GroupMemberPatch | ((before: GroupMemberRow) => GroupMemberPatch),
  ): Promise<null> => {
    await store.write(async (tx) => {
      const { me } = await requireOwnGroup(tx, groupId, actor.userId);
      if (me.quit) throw new ApiError("group.notMember");
      await tx.updateGroupMember(groupId, actor.userId, typeof change === "function" ? change(me) : change);
    });
    await notifyGroup.preferencesChanged(actor, groupId);
    return null;
  };

  const setLevel = (actor: Actor, groupId: number, msgRemind: number, until: number | null) =>
    update(actor, groupId, (before) => changedLevel(before, { msgRemind, until, usual: REMIND.always }));

  return {
    async setGroupMsgRemind({ actor, body: { groupId, msgRemind, until = null }, now }) {
      refusePast("until", until, now);
      return setLevel(actor, groupId, msgRemind, until);
    },
    setGroupTop: ({ actor, body }) => update(actor, body.groupId, { isTop: body.isTop }),
    setGroupDnd: ({ actor, body }) =>
      setLevel(actor, body.groupId, body.isDnd ? REMIND.never : REMIND.always, null),
  };
}
