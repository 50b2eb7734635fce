/** Decides whether a person is notified of new messages in a chat, by the same rules as an open page (interface §16). */
import { allowsAlert } from "@parley/protocol/alert-level";
import { ChatType, EVERYONE } from "@parley/protocol/codes";
import type { AlertingMessage, ChatRef } from "../../delivery/delivery.ts";
import type { ContactReads } from "../../ports/contact-store.ts";
import type { GroupMessageReads } from "../../ports/group-message-store.ts";
import type { GroupReads } from "../../ports/group-store.ts";
import type { PrivateMessageReads } from "../../ports/private-message-store.ts";
import type { SystemMessageReads } from "../../ports/system-message-store.ts";
import type { NewMessages } from "./web-push-payload.ts";

/** New messages in one chat of one person for which no push was sent yet. */
export interface PendingMessages {
  readonly userId: number;
  readonly chat: ChatRef;
  readonly messages: readonly AlertingMessage[];
  /** How many there are; only the newest are in `messages`. */
  readonly count: number;
}

/** What the decision reads. */
export type AlertReads = Pick<ContactReads, "findFriend"> &
  Pick<GroupReads, "findGroup" | "findGroupMember"> &
  Pick<PrivateMessageReads, "privateReadPositions"> &
  Pick<GroupMessageReads, "groupReadPosition"> &
  Pick<SystemMessageReads, "systemReadPosition">;

/** What to say about these messages; undefined for nothing. It goes by the present state: messages that were read or muted since then are left out. */
export async function decideAlert(
  reads: AlertReads,
  { userId, chat, messages, count }: PendingMessages,
): Promise<NewMessages | undefined> {
  const view = await viewOf(reads, userId, chat);
  if (view === undefined) return undefined;
  const mentionsMe = ({ atUserIds }: AlertingMessage) =>
    atUserIds.includes(userId) || atUserIds.includes(EVERYONE);
  const wanted = messages.filter(
    (message) =>
      message.position > view.readPosition &&
      allowsAlert(
        { type: chat.type, msgRemind: view.msgRemind },
        { sendRole: message.sendRole, mentionsMe: mentionsMe(message) },
      ),
  );
  const newest = wanted.at(-1);
  if (newest === undefined) return undefined;
  return {
    userId,
    chat,
    newest,
    count: wanted.length === messages.length ? count : wanted.length,
    isMention: wanted.some(mentionsMe),
    names: { group: view.group, sender: view.remark ?? newest.sendNickName },
  };
}

/** A chat as its person sees it. */
interface ChatView {
  readPosition: number;
  msgRemind: number | null;
  group: string | null;
  /** How the person calls the other one of a private chat; null if they use the other's own name. */
  remark: string | null;
}

/** Undefined if the person is no longer a member of the group. */
export async function viewOf(
  reads: AlertReads,
  userId: number,
  { type, targetId }: ChatRef,
): Promise<ChatView | undefined> {
  if (type === ChatType.SYSTEM) {
    const readPosition = await reads.systemReadPosition(userId);
    return { readPosition, msgRemind: null, group: null, remark: null };
  }
  if (type === ChatType.PRIVATE) {
    const friend = await reads.findFriend(userId, targetId);
    const [position] = await reads.privateReadPositions(userId, [targetId]);
    return {
      readPosition: position?.mine ?? -1,
      msgRemind: friend?.msgRemind ?? null,
      group: null,
      remark: friend?.remarkNickName || null,
    };
  }
  const member = await reads.findGroupMember(targetId, userId);
  if (member === undefined || member.quit) return undefined;
  const group = await reads.findGroup(targetId);
  return {
    readPosition: await reads.groupReadPosition(userId, targetId),
    msgRemind: member.msgRemind,
    group: member.remarkGroupName || (group?.name ?? ""),
    remark: null,
  };
}
