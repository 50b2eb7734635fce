import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { groupPermission } from "@parley/core/model/selectors";
import type { ChatKey, State } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import type { GroupAction } from "@parley/protocol/group-rights";
import { myIdOf } from "../../../kit/person.ts";

/** What one can do with a group member who has written a message. */
export type MemberAction = "mention" | "mute" | "unmute" | "remove";

/** My permissions in the group of a chat. */
export interface GroupPermissions {
  /** What I may do with this author of a message. */
  memberActions(userId: number): readonly MemberAction[];
  /** Whether I may do this; `userId` is the author of the message or the member concerned. */
  can(action: GroupAction, userId: number): boolean;
}

type GroupState = Pick<State, "groups" | "session">;

/** My permissions in the group of a chat; null if it is no group chat. */
export function groupPermissions(state: GroupState, key: ChatKey): GroupPermissions | null {
  const chat = parseChatKey(key);
  if (chat === null || chat.type !== ChatType.GROUP) return null;
  const id = chat.targetId;
  const { groups } = state;
  const myId = myIdOf(state);
  const can = (action: GroupAction, userId: number) => groupPermission(state, id, action, userId) === "ok";
  return {
    can,
    memberActions(userId) {
      if (userId === myId) return [];
      const members = groups.members[id];
      const member = members?.byId[userId];
      const isLoaded = members?.state === "loaded";
      // There are no actions for a member who has left. Until the members are loaded it is not known who has left.
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
