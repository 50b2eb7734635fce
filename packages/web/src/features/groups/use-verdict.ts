import type { GroupAction } from "@parley/protocol/group-rights";
import { groupVerdict } from "@parley/core/model/selectors";
import { useClientState } from "../../kit/use-client.ts";

/** Whether I may do this in a group; to an ordinary member, where it is done to somebody. */
export function useMay(groupId: number, action: GroupAction): boolean {
  return useClientState((state) => groupVerdict(state, groupId, action) === "ok");
}
