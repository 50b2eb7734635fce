import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { Client } from "@parley/core/client-api";
import { openDialog } from "../../../kit/open-dialog.ts";
import type { ConversationUi, MentionTarget } from "./conversation-ui.ts";
import type { MemberAction } from "./member-actions.ts";

const MEMBER_ACTIONS: ReadonlySet<string> = new Set<MemberAction>(["mention", "mute", "unmute", "remove"]);

/** Something done with a person, and not with a message. */
export function isMemberAction(action: string): action is MemberAction {
  return MEMBER_ACTIONS.has(action);
}

/** Does one of the acts with a member of this group. `name` is how messages call the person; what the group knows now comes first. */
export function runMemberAction(
  client: Client,
  ui: ConversationUi,
  action: MemberAction,
  { userId, name }: MentionTarget,
): void {
  const groupId = parseChatKey(ui.key)?.targetId ?? 0;
  const member = client.getState().groups.members[groupId]?.byId[userId];
  const now = member?.showNickName || name;
  switch (action) {
    case "mention":
      ui.set({ editing: null, pendingMentions: [{ userId, name: now }] });
      break;
    case "mute":
    case "unmute":
      // A refusal is told by a toast of its own, and the deed by a line in the conversation.
      void client.groups.setMuted(groupId, [userId], action === "mute");
      break;
    case "remove":
      openDialog({ kind: "removeMember", groupId, userId });
  }
}
