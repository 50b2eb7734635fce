/** Removes members from a group, and lets them leave. */
import { authorize } from "../../access/group-access.ts";
import type { Handlers } from "../../api/api-call.ts";
import { refuseIfLimited } from "../../api/api-error.ts";
import { tellOfChanges } from "../../delivery/delivery.ts";
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
  const { store, rateLimiter, delivery, defaultLanguage, deleteReleasedFiles } = deps;
  const notifyGroup = createNotifyGroup(deps);
  const writeTip = createTipWriter(defaultLanguage);

  return {
    async removeGroupMembers({ actor, body, now }) {
      const { groupId, userIds } = body;
      refuseIfLimited(await rateLimiter.consume("groupChanges", actor.userId));
      const { removedIds, removedMessages, savedBy, tips } = await store.write(async (tx) => {
        const { group, me: by } = await authorizeMember(tx, groupId, actor.userId, "remove");
        const removedIds: number[] = [];
        const removedMessages: RemovedMessages[] = [];
        const savedBy = new Set<number>();
        const tips: GroupMessageRow[] = [];
        for (const target of await findCurrentMembers(tx, groupId, userIds)) {
          authorize("remove", group, by, target);
          const onlyFor = target.userId;
          tips.push(await writeTip(tx, { by, isNamed: false, key: "group.removed", now, onlyFor }));
          // End the stay after the tip, so that the tip lies within it.
          await tx.endGroupStay(groupId, target.userId, true);
          if (body.deleteMessages === true) {
            const { userId } = target;
            const removed = await tx.removeMessagesOfMember(groupId, userId);
            removedMessages.push({ userId, upTo: removed.upTo });
            for (const saver of removed.savedBy) savedBy.add(saver);
          }
          removedIds.push(target.userId);
        }
        return { removedIds, removedMessages, savedBy, tips };
      });
      if (removedIds.length === 0) return null;
      if (removedMessages.length > 0) deleteReleasedFiles();
      await notifyGroup.groupChanged({ groupId, tips });
      notifyGroup.membersLeft(groupId, removedIds, actor.userId);
      if (removedMessages.length > 0)
        await notifyGroup.messagesRemoved(groupId, removedMessages, actor.userId);
      tellOfChanges(delivery, savedBy);
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
