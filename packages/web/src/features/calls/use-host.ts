import type { GroupCallView } from "@parley/core/model/calls/call";
import { useMember } from "../../kit/group.ts";
import type { Person } from "../../kit/person.ts";

/** Who has started the call of a group, by the name in the call if nothing else is known of them. */
export function useHost({ groupId, hostId, people }: GroupCallView): Person {
  const host = people.find(({ userId }) => userId === hostId);
  return useMember(groupId, hostId ?? 0, host?.nickName ?? null);
}
