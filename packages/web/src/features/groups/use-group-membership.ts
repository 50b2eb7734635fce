import { useClientState } from "../../kit/use-client.ts";

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
