import type { GroupCard, GroupMemberVO, GroupVO } from "@parley/protocol/entities";
import { setGroups, setMembers } from "../model/groups.ts";
import { NO_GROUPS } from "../model/nobody.ts";
import type { State } from "../model/state.ts";

/** What a client knows once a server has answered these: the group as it is found, and who is in it. */
export function knownOf(
  found: GroupVO | GroupCard | null,
  members: readonly GroupMemberVO[] | null,
): Pick<State, "groups"> {
  const groups = found !== null && "role" in found ? setGroups(NO_GROUPS, [found]) : NO_GROUPS;
  return { groups: found === null || members === null ? groups : setMembers(groups, found.id, members) };
}
