import { useCallback } from "react";
import {
  Bookmark,
  BookmarkX,
  ChartBar,
  CircleStop,
  Copy,
  Download,
  Eye,
  Flag,
  Forward,
  ListChecks,
  ListOrdered,
  ListPlus,
  type LucideIcon,
  Pencil,
  Pin,
  PinOff,
  Reply,
  RotateCcw,
  Send,
  SmilePlus,
  ThumbsUp,
  Trash2,
  Undo2,
} from "lucide-react";
import { isPinned } from "@parley/core/model/chats/pins";
import { copiedContent, isEditable } from "@parley/core/model/chats/polls";
import { isSaved } from "@parley/core/model/chats/saved-messages";
import type { ChatKey, ChatMessage, ChatWindow, Result, State } from "@parley/core/model/state";
import { ChatType, MessageType } from "@parley/protocol/codes";
import { EDIT_SECONDS_DEFAULT, RECALL_SECONDS_DEFAULT } from "@parley/protocol/limits";
import { isWritten, kindOf } from "@parley/protocol/message";
import { copyText, copyWithToast } from "../../../kit/forms/copy-text.ts";
import { currentLocale, currentText, type TextId } from "../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../kit/loading/lazy-component.tsx";
import { openDialog } from "../../../kit/dialogs/open-dialog.ts";
import type { ShortcutAction } from "../../../kit/settings/shortcuts.ts";
import { clockTime } from "../../../kit/i18n/time-text.ts";
import { toasts } from "../../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import {
  type ActionContext,
  showDialog,
  toggleSelected,
  useCanWrite,
  useConversationUi,
} from "./conversation-ui.ts";
import { copyPicture, downloadMedia } from "./media/media-files.ts";
import {
  type GroupPermissions,
  groupPermissions,
  MEMBER_ACTIONS,
  type MemberAction,
} from "./member-actions.ts";
import { messageSummary } from "./message-summary.ts";
import {
  askForLine,
  askForOption,
  askToClosePoll,
  hasVoters,
  isOpenPoll,
  isSignUpList,
  lineTextIn,
  showVoters,
  takesOptions,
} from "./polls/poll-acts.ts";
import {
  hasReactions,
  joinFirstReaction,
  showReactions,
  THUMBS_UP,
  toggleReaction,
} from "./reactions/reaction-acts.ts";

const ForwardDialog = lazyComponent(() => import("./message-dialogs.tsx").then((part) => part.ForwardDialog));
const DeleteDialog = lazyComponent(() => import("./message-dialogs.tsx").then((part) => part.DeleteDialog));
const RecallDialog = lazyComponent(() => import("./message-dialogs.tsx").then((part) => part.RecallDialog));
const ReadersDialog = lazyComponent(() => import("./message-dialogs.tsx").then((part) => part.ReadersDialog));

/** What one can do with a message. Menus, buttons and shortcuts are made of it. */
export interface MessageAction extends ActionLook {
  readonly isDanger?: true;
  /** What is different of its text and icon for one message. The bar of the selected messages shows it without. */
  look?(message: ChatMessage, conditions: ActionConditions): Partial<ActionLook>;
  /** It has no item in the menu, which offers the same in another way. */
  readonly isKeyOnly?: true;
  /** It concerns the sender, and is at the end of the menu, after a line. */
  readonly isModeration?: true;
  /** While the message has the focus, it runs the first offered action that has it. */
  readonly shortcut?: ShortcutAction;
  /** Where it has a button, beside its item in the menu. */
  readonly buttons?: readonly ("hoverBar" | "viewer")[];
  /** Its button in the bar of the selected messages. */
  readonly selection?: SelectionAction;
  isOffered(message: ChatMessage, conditions: ActionConditions): boolean;
  run(message: ChatMessage, context: ActionContext): void;
}

/** How an action is shown. */
interface ActionLook {
  /** May insert the `name` of the sender. */
  readonly text: TextId;
  readonly Icon: LucideIcon;
}

/** What an action does with all selected messages, the oldest first. */
interface SelectionAction {
  /** Shown beside the icon, which is alone without it. */
  readonly text?: TextId;
  /** Whether it can do it with this one; without it, it can with each. */
  readonly takes?: (message: ChatMessage, conditions: ActionConditions) => boolean;
  /** `nameOf`: the name of a sender in this chat. */
  run(
    messages: readonly ChatMessage[],
    context: ActionContext,
    nameOf: (message: ChatMessage) => string,
  ): void;
}

/** Each action by its id, in the order of the menu. */
const DESCRIPTORS = {
  resend: {
    text: "chat.resend",
    Icon: Send,
    isOffered: (message) => isFailed(message) && canResend(message),
    run({ tmpId }, { client, ui }) {
      if (tmpId !== null) client.chats.resend(ui.key, tmpId);
    },
  },
  quote: {
    text: "act.quote",
    Icon: Reply,
    shortcut: "quote",
    buttons: ["hoverBar"],
    isOffered: (message, { canWrite }) => isSent(message) && canWrite && kindOf(message.type)?.shown === true,
    run({ id }, { client, ui }) {
      if (id === null) return;
      ui.set({ editing: null });
      client.chats.setQuote(ui.key, id);
      ui.composer.current?.focus();
    },
  },
  forward: {
    text: "act.forward",
    Icon: Forward,
    buttons: ["hoverBar", "viewer"],
    selection: { text: "choose.forward", takes: canForward, run: askWhereToForward },
    isOffered: (message) => isSent(message) && canForward(message),
    run: (message, context) => askWhereToForward([message], context),
  },
  copy: {
    text: "act.copy",
    Icon: Copy,
    shortcut: "copy",
    selection: { run: (...selected) => void copySelected(...selected) },
    look: (message) => (isImage(message) ? { text: "media.copyPicture" } : {}),
    isOffered: (message) => isText(message) || (isSent(message) && isImage(message)),
    run: (message, context) =>
      void (isImage(message)
        ? copyPicture(context.client, message)
        : copyWithToast(copiedContent(message, lineTextIn(context)))),
  },
  save: {
    text: "media.save",
    Icon: Download,
    isOffered: (message) => isSent(message) && kindOf(message.type)?.fileFields !== undefined,
    run: (message, { client }) => downloadMedia(client, message),
  },
  edit: {
    text: "act.edit",
    Icon: Pencil,
    shortcut: "edit",
    isOffered: (message, conditions) =>
      isSent(message) &&
      isEditable(message) &&
      conditions.canWrite &&
      isOwnWithin(conditions.editSeconds, message, conditions),
    run: (message, { ui }) => ui.set({ editing: message }),
  },
  choose: {
    text: "act.choose",
    Icon: ListChecks,
    shortcut: "choose",
    isOffered: isSent,
    run: (message, { ui }) => toggleSelected(ui, message),
  },
  readers: {
    text: "readers.title",
    Icon: Eye,
    isOffered: (message, { group }) => isSent(message) && canSeeReaders(message, group),
    run({ id }, { ui }) {
      if (id !== null) showDialog(ui, ReadersDialog, { id });
    },
  },
  reactions: {
    text: "reaction.title",
    Icon: SmilePlus,
    isOffered: (message, { state }) => isSent(message) && hasReactions(message, state),
    run: (message, { ui }) => showReactions(message, ui),
  },
  thumbsUp: {
    text: "keys.thumbsUp",
    Icon: ThumbsUp,
    isKeyOnly: true,
    shortcut: "thumbsUp",
    isOffered: canReact,
    run: (message, context) => toggleReaction(message, THUMBS_UP, context),
  },
  joinReaction: {
    text: "keys.joinReaction",
    Icon: SmilePlus,
    isKeyOnly: true,
    shortcut: "joinReaction",
    isOffered: (message, conditions) =>
      canReact(message, conditions) && hasReactions(message, conditions.state),
    run: joinFirstReaction,
  },
  pin: {
    text: "act.pin",
    Icon: Pin,
    look: (message, { state }) => (isPinned(message, state) ? { text: "act.unpin", Icon: PinOff } : {}),
    isOffered: canPin,
    run(message, { client, ui }) {
      if (message.id !== null) client.chats.pin(ui.key, message.id, !isPinned(message, client.getState()));
    },
  },
  saved: {
    text: "saved.add",
    Icon: Bookmark,
    look: ({ id }, { state }) => (isSaved(state, id) ? { text: "saved.remove", Icon: BookmarkX } : {}),
    isOffered: (message) => isSent(message) && message.system === null && isWritten(message),
    run({ id }, { client, ui }) {
      if (id === null) return;
      if (isSaved(client.getState(), id)) client.chats.removeSaved(ui.key, id);
      else client.chats.save(ui.key, id, { note: "", tags: [] });
    },
  },
  voters: {
    text: "poll.people",
    Icon: ChartBar,
    isOffered: (message) => isSent(message) && hasVoters(message),
    run: (message, { ui }) => showVoters(message, ui),
  },
  addPollOption: {
    text: "poll.addOption",
    Icon: ListPlus,
    isOffered: (message, conditions) => canVote(message, conditions) && takesOptions(message),
    run: (message, { ui }) => askForOption(message, ui),
  },
  signUp: {
    text: "signUp.myLine",
    Icon: ListOrdered,
    isOffered: (message, conditions) => canVote(message, conditions) && isSignUpList(message),
    run: (message, { ui }) => askForLine(message, ui),
  },
  closePoll: {
    text: "poll.close",
    Icon: CircleStop,
    look: (message) => (isSignUpList(message) ? { text: "signUp.close" } : {}),
    isOffered: canClosePoll,
    run: (message, { ui }) => askToClosePoll(message, ui),
  },
  mention: onSender("mention"),
  report: {
    text: "report.action",
    Icon: Flag,
    isOffered: (message) => isSent(message) && !message.selfSend,
    run({ id, sendNickName: name }, { ui }) {
      if (id === null) return;
      const isInGroup = ui.key.startsWith(ChatType.GROUP);
      const thing = isInGroup ? { groupMessageId: id } : { privateMessageId: id };
      openDialog({ kind: "report", thing, name });
    },
  },
  recall: {
    text: "act.recall",
    Icon: RotateCcw,
    isDanger: true,
    shortcut: "takeBack",
    isOffered: (message, conditions) => isSent(message) && canRecall(message, conditions),
    run({ id, selfSend, sendNickName: name }, { client, ui }) {
      if (id === null) return;
      if (selfSend) void client.chats.recall(ui.key, id).then(startRemoval());
      else showDialog(ui, RecallDialog, { id, name });
    },
  },
  delete: {
    text: "act.delete",
    Icon: Trash2,
    isDanger: true,
    shortcut: "takeBack",
    selection: { run: askWhetherToDelete },
    isOffered: isSent,
    run: (message, context) => askWhetherToDelete([message], context),
  },
  mute: onSender("mute"),
  unmute: onSender("unmute"),
  remove: onSender("remove"),
  discard: {
    text: "chat.discard",
    Icon: Undo2,
    isDanger: true,
    shortcut: "takeBack",
    isOffered: (message) => isFailed(message) || (message.id === null && message.upload !== null),
    run({ tmpId }, { client, ui }) {
      if (tmpId !== null) client.chats.discard(ui.key, tmpId);
    },
  },
} as const satisfies Readonly<Record<string, MessageAction>>;

/** The id of an action on a message. */
type MessageActionId = keyof typeof DESCRIPTORS;

/** What one can do with a message, in the order of the menu. */
export const MESSAGE_ACTIONS: Readonly<Record<MessageActionId, MessageAction>> = DESCRIPTORS;

/** An action on the member of the group who has sent the message. */
function onSender(action: MemberAction): MessageAction {
  const { isOffered: _, run, ...item } = MEMBER_ACTIONS[action];
  return {
    ...item,
    isOffered: (message, { group }) =>
      isSent(message) && !message.selfSend && group?.memberActions(message.sendId).includes(action) === true,
    run: ({ sendId: userId, sendNickName: name }, context) => run(context, { userId, name }),
  };
}

/** What decides which actions a message allows and how they are shown, beside the message. */
interface ActionConditions {
  /** An action may depend on any part of it. */
  readonly state: State;
  readonly chatKey: ChatKey;
  /** Whether messages can be sent in this chat. */
  readonly canWrite: boolean;
  /** My permissions in a group; null in other chats. */
  readonly group: GroupPermissions | null;
  /** By the server's clock, by which the times of messages count. */
  readonly now: number;
  /** The server's time windows, or the defaults until they are loaded. */
  readonly recallSeconds: number;
  readonly editSeconds: number;
}

/** The conditions in a chat at the time `now` of this device. */
export function actionConditions(
  state: State,
  chatKey: ChatKey,
  canWrite: boolean,
  now = Date.now(),
): ActionConditions {
  const { recallSeconds, editSeconds } = state.config?.message ?? {
    recallSeconds: RECALL_SECONDS_DEFAULT,
    editSeconds: EDIT_SECONDS_DEFAULT,
  };
  return {
    state,
    chatKey,
    canWrite,
    group: groupPermissions(state, chatKey),
    now: now - state.clockAheadMs,
    recallSeconds,
    editSeconds,
  };
}

/** The ids of all actions, in the order of the menu. */
export function messageActionIds(): readonly MessageActionId[] {
  return Object.keys(MESSAGE_ACTIONS) as MessageActionId[];
}

/** An action that a message allows, with the look that it has there. */
interface AllowedAction extends MessageAction {
  readonly id: MessageActionId;
}

/** What a message allows, in the order of its menu. */
export function allowedActions(message: ChatMessage, conditions: ActionConditions): readonly AllowedAction[] {
  return messageActionIds().flatMap((id) => {
    const action = MESSAGE_ACTIONS[id];
    return action.isOffered(message, conditions)
      ? [{ ...action, ...action.look?.(message, conditions), id }]
      : [];
  });
}

function isFailed({ sending }: ChatMessage): boolean {
  return sending === "failed";
}

function isSent(message: ChatMessage): boolean {
  return message.id !== null && !isFailed(message);
}

function isText({ type }: ChatMessage): boolean {
  return kindOf(type)?.isEditable === true;
}

function isImage({ type }: ChatMessage): boolean {
  return type === MessageType.IMAGE;
}

function isOwnWithin(
  seconds: number,
  { selfSend, sendTime, receivedAt }: ChatMessage,
  { now }: ActionConditions,
): boolean {
  // The time of a message may have waited for a clock that was ahead.
  return selfSend && now - (receivedAt ?? sendTime) <= seconds * 1_000;
}

/** Whether a failed message can be sent again: not if its file is lost. */
export function canResend({ failure }: Pick<ChatMessage, "failure">): boolean {
  return failure?.kind !== "fileLost";
}

/** Whether one can react to a message: a muted group may still do so. */
export function canReact(
  message: ChatMessage,
  { canWrite, group }: Pick<ActionConditions, "canWrite" | "group">,
): boolean {
  return isSent(message) && isWritten(message) && (group?.can("react", message.sendId) ?? canWrite);
}

/** Whether one can pin a message, and unpin it. */
export function canPin(
  message: ChatMessage,
  { canWrite, group }: Pick<ActionConditions, "canWrite" | "group">,
): boolean {
  return isSent(message) && isWritten(message) && (group?.can("pin", message.sendId) ?? canWrite);
}

/** Whether one can vote in a poll. */
function canVote(message: ChatMessage, { canWrite, group, now }: ActionConditions): boolean {
  return isSent(message) && isOpenPoll(message, now) && (group?.can("vote", message.sendId) ?? canWrite);
}

/** Its author ends a poll, in a group also the leaders. */
function canClosePoll(message: ChatMessage, conditions: ActionConditions): boolean {
  const { selfSend, sendId } = message;
  return canVote(message, conditions) && (selfSend || conditions.group?.can("closePoll", sendId) === true);
}

/** Own messages can be recalled within the time window; in a group some roles can recall messages of others at any time. */
function canRecall(message: ChatMessage, conditions: ActionConditions): boolean {
  const { group, recallSeconds } = conditions;
  const isOwnInTime = isOwnWithin(recallSeconds, message, conditions);
  if (group === null) return isOwnInTime;
  const { sendId } = message;
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
function canForward(message: ChatMessage): boolean {
  return message.id !== null && kindOf(message.type)?.isForwardable === true;
}

function askWhereToForward(messages: readonly ChatMessage[], { ui }: ActionContext): void {
  showDialog(ui, ForwardDialog, { ids: idsOf(messages) });
}

function askWhetherToDelete(messages: readonly ChatMessage[], { ui }: ActionContext): void {
  showDialog(ui, DeleteDialog, { ids: idsOf(messages) });
}

function idsOf(messages: readonly ChatMessage[]): readonly number[] {
  return messages.flatMap(({ id }) => id ?? []);
}

/** Copies the selected messages with names and times, and ends the selection. */
async function copySelected(
  messages: readonly ChatMessage[],
  { ui }: ActionContext,
  nameOf: (message: ChatMessage) => string,
): Promise<void> {
  const t = currentText();
  const lines = messages.map(
    (one) => `${nameOf(one)} ${clockTime(one.sendTime, currentLocale())}\n${messageSummary(one, t)}`,
  );
  if (!(await copyText(lines.join("\n")))) return toasts.error(t("chat.copyRefused"));
  toasts.success(t("chat.copied"));
  ui.set({ selected: null });
}

/**
 * The text that ↑ edits: the last editable one. null while a newer text is being sent or newer messages are not loaded, because the person
 * then does not mean an earlier one.
 */
export function lastEditable(
  window: ChatWindow | undefined,
  conditions: ActionConditions,
): ChatMessage | null {
  if (window === undefined || window.hasNewer) return null;
  const last = window.messages.findLast(
    (one) => isBeingSent(one) || MESSAGE_ACTIONS.edit.isOffered(one, conditions),
  );
  return last === undefined || isBeingSent(last) ? null : last;
}

function isBeingSent(message: ChatMessage): boolean {
  return message.id === null && isText(message) && !isFailed(message);
}

/** Returns a function that runs an action on a message of this conversation. */
export function useMessageActions(): (action: MessageActionId, message: ChatMessage) => void {
  const client = useClient();
  const ui = useConversationUi();
  return useCallback((action, message) => MESSAGE_ACTIONS[action].run(message, { client, ui }), [client, ui]);
}

/** The conditions of this conversation as they are now. */
export function useActionConditions(): ActionConditions {
  const { key } = useConversationUi();
  const canWrite = useCanWrite();
  // Few places show actions at a time, so they may render with every change of the state.
  const state = useClientState((whole) => whole);
  return actionConditions(state, key, canWrite);
}

/** Whether one can react to a message of this conversation now. */
export function useCanReact(message: ChatMessage): boolean {
  const { key } = useConversationUi();
  const canWrite = useCanWrite();
  return useClientState((state) => canReact(message, { canWrite, group: groupPermissions(state, key) }));
}

/** Whether one can vote in a poll of this conversation now. */
export function useCanVote(message: ChatMessage): boolean {
  const { key } = useConversationUi();
  const canWrite = useCanWrite();
  return useClientState((state) => canVote(message, actionConditions(state, key, canWrite)));
}

const MESSAGE = '[role="article"]';

/**
 * Call it before the focused message is removed, and what it returns with the result. That moves the focus to the message next to it if the
 * focus was lost, so that keyboard users need not start again; a focus set by a pointer is not restored. A failure is shown.
 */
export function startRemoval(): (result: Result<null>) => void {
  const restoreFocus = neighbourFocus();
  return (result) => {
    if (result.ok) requestAnimationFrame(restoreFocus);
    else toasts.failure(result.failure);
  };
}

function neighbourFocus(): () => void {
  const row = document.activeElement;
  if (row?.matches(`${MESSAGE}:focus-visible`) !== true) return () => undefined;
  const rows = [...document.querySelectorAll<HTMLElement>(`[role="log"] ${MESSAGE}`)].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const index = rows.findIndex((one) => one === row);
  const neighbour = rows[index + 1] ?? rows[index - 1];
  return () => {
    if (!row.isConnected && document.activeElement === document.body)
      neighbour?.focus({ preventScroll: true });
  };
}
