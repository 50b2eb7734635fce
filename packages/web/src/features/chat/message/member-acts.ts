import { parseChatKey } from "@parley/core/model/rows";
import { groupVerdict } from "@parley/core/model/selectors";
import type { ChatKey, State } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import type { GroupAction } from "@parley/protocol/group-rights";

/** What can be done with somebody who has written in a group. */
export type MemberAct = "mention" | "mute" | "unmute" | "remove";

/** What I may do in the group of a chat. */
export interface GroupLimits {
  /** To this person, who has written there. */
  memberActs(userId: number): readonly MemberAct[];
  /** `userId`: whose it is. */
  may(action: GroupAction, userId: number): boolean;
}

type Known = Pick<State, "groups" | "session">;

/** null: the chat is no group's. */
export function groupLimits(state: Known, key: ChatKey): GroupLimits | null {
  const chat = parseChatKey(key);
  if (chat === null || chat.type !== ChatType.GROUP) return null;
  const id = chat.targetId;
  const { groups, session } = state;
  const myId = session.kind === "anonymous" ? 0 : session.userId;
  const may = (action: GroupAction, userId: number) => groupVerdict(state, id, action, userId) === "ok";
  return {
    may,
    memberActs(userId) {
      if (userId === myId) return [];
      const members = groups.members[id];
      const member = members?.byId[userId];
      const isLoaded = members?.state === "loaded";
      // Who has left can neither be named nor led. Until the members are known nobody is told who that is.
      if (isLoaded && (member === undefined || member.quit)) return [];
      const acts: MemberAct[] = [];
      if (may("speak", userId)) acts.push("mention");
      if (member === undefined) return acts;
      if (may("mute", userId)) acts.push(member.isMuted ? "unmute" : "mute");
      if (may("remove", userId)) acts.push("remove");
      return acts;
    },
  };
}
