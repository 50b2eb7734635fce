/** What is done to members of a group, and leaving it. */
import { GroupRole } from "@parley/protocol/codes";
import type { TipKey } from "@parley/protocol/tips";
import { type Actor, type Handlers, Refusal } from "../../ports/call.ts";
import type { GroupMemberPatch, GroupMemberRow, GroupMessageRow } from "../../ports/groups.ts";
import type { GroupsDeps } from "./deps.ts";
import { findMembers, findStanding, refuseUnlessMay } from "./rights.ts";
import { type Purged, createGroupTelling } from "./telling.ts";
import { createTipWriter, namingMembers } from "./tips.ts";

type MembersHandlers = Pick<
  Handlers,
  "removeGroupMembers" | "muteGroupMembers" | "addGroupManagers" | "removeGroupManagers" | "quitGroup"
>;

/** What is to be true of members afterwards. */
interface Wish {
  action: "mute" | "manageAdmins";
  patch: GroupMemberPatch;
  isMet(member: GroupMemberRow): boolean;
  tip: TipKey;
}

export function createGroupMembers(deps: GroupsDeps): MembersHandlers {
  const { store, defaultLanguage } = deps;
  const telling = createGroupTelling(deps);
  const writeTip = createTipWriter(defaultLanguage);

  /** Changes those of these members who are not so yet; answers who they are. */
  const change = async (
    { userId }: Actor,
    { groupId, userIds }: { groupId: number; userIds: readonly number[] },
    now: number,
    { action, patch, isMet, tip }: Wish,
  ): Promise<{ changed: number[]; tips: GroupMessageRow[] }> =>
    store.write(async (tx) => {
      const { group, me: by } = await findStanding(tx, groupId, userId, action);
      const targets = await findMembers(tx, groupId, userIds);
      for (const target of targets) {
        refuseUnlessMay(action, group, by, target);
        if (target.role === GroupRole.OWNER) throw new Refusal("group.noRight");
      }
      const changed = targets.filter((target) => !isMet(target));
      if (changed.length === 0) return { changed: [], tips: [] };
      for (const target of changed) await tx.updateGroupMember(groupId, target.userId, patch);
      const params = await namingMembers(tx, changed);
      const tips = [await writeTip(tx, { by, key: tip, params, now })];
      return { changed: changed.map((target) => target.userId), tips };
    });

  const setRole = async (
    actor: Actor,
    body: { groupId: number; userIds: number[] },
    now: number,
    role: GroupRole,
  ): Promise<null> => {
    const { tips } = await change(actor, body, now, {
      action: "manageAdmins",
      patch: { role },
      isMet: (member) => member.role === role,
      tip: role === GroupRole.ADMIN ? "group.adminAdded" : "group.adminRemoved",
    });
    if (tips.length > 0) await telling.changed({ groupId: body.groupId, tips });
    return null;
  };

  return {
    async removeGroupMembers({ actor, body, now }) {
      const { groupId, userIds } = body;
      const { removed, purged, tips } = await store.write(async (tx) => {
        const { group, me: by } = await findStanding(tx, groupId, actor.userId, "remove");
        const removed: number[] = [];
        const purged: Purged[] = [];
        const tips: GroupMessageRow[] = [];
        for (const target of await findMembers(tx, groupId, userIds)) {
          refuseUnlessMay("remove", group, by, target);
          const onlyFor = target.userId;
          tips.push(await writeTip(tx, { by, isNamed: false, key: "group.removed", now, onlyFor }));
          // After the tip, so that it lies within the stay.
          await tx.endGroupStay(groupId, target.userId);
          if (body.deleteMessages === true) {
            purged.push({ userId: target.userId, upTo: await tx.purgeGroupMember(groupId, target.userId) });
          }
          removed.push(target.userId);
        }
        return { removed, purged, tips };
      });
      if (removed.length === 0) return null;
      await telling.changed({ groupId, tips });
      telling.left(groupId, removed, actor.userId);
      if (purged.length > 0) await telling.purged(groupId, purged, actor.userId);
      return null;
    },

    async muteGroupMembers({ actor, body, now }) {
      const { changed, tips } = await change(actor, body, now, {
        action: "mute",
        patch: { isMuted: body.isMuted },
        isMet: (member) => member.isMuted === body.isMuted,
        tip: body.isMuted ? "group.muted" : "group.unmuted",
      });
      if (tips.length > 0) await telling.changed({ groupId: body.groupId, tips, concerns: changed });
      return null;
    },

    addGroupManagers: ({ actor, body, now }) => setRole(actor, body, now, GroupRole.ADMIN),

    removeGroupManagers: ({ actor, body, now }) => setRole(actor, body, now, GroupRole.MEMBER),

    async quitGroup({ actor, params }) {
      await store.write(async (tx) => {
        await findStanding(tx, params.id, actor.userId, "quit");
        await tx.endGroupStay(params.id, actor.userId);
      });
      await telling.changed({ groupId: params.id, by: actor.userId });
      telling.left(params.id, [actor.userId], actor.userId);
      return null;
    },
  };
}
