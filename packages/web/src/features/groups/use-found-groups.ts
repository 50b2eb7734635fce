import { useMemo } from "react";
import { GroupRole } from "@parley/protocol/codes";
import type { Groups } from "@parley/core/model/state";
import { useNameMatch } from "../../kit/pinyin.ts";
import type { NameMatch } from "../../kit/pinyin.ts";
import { useClientState } from "../../kit/use-client.ts";

/** The sections of the group list. */
export interface GroupSections {
  /** Groups of which I am owner or admin. */
  readonly managed: readonly number[];
  readonly joined: readonly number[];
}

/** My groups of which a name or the number matches the filter. */
export function findGroups(
  groups: Pick<Groups, "byId" | "order">,
  filter: string,
  match: Pick<NameMatch, "matches">,
): GroupSections {
  const found = groups.order.filter((id) => {
    const group = groups.byId[id];
    if (group === undefined) return false;
    const names = [group.showGroupName, group.name, String(id)];
    return names.some((name) => match.matches(name, filter));
  });
  const isManaged = (id: number) => (groups.byId[id]?.role ?? GroupRole.MEMBER) !== GroupRole.MEMBER;
  return { managed: found.filter(isManaged), joined: found.filter((id) => !isManaged(id)) };
}

/** The groups that match the filter, by sections. */
export function useFoundGroups(filter: string): GroupSections {
  const groups = useClientState((state) => state.groups);
  const match = useNameMatch(filter.trim() !== "");
  return useMemo(() => findGroups(groups, filter, match), [groups, filter, match]);
}
