/** Removes members from a group, and lets them leave. */
import { authorize } from "../../access/group-access.ts";
import type { Handlers } from "../../api/api-call.ts";
import { refuseIfLimited } from "../../api/api-error.ts";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import { findCurrentMembers, authorizeMember } from "./authorize.ts";
import type { GroupsDeps } from "./groups-deps.ts";
import { type RemovedMessages, createNotifyGroup } from "./notify-group.ts";
import { createTipWriter } from "./tip-writer.ts";

export interface RemoveMembersDeps extends GroupsDeps {
  /** Deletes soon the files that no message, account, group or open report needs now. */
  deleteReleasedFiles(): void;
}

export function createRemoveMembers(
  deps: RemoveMembersDeps,
): Pick<Handlers, "removeGroupMembers" | "quitGroup"> {
  const { store, rateLimiter, defaultLanguage, deleteReleasedFiles } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const writeTip = createTipWriter(defaultLanguage);

  return {
    async removeGroupMembers({ actor, body, now }) {
      const { groupId, userIds } = body;
      refuseIfLimited(await rateLimiter.consume("groupChanges", actor.userId));
      const { removedIds, removedMessages, tips } = await store.write(async (tx) => {
        const { group, me: by } = await authorizeMember(tx, groupId, actor.userId, "remove");
        const removedIds: number[] = [];
        const removedMessages: RemovedMessages[] = [];
        const tips: GroupMessageRow[] = [];
        for (const target of await findCurrentMembers(tx, groupId, userIds)) {
          authorize("remove", group, by, target);
          const onlyFor = target.userId;
          tips.push(await writeTip(tx, { by, isNamed: false, key: "group.removed", now, onlyFor }));
          // End the stay after the tip, so that the tip lies within it.
          await tx.endGroupStay(groupId, target.userId, true);
          if (body.deleteMessages === true) {
            removedMessages.push({
              userId: target.userId,
              upTo: await tx.removeMessagesOfMember(groupId, target.userId),
            });
          }
          removedIds.push(target.userId);
        }
        return { removedIds, removedMessages, tips };
      });
      if (removedIds.length === 0) return null;
      if (removedMessages.length > 0) deleteReleasedFiles();
      await notifyGroup.groupChanged({ groupId, tips });
      notifyGroup.membersLeft(groupId, removedIds, actor.userId);
      if (removedMessages.length > 0)
        await notifyGroup.messagesRemoved(groupId, removedMessages, actor.userId);
      return null;
    },

    async quitGroup({ actor, params }) {
      await store.write(async (tx) => {
        await authorizeMember(tx, params.id, actor.userId, "quit");
        await tx.endGroupStay(params.id, actor.userId);
      });
      await notifyGroup.groupChanged({ groupId: params.id, by: actor.userId });
      notifyGroup.membersLeft(params.id, [actor.userId], actor.userId);
      return null;
    },
  };
}
