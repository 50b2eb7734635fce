import { parseChatKey } from "@parley/core/model/rows";
import type { Client } from "@parley/core/runtime/client-api";
import { openDialog } from "../../../kit/dialogs.ts";
import type { Desk, Named } from "./desk.ts";
import type { MemberAct } from "./member-acts.ts";

const MEMBER_ACTS: ReadonlySet<string> = new Set<MemberAct>(["mention", "mute", "unmute", "remove"]);

/** Something done with a person, and not with a message. */
export function isMemberAct(act: string): act is MemberAct {
  return MEMBER_ACTS.has(act);
}

/** Does one of the acts with a member of this group. `name` is how messages call the person; what the group knows now comes first. */
export function actOnMember(client: Client, desk: Desk, act: MemberAct, { userId, name }: Named): void {
  const groupId = parseChatKey(desk.key)?.targetId ?? 0;
  const member = client.getState().groups.members[groupId]?.byId[userId];
  const now = member?.showNickName || name;
  switch (act) {
    case "mention":
      desk.set({ editing: null, naming: [{ userId, name: now }] });
      break;
    case "mute":
    case "unmute":
      // A refusal is told by a toast of its own, and the deed by a line in the conversation.
      void client.groups.setMuted(groupId, [userId], act === "mute");
      break;
    case "remove":
      openDialog({ kind: "removeMember", groupId, userId });
  }
}
