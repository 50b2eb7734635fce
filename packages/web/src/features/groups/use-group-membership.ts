import { useClientState } from "../../kit/use-client.ts";

/** How I stand with a group: in it, waiting to be let in, or neither. */
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
