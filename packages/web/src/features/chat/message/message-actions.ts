import { MessageType } from "@parley/protocol/codes";
import { EDIT_SECONDS_DEFAULT, RECALL_SECONDS_DEFAULT } from "@parley/protocol/limits";
import { kindOf } from "@parley/protocol/message";
import type { ChatMessage, ChatWindow, State } from "@parley/core/model/state";
import type { GroupPermissions, MemberAction } from "./member-actions.ts";

/** What can be done with a message, in the order of its menu. */
export type MessageAction =
  | "resend"
  | "quote"
  | "forward"
  | "copy"
  | "edit"
  | "choose"
  | "readers"
  | "recall"
  | "delete"
  | "discard"
  | MemberAction;

export interface ActionLimits {
  readonly now: number;
  readonly recallSeconds: number;
  readonly editSeconds: number;
  /** Something can be sent in this chat. */
  readonly canWrite: boolean;
  /** In a group: what else its rights say. */
  readonly group: GroupPermissions | null;
}

/** The server's windows of time, or the usual ones while it has not told them. */
export function actionLimits(
  config: State["config"],
  now: number,
  canWrite: boolean,
  group: GroupPermissions | null = null,
): ActionLimits {
  const { recallSeconds, editSeconds } = config?.message ?? {
    recallSeconds: RECALL_SECONDS_DEFAULT,
    editSeconds: EDIT_SECONDS_DEFAULT,
  };
  return { now, recallSeconds, editSeconds, canWrite, group };
}

/** What this message allows now. */
export function allowedActions(message: ChatMessage, limits: ActionLimits): readonly MessageAction[] {
  const isText = message.type === MessageType.TEXT;
  const copy: readonly MessageAction[] = isText ? ["copy"] : [];
  if (message.sending === "failed") return ["resend", ...copy, "discard"];
  if (message.id === null) return copy;
  const age = limits.now - message.sendTime;
  const isWithin = (seconds: number) => message.selfSend && age <= seconds * 1_000;
  const actions: MessageAction[] = [];
  if (limits.canWrite && kindOf(message.type)?.sendable !== undefined) actions.push("quote");
  if (canForward(message)) actions.push("forward");
  actions.push(...copy);
  if (isText && limits.canWrite && isWithin(limits.editSeconds)) actions.push("edit");
  actions.push("choose");
  if (canSeeReaders(message, limits.group)) actions.push("readers");
  const members = message.selfSend ? [] : (limits.group?.memberActions(message.sendId) ?? []);
  if (members.includes("mention")) actions.push("mention");
  if (canRecall(message, limits.group, isWithin(limits.recallSeconds))) actions.push("recall");
  actions.push("delete", ...members.filter((one) => one !== "mention"));
  return actions;
}

/** One's own for a while; in a group also what its rights say, at any time. */
function canRecall({ sendId }: ChatMessage, group: GroupPermissions | null, isWithin: boolean): boolean {
  if (group === null) return isWithin;
  return group.can("recallOthers", sendId) || (isWithin && group.can("recallOwn", sendId));
}

/** Who has asked, owner and admins: those whom the server tells. */
function canSeeReaders({ selfSend, sendId, group }: ChatMessage, limits: GroupPermissions | null): boolean {
  return limits !== null && group?.receipt === true && (selfSend || limits.can("handleRequests", sendId));
}

/** Whether a copy of it can be sent to somebody else. A shake is for who was shaken, and money is for one. */
export function canForward(message: ChatMessage): boolean {
  return message.id !== null && message.type !== MessageType.SHAKE && kindOf(message.type)?.sendable === true;
}

/**
 * The text that ↑ edits: the last one that may be edited. None while a later one is still on its way, or lies below what is in memory:
 * nobody means the one before it.
 */
export function lastEditable(window: ChatWindow | undefined, limits: ActionLimits): ChatMessage | null {
  if (window === undefined || window.hasNewer) return null;
  const last = window.messages.findLast(
    (one) => isBeingSent(one) || allowedActions(one, limits).includes("edit"),
  );
  return last === undefined || isBeingSent(last) ? null : last;
}

function isBeingSent({ id, type, sending }: ChatMessage): boolean {
  return id === null && type === MessageType.TEXT && sending !== "failed";
}
