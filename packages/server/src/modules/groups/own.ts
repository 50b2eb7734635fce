/** What a person notes about a group for themselves; possible in every group that they are in, whatever its state. */
import { type Actor, type Handlers, Refusal } from "../../ports/call.ts";
import type { GroupMemberPatch } from "../../ports/groups.ts";
import type { GroupsDeps } from "./deps.ts";
import { findExisting } from "./rights.ts";
import { createGroupTelling } from "./telling.ts";

type OwnHandlers = Pick<Handlers, "setGroupMsgRemind" | "setGroupTop" | "setGroupDnd">;

const REMIND = { always: 0, never: 2 } as const;

export function createGroupNotes(deps: GroupsDeps): OwnHandlers {
  const { store } = deps;
  const telling = createGroupTelling(deps);

  const update = async (actor: Actor, groupId: number, patch: GroupMemberPatch): Promise<null> => {
    await store.write(async (tx) => {
      await findExisting(tx, groupId);
      const me = await tx.findGroupMember(groupId, actor.userId);
      if (me === undefined || me.quit) throw new Refusal("group.notMember");
      await tx.updateGroupMember(groupId, actor.userId, patch);
    });
    await telling.changedOwn(actor, groupId);
    return null;
  };

  return {
    setGroupMsgRemind: ({ actor, body }) => update(actor, body.groupId, { msgRemind: body.msgRemind }),
    setGroupTop: ({ actor, body }) => update(actor, body.groupId, { isTop: body.isTop }),
    setGroupDnd: ({ actor, body }) =>
      update(actor, body.groupId, { msgRemind: body.isDnd ? REMIND.never : REMIND.always }),
  };
}
