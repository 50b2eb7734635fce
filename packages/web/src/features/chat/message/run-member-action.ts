import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { Client } from "@parley/core/client-api";
import { openDialog } from "../../../kit/open-dialog.ts";
import type { ConversationUi, MentionTarget } from "./conversation-ui.ts";
import type { MemberAction } from "./member-actions.ts";

const MEMBER_ACTIONS: ReadonlySet<string> = new Set<MemberAction>(["mention", "mute", "unmute", "remove"]);

/** Whether an action concerns the sender and not the message. */
export function isMemberAction(action: string): action is MemberAction {
  return MEMBER_ACTIONS.has(action);
}

/** Runs an action on a member of this group. `name` is the name in the message; the current name of the member takes precedence. */
export function runMemberAction(
  client: Client,
  ui: ConversationUi,
  action: MemberAction,
  { userId, name }: MentionTarget,
): void {
  const groupId = parseChatKey(ui.key)?.targetId ?? 0;
  const member = client.getState().groups.members[groupId]?.byId[userId];
  const currentName = member?.showNickName || name;
  switch (action) {
    case "mention":
      ui.set({ editing: null, pendingMentions: [{ userId, name: currentName }] });
      break;
    case "mute":
    case "unmute":
      // A failure shows a toast, and success shows a tip in the conversation.
      void client.groups.setMuted(groupId, [userId], action === "mute");
      break;
    case "remove":
      openDialog({ kind: "removeMember", groupId, userId });
  }
}
