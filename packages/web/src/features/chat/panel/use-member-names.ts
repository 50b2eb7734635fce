import { useMemo } from "react";
import { memberNameOf } from "../../../kit/chats/group.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClientState } from "../../../kit/loading/use-client.ts";

/** A group member and the name to display. */
export interface MemberName {
  readonly userId: number;
  readonly name: string;
}

/** The members of a group with their names, in the order of the member list; null if no group is given. */
export function useMemberNames(groupId: number | null): readonly MemberName[] | null {
  const t = useText();
  const groups = useClientState((state) => state.groups);
  const contacts = useClientState((state) => state.contacts);
  const session = useClientState((state) => state.session);
  const me = useClientState((state) => state.me);
  const order = groupId === null ? undefined : groups.members[groupId]?.order;
  return useMemo(() => {
    if (groupId === null) return null;
    const state = { groups, contacts, session, me };
    return (order ?? []).map((userId) => ({ userId, name: memberNameOf(state, groupId, userId, null, t) }));
  }, [groupId, order, groups, contacts, session, me, t]);
}
