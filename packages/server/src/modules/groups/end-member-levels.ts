import { levelAfter } from "../../ports/alert-level.ts";
import type { GroupsStore } from "./groups-store.ts";
import type { NotifyGroup } from "./notify-group.ts";

interface EndMemberLevelsDeps {
  store: GroupsStore;
  notifyGroup: Pick<NotifyGroup, "alertLevelEnded">;
}

/** How many levels one look ends. The next one takes the rest. */
const LEVELS_MAX = 100;

/** Lets the level before follow each alert level of a group whose end has come, and tells all devices of the member. */
export function createEndMemberLevels({ store, notifyGroup }: EndMemberLevelsDeps) {
  return async (now: number): Promise<void> => {
    for (const { groupId, userId } of await store.listEndedMemberLevels(now, LEVELS_MAX)) {
      const row = await store.write(async (tx) => {
        const before = await tx.findGroupMember(groupId, userId);
        // The person may have set another one since.
        const after = before === undefined ? null : levelAfter(before, now);
        if (before === undefined || after === null) return undefined;
        await tx.updateGroupMember(groupId, userId, after);
        return before;
      });
      if (row !== undefined && !row.quit) await notifyGroup.alertLevelEnded(userId, groupId);
    }
  };
}
