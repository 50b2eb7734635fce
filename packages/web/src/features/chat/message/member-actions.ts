import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { groupPermission } from "@parley/core/model/selectors";
import type { ChatKey, State } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import type { GroupAction } from "@parley/protocol/group-rights";

/** What can be done with somebody who has written in a group. */
export type MemberAction = "mention" | "mute" | "unmute" | "remove";

/** What I may do in the group of a chat. */
export interface GroupPermissions {
  /** To this person, who has written there. */
  memberActions(userId: number): readonly MemberAction[];
  /** `userId`: whose it is. */
  can(action: GroupAction, userId: number): boolean;
}

type GroupState = Pick<State, "groups" | "session">;

/** null: the chat is no group's. */
export function groupPermissions(state: GroupState, key: ChatKey): GroupPermissions | null {
  const chat = parseChatKey(key);
  if (chat === null || chat.type !== ChatType.GROUP) return null;
  const id = chat.targetId;
  const { groups, session } = state;
  const myId = session.kind === "anonymous" ? 0 : session.userId;
  const can = (action: GroupAction, userId: number) => groupPermission(state, id, action, userId) === "ok";
  return {
    can,
    memberActions(userId) {
      if (userId === myId) return [];
      const members = groups.members[id];
      const member = members?.byId[userId];
      const isLoaded = members?.state === "loaded";
      // Who has left can neither be named nor led. Until the members are known nobody is told who that is.
      if (isLoaded && (member === undefined || member.quit)) return [];
      const actions: MemberAction[] = [];
      if (can("speak", userId)) actions.push("mention");
      if (member === undefined) return actions;
      if (can("mute", userId)) actions.push(member.isMuted ? "unmute" : "mute");
      if (can("remove", userId)) actions.push("remove");
      return actions;
    },
  };
}
