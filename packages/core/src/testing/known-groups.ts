import type { GroupCard, GroupMemberVO, GroupVO } from "@parley/protocol/entities";
import { setGroups, setMembers } from "../model/groups/groups-state.ts";
import { EMPTY_GROUPS } from "../model/signed-out-state.ts";
import type { State } from "../model/state.ts";

/** The group state of a client after a server has returned this group and its members. */
export function knownGroups(
  found: GroupVO | GroupCard | null,
  members: readonly GroupMemberVO[] | null,
): Pick<State, "groups"> {
  const groups = found !== null && "role" in found ? setGroups(EMPTY_GROUPS, [found]) : EMPTY_GROUPS;
  return { groups: found === null || members === null ? groups : setMembers(groups, found.id, members) };
}
