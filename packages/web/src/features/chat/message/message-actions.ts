import { EDIT_SECONDS_DEFAULT, RECALL_SECONDS_DEFAULT } from "@parley/protocol/limits";
import { MessageType } from "@parley/protocol/codes";
import { kindOf } from "@parley/protocol/message";
import type { ChatMessage, ChatWindow, State } from "@parley/core/model/state";
import type { GroupPermissions, MemberAction } from "./member-actions.ts";

/** What one can do with a message. */
export type MessageAction =
  | "resend"
  | "quote"
  | "forward"
  | "copy"
  | "copyPicture"
  | "save"
  | "edit"
  | "choose"
  | "readers"
  | "report"
  | "recall"
  | "delete"
  | "discard"
  | MemberAction;

/** What decides which actions a message allows, beside the message. */
export interface ActionLimits {
  /** By the server's clock. */
  readonly now: number;
  readonly recallSeconds: number;
  readonly editSeconds: number;
  /** Whether messages can be sent in this chat. */
  readonly canWrite: boolean;
  /** My permissions in a group; null in other chats. */
  readonly group: GroupPermissions | null;
}

/**
 * The limits at the time `now` of this device, with the server's time windows for recall and edit, or the defaults until they are loaded.
 * The windows count by the server's clock, as the times of messages do.
 */
export function actionLimits(
  { config, clockAheadMs }: Pick<State, "config" | "clockAheadMs">,
  now: number,
  canWrite: boolean,
  group: GroupPermissions | null = null,
): ActionLimits {
  const { recallSeconds, editSeconds } = config?.message ?? {
    recallSeconds: RECALL_SECONDS_DEFAULT,
    editSeconds: EDIT_SECONDS_DEFAULT,
  };
  return { now: now - clockAheadMs, recallSeconds, editSeconds, canWrite, group };
}

/** What a message allows now, in the order of its menu. */
export function allowedActions(message: ChatMessage, limits: ActionLimits): readonly MessageAction[] {
  const kind = kindOf(message.type);
  const isText = kind?.isEditable === true;
  const copy: readonly MessageAction[] = isText ? ["copy"] : [];
  if (message.sending === "failed")
    return canResend(message) ? ["resend", ...copy, "discard"] : [...copy, "discard"];
  if (message.id === null) return message.upload === null ? copy : ["discard"];
  // The time of a message may have waited for a clock that was ahead.
  const age = limits.now - (message.receivedAt ?? message.sendTime);
  const isOwnWithin = (seconds: number) => message.selfSend && age <= seconds * 1_000;
  const actions: MessageAction[] = [];
  if (limits.canWrite && kind?.shown === true) actions.push("quote");
  if (canForward(message)) actions.push("forward");
  actions.push(...copy);
  if (kind?.fileFields !== undefined) {
    if (message.type === MessageType.IMAGE) actions.push("copyPicture");
    actions.push("save");
  }
  if (isText && limits.canWrite && isOwnWithin(limits.editSeconds)) actions.push("edit");
  actions.push("choose");
  if (canSeeReaders(message, limits.group)) actions.push("readers");
  const memberActions = message.selfSend ? [] : (limits.group?.memberActions(message.sendId) ?? []);
  if (memberActions.includes("mention")) actions.push("mention");
  if (!message.selfSend) actions.push("report");
  if (canRecall(message, limits.group, isOwnWithin(limits.recallSeconds))) actions.push("recall");
  actions.push("delete", ...memberActions.filter((one) => one !== "mention"));
  return actions;
}

/** Whether a failed message can be sent again: not if its file is lost. */
export function canResend({ failure }: Pick<ChatMessage, "failure">): boolean {
  return failure?.kind !== "fileLost";
}

/** Own messages can be recalled within the time window; in a group some roles can recall messages of others at any time. */
function canRecall({ sendId }: ChatMessage, group: GroupPermissions | null, isOwnInTime: boolean): boolean {
  if (group === null) return isOwnInTime;
  return group.can("recallOthers", sendId) || (isOwnInTime && group.can("recallOwn", sendId));
}

/** The sender who requested receipts, the owner and admins can see the readers: the server answers only them. */
function canSeeReaders(
  { selfSend, sendId, group }: ChatMessage,
  permissions: GroupPermissions | null,
): boolean {
  return (
    permissions !== null && group?.receipt === true && (selfSend || permissions.can("handleRequests", sendId))
  );
}

/** Whether a copy can be sent to others. Nudges and kinds that clients cannot send, such as money, cannot be forwarded. */
export function canForward(message: ChatMessage): boolean {
  return message.id !== null && kindOf(message.type)?.isForwardable === true;
}

/**
 * The text that ↑ edits: the last editable one. null while a newer text is being sent or newer messages are not loaded, because the person
 * then does not mean an earlier one.
 */
export function lastEditable(window: ChatWindow | undefined, limits: ActionLimits): ChatMessage | null {
  if (window === undefined || window.hasNewer) return null;
  const last = window.messages.findLast(
    (one) => isBeingSent(one) || allowedActions(one, limits).includes("edit"),
  );
  return last === undefined || isBeingSent(last) ? null : last;
}

function isBeingSent({ id, type, sending }: ChatMessage): boolean {
  return id === null && kindOf(type)?.isEditable === true && sending !== "failed";
}
