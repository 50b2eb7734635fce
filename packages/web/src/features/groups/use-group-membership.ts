import { groupPermission } from "@parley/core/model/selectors";
import type { GroupAction } from "@parley/protocol/group-rights";
import { useClientState } from "../../kit/loading/use-client.ts";

/** My membership in a group: member, waiting for approval, or neither. */
export function useGroupMembership(groupId: number): "member" | "asked" | "stranger" {
  return useClientState(({ groups, me }) => {
    const group = groups.byId[groupId];
    if (group !== undefined && !group.quit && !group.dissolve) return "member";
    const hasAsked = groups.requests.some(
      (request) => request.groupId === groupId && request.sendId === me?.id,
    );
    return hasAsked ? "asked" : "stranger";
  });
}

/** Whether I may do this in a group; for an action on a person, whether I may do it to an ordinary member. */
export function useGroupPermission(groupId: number, action: GroupAction): boolean {
  return useClientState((state) => groupPermission(state, groupId, action) === "ok");
}
