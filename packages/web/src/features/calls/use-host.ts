import type { GroupCallView } from "@parley/core/model/calls/call";
import { useMember } from "../../kit/group.ts";
import type { Person } from "../../kit/person.ts";

/** The person who started the call of a group; named as in the call if nothing else is known. */
export function useHost({ groupId, hostId, people }: GroupCallView): Person {
  const host = people.find(({ userId }) => userId === hostId);
  return useMember(groupId, hostId ?? 0, host?.nickName ?? null);
}
