/** Which messages may alert somebody. The client asks for sounds and notifications, the server for web pushes. */
import { ChatType, GroupRole } from "./codes.ts";
import { type CallResult, kindOf } from "./message.ts";

/** The results of calls whose record counts as unread. */
export const MISSED_CALL_RESULTS: ReadonlySet<string> = new Set([
  "cancelled",
  "unanswered",
  "busy",
  "failed",
]);

/** Whether a message of this type counts as unread for everybody except its sender. A type that only a newer server knows does. */
export function countsAsUnread({ type, act }: { type: number; act: CallResult | null }): boolean {
  const kind = kindOf(type);
  if (kind === undefined) return true;
  if (kind.unread !== "missed") return kind.unread;
  return act !== null && MISSED_CALL_RESULTS.has(act.result);
}

/** The alert level (`msgRemind`) of a chat for which nothing was set: every message alerts. */
export function usualLevel(type: ChatType): 0 | 1 {
  return type === ChatType.GROUP ? 0 : 1;
}

/** The alert level of a muted chat. */
export function mutedLevel(type: ChatType): 0 | 2 {
  return type === ChatType.GROUP ? 2 : 0;
}

/**
 * Whether the alert level of a chat lets a message alert. Private chats and the system chat: all messages unless `msgRemind` is 0. Groups:
 * 0 all messages, 1 those of owner and admins and those that mention the person, 2 none.
 */
export function allowsAlert(
  { type, msgRemind }: { type: ChatType; msgRemind: number | null },
  { sendRole, mentionsMe }: { sendRole: number | null; mentionsMe: boolean },
): boolean {
  if (type !== ChatType.GROUP) return msgRemind !== mutedLevel(type);
  if (msgRemind !== 1) return msgRemind === usualLevel(type);
  return mentionsMe || (sendRole ?? GroupRole.MEMBER) >= GroupRole.ADMIN;
}
