import { ChatType, GroupRole, MessageStatus } from "@parley/protocol/codes";
import { pollText } from "@parley/protocol/poll";
import { newPollExtra } from "./polls.ts";
import { type ChatBuilder, findOwn, insertAt, removeAt, replaceAt } from "./chat-builder.ts";
import { parseChatKey } from "./chat-rows.ts";
import { applyRowEvents } from "./row-events.ts";
import { maskRemovedQuotes } from "./removed-by-moderator.ts";
import type { ChatMessage, Failure, GroupPart, OutboxEntry, Sending, State } from "../state.ts";

/** Local echoes: one's own messages that the server has not acknowledged. */

/** The local echo of a message of the outbox, with its sender as others will see them. */
export function localEchoOf(
  entry: OutboxEntry,
  sendId: number,
  sender: Pick<State, "me" | "groups">,
): ChatMessage {
  const { tmpId, type, upload, createdAt, failed, failure, quote, poll } = entry;
  // As the server will write it, so that the list and the search of this device show it the same way.
  const content = poll === undefined ? entry.content : pollText({ ...poll, question: entry.content });
  return {
    key: tmpId,
    id: null,
    tmpId,
    type,
    sendId,
    ...senderFieldsOf(entry, sender),
    content,
    upload,
    sendTime: createdAt,
    status: MessageStatus.UNSEND,
    selfSend: true,
    sending: failed ? "failed" : "waiting",
    failure,
    quoteMessage: quote && {
      id: quote.id,
      sendId: quote.sendId,
      content: quote.content,
      type: quote.type,
      status: MessageStatus.SENDED,
    },
    isEdited: false,
    editedAt: null,
    tip: null,
    act: null,
    hasTimeTip: false,
    system: null,
    ...(poll !== undefined && { extra: newPollExtra(entry.content, poll, sendId) }),
  };
}

/** In a group people have the name that they have there. */
function senderFieldsOf(
  { chatKey, atUserIds, receipt }: OutboxEntry,
  { me, groups }: Pick<State, "me" | "groups">,
): { readonly sendNickName: string; readonly group: GroupPart | null } {
  const sendNickName = me?.nickName ?? "";
  const target = parseChatKey(chatKey);
  if (target?.type !== ChatType.GROUP) return { sendNickName, group: null };
  const group = groups.byId[target.targetId];
  const sendRole = group?.role ?? GroupRole.MEMBER;
  return {
    sendNickName: group?.showNickName || sendNickName,
    group: { sendRole, atUserIds, receipt, receiptOk: false, readedCount: 0 },
  };
}

/** Shows a local echo behind all other messages. */
export function addLocalEcho(builder: ChatBuilder, localEcho: ChatMessage): void {
  // Another tab may have sent it, and its row may be here already.
  if (localEcho.tmpId !== null && findOwn(builder, localEcho.tmpId) !== undefined) return;
  // Never before the newest row, even if this computer's clock is behind.
  const sendTime = Math.max(localEcho.sendTime, builder.chat.sync.newest?.sendTime ?? 0);
  const { events, removedByModerator } = builder.chat.sync;
  const message = maskRemovedQuotes(applyRowEvents(localEcho, events), removedByModerator);
  insertAt(builder, builder.messages.length, { ...message, sendTime });
  if (builder.chat.isRemoved) builder.chat = { ...builder.chat, isRemoved: false };
}

function pendingIndex(builder: ChatBuilder, tmpId: string): number {
  return builder.messages.findIndex((message) => message.id === null && message.tmpId === tmpId);
}

/** Changes the sending state of a local echo. */
export function setSending(
  builder: ChatBuilder,
  tmpId: string,
  sending: Sending,
  failure: Failure | null,
): void {
  const index = pendingIndex(builder, tmpId);
  const message = builder.messages[index];
  if (message === undefined) return;
  replaceAt(builder, index, { ...message, sending, failure });
  // Only the chat can tell that its message does not arrive.
  if (sending === "failed" && builder.chat.isRemoved) builder.chat = { ...builder.chat, isRemoved: false };
}

/** The files of a local echo are uploaded, or have to be uploaded again. */
export function setUpload(
  builder: ChatBuilder,
  { tmpId, content, upload }: Pick<ChatMessage, "content" | "upload"> & { readonly tmpId: string },
): void {
  const index = pendingIndex(builder, tmpId);
  const message = builder.messages[index];
  if (message !== undefined) replaceAt(builder, index, { ...message, content, upload });
}

/** Removes a local echo. */
export function discardLocalEcho(builder: ChatBuilder, tmpId: string): void {
  const index = pendingIndex(builder, tmpId);
  if (index >= 0) removeAt(builder, index);
}
