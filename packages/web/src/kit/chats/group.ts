import { useMemo } from "react";
import { ChatType, GroupRole } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { memberName } from "@parley/core/model/selectors";
import type { State } from "@parley/core/model/state";
import { useText } from "../i18n/i18n.ts";
import type { Translate } from "../i18n/i18n.ts";
import { personName, usePerson, smallPictureUrl } from "../people/person.ts";
import type { Person } from "../people/person.ts";
import { useClient, useClientState } from "../loading/use-client.ts";

/** A group as screens show it. */
export interface GroupSummary {
  readonly id: number;
  /** My remark for it, else its name; a generated name for an unknown group. */
  readonly name: string;
  /** Absolute url of the small picture. */
  readonly picture: string | null;
  readonly membersCount: number;
  /** I have left it, or it was dissolved. */
  readonly isGone: boolean;
}

/** Name of a group, from what is known of it. */
export function groupName(id: number, group: GroupVO | undefined, t: Translate): string {
  return group?.showGroupName || group?.name || t("chat.group", { id: String(id) });
}

/** Number of members: the length of the member list once it is loaded, so that a list and the number beside it agree. */
export function membersCountOf({ groups }: Pick<State, "groups">, id: number): number {
  const listed = groups.members[id]?.order.length ?? 0;
  return listed > 0 ? listed : (groups.byId[id]?.membersCount ?? 0);
}

/** A group as screens show it. The object keeps its identity until something of the group changes. */
export function useGroup(id: number): GroupSummary {
  const t = useText();
  const client = useClient();
  const group = useClientState((state) => state.groups.byId[id]);
  const first = useClientState((state) => state.firstChats?.byKey[chatKey(ChatType.GROUP, id)]);
  const membersCount = useClientState((state) => membersCountOf(state, id));
  return useMemo(() => {
    const picture = group ?? (first && { headImage: first.headImage, headImageThumb: null });
    return {
      id,
      name: (group === undefined && first?.name) || groupName(id, group, t),
      picture: smallPictureUrl(client, picture),
      membersCount,
      isGone: group !== undefined && (group.quit || group.dissolve),
    };
  }, [id, group, first, membersCount, t, client]);
}

/** Name of a group member: my remark for a friend, else the name in the group, else `fallback`, e.g. of a message. */
export function memberNameOf(
  state: Pick<State, "groups" | "contacts" | "session" | "me">,
  groupId: number,
  userId: number,
  fallback: string | null,
  t: Translate,
): string {
  return memberName(state, groupId, userId, fallback) ?? personName(userId, state, t);
}

/** A person as a member of a group. The object keeps its identity until something about that person changes. */
export function useMember(groupId: number, userId: number, fallback: string | null): Person {
  const t = useText();
  const client = useClient();
  const person = usePerson(userId);
  const member = useClientState((state) => state.groups.members[groupId]?.byId[userId]);
  const name = useClientState((state) => memberNameOf(state, groupId, userId, fallback, t));
  return useMemo(() => {
    const picture = member?.headImage;
    return { ...person, name, picture: person.picture ?? (picture ? client.fileUrl(picture) : null) };
  }, [person, member, name, client]);
}

/** Current role of a group member; if it is not known, the role at the time of sending. */
export function roleOf(
  { groups }: Pick<State, "groups">,
  groupId: number,
  userId: number,
  roleWhenSent: number,
): number {
  const ownerId = groups.byId[groupId]?.ownerId;
  if (ownerId === userId) return GroupRole.OWNER;
  const member = groups.members[groupId]?.byId[userId];
  if (member !== undefined) return member.quit ? GroupRole.MEMBER : member.role;
  return roleWhenSent === GroupRole.OWNER && ownerId !== undefined ? GroupRole.MEMBER : roleWhenSent;
}

/** The alert levels of a group: 0 all messages, 1 those of the owner and of admins, 2 none. */
export const ALERT_LEVELS = [0, 1, 2] as const;
