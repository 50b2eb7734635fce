import type { GroupAction } from "@parley/protocol/group-rights";
import { groupPermission } from "@parley/core/model/selectors";
import { useClientState } from "../../kit/use-client.ts";

/** Whether I may do this in a group; for an action on a person, whether I may do it to an ordinary member. */
export function useGroupPermission(groupId: number, action: GroupAction): boolean {
  return useClientState((state) => groupPermission(state, groupId, action) === "ok");
}
