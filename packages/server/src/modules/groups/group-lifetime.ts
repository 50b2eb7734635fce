/** Creates and dissolves groups. */
import { GroupRole, type JoinMode, MessageType } from "@parley/protocol/codes";
import { claimPictures } from "../../access/claim-pictures.ts";
import type { Handlers } from "../../api/api-call.ts";
import { refuseIfLimited } from "../../api/api-error.ts";
import { authorizeMember } from "./authorize.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { addMembers, dissolveGroup, findInvitees } from "./membership.ts";
import { createNotifyGroupRequests } from "./notify-group-requests.ts";
import { createNotifyGroup } from "./notify-group.ts";
import { createTipWriter, userNameParams } from "./tip-writer.ts";
import { viewGroup } from "./view-group.ts";

export interface GroupLifetimeDeps extends GroupsDeps {
  /** How people join new groups whose owner has not decided it. */
  joinMode(): JoinMode;
}

export function createGroupLifetime(
  deps: GroupLifetimeDeps,
): Pick<Handlers, "createGroup" | "dissolveGroup"> {
  const { store, rateLimiter } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const notifyRequests = createNotifyGroupRequests(deps);
  const writeTip = createTipWriter(deps.defaultLanguage);

  return {
    async createGroup({ actor, body, now }) {
      const me = actor.userId;
      refuseIfLimited(await rateLimiter.consume("groupChanges", me));
      const { groupId, tips } = await store.write(async (tx) => {
        const existing = body.tmpId ? await tx.findMadeGroup(me, body.tmpId) : undefined;
        // A repeated call answers the same group, even if the people could not be invited now.
        if (existing !== undefined) return { groupId: existing, tips: null };
        const people = await findInvitees(tx, me, body.memberIds ?? []);
        const images = {
          headImage: body.headImage || null,
          headImageThumb: body.headImageThumb || null,
        };
        await claimPictures(tx, images);
        const group = await tx.insertGroup({
          name: body.name,
          ownerId: me,
          ...images,
          createdAt: now,
          tmpId: body.tmpId ?? null,
          joinMode: body.joinMode ?? deps.joinMode(),
          isFindable: body.isFindable ?? false,
        });
        const by = await tx.upsertGroupMember(group.id, me, GroupRole.OWNER, now);
        await addMembers(tx, group, people, now);
        const invited = { by, key: "group.invited", params: userNameParams(people), now } as const;
        return { groupId: group.id, tips: people.length === 0 ? [] : [await writeTip(tx, invited)] };
      });
      if (tips !== null) await notifyGroup.groupChanged({ groupId, tips, answeredActor: actor });
      return viewGroup(store, groupId, me);
    },

    async dissolveGroup({ actor, params, now }) {
      const groupId = params.id;
      const { tip, memberIds, closed } = await store.write(async (tx) => {
        const { me: by } = await authorizeMember(tx, groupId, actor.userId, "dissolve");
        const tip = await writeTip(tx, { by, key: "group.dissolved", now });
        const closed = await dissolveGroup(tx, groupId, now);
        const members = (await tx.listGroupMembers(groupId)).filter((member) => !member.quit);
        return { tip, memberIds: members.map((member) => member.userId), closed };
      });
      await notifyGroup.groupChanged({ groupId, tips: [tip], recipientIds: [] });
      notifyGroup.membersLeft(groupId, memberIds, actor.userId);
      // The acting client gets the pushes too, because it does not know which requests ended with the group.
      for (const outcome of closed) {
        await notifyRequests.requestClosed(undefined, outcome, MessageType.GROUP_REQ_REJECT);
      }
      return null;
    },
  };
}
