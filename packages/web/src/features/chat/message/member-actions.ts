import { AtSign, Mic, MicOff, UserRoundMinus, type LucideIcon } from "lucide-react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { groupPermission } from "@parley/core/model/selectors";
import type { ChatKey, State } from "@parley/core/model/state";
import { ChatType } from "@parley/protocol/codes";
import type { GroupMemberVO } from "@parley/protocol/entities";
import type { GroupAction } from "@parley/protocol/group-rights";
import type { TextId } from "../../../kit/i18n/i18n.ts";
import { openDialog } from "../../../kit/dialogs/open-dialog.ts";
import { myIdOf } from "../../../kit/people/person.ts";
import type { ActionContext, MentionTarget } from "./conversation-ui.ts";

/** What one can do with a group member who has written a message: an item of the menus of that person and of the message. */
interface MemberActionDescriptor {
  /** May insert the `name` of the member. */
  readonly text: TextId;
  readonly Icon: LucideIcon;
  readonly isDanger?: true;
  /** It is at the end of the menus, after a line. */
  readonly isModeration?: true;
  /** `can`: whether I may do this with the member, who is undefined until the members are loaded. */
  isOffered(can: (action: GroupAction) => boolean, member: GroupMemberVO | undefined): boolean;
  run(context: ActionContext, target: MentionTarget): void;
}

/** Each action by its id, in the order of the menus. */
const DESCRIPTORS = {
  mention: {
    text: "moderate.mention",
    Icon: AtSign,
    isOffered: (can) => can("speak"),
    run({ ui, client }, { userId, name }) {
      const member = client.getState().groups.members[groupIdOf(ui.key)]?.byId[userId];
      // The current name of the member takes precedence over the one in the message.
      ui.set({ editing: null, pendingMentions: [{ userId, name: member?.showNickName || name }] });
    },
  },
  mute: {
    text: "groups.mute",
    Icon: MicOff,
    isDanger: true,
    isModeration: true,
    isOffered: (can, member) => member?.isMuted === false && can("mute"),
    run: (context, { userId }) => setMuted(context, userId, true),
  },
  unmute: {
    text: "groups.unmute",
    Icon: Mic,
    isModeration: true,
    isOffered: (can, member) => member?.isMuted === true && can("mute"),
    run: (context, { userId }) => setMuted(context, userId, false),
  },
  remove: {
    text: "groups.removeOne",
    Icon: UserRoundMinus,
    isDanger: true,
    isModeration: true,
    isOffered: (can, member) => member !== undefined && can("remove"),
    run: ({ ui }, { userId }) => openDialog({ kind: "removeMember", groupId: groupIdOf(ui.key), userId }),
  },
} as const satisfies Readonly<Record<string, MemberActionDescriptor>>;

/** The id of an action on a member. */
export type MemberAction = keyof typeof DESCRIPTORS;

/** What one can do with a group member who has written a message, in the order of the menus. */
export const MEMBER_ACTIONS: Readonly<Record<MemberAction, MemberActionDescriptor>> = DESCRIPTORS;

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
      const ids = Object.keys(MEMBER_ACTIONS) as MemberAction[];
      return ids.filter((one) => MEMBER_ACTIONS[one].isOffered((action) => can(action, userId), member));
    },
  };
}

function groupIdOf(key: ChatKey): number {
  return parseChatKey(key)?.targetId ?? 0;
}

/** A failure shows a toast, and success shows a tip in the conversation. */
function setMuted({ client, ui }: ActionContext, userId: number, isMuted: boolean): void {
  void client.groups.setMuted(groupIdOf(ui.key), [userId], isMuted);
}
