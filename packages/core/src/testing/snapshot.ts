import { MessageStatus } from "@parley/protocol/codes";
import type { Chat, ChatMessage, State } from "../model/state.ts";

/**
 * What two clients of one person must agree on, in a form that compares and prints well. Left out: what only one client has (drafts,
 * which chat is open, echoes) and how much of a chat lies in memory.
 */
export interface Snapshot {
  readonly order: readonly string[];
  readonly chats: Readonly<Record<string, ChatSnapshot>>;
  readonly friends: readonly string[];
  readonly requests: readonly number[];
  /** Those I am in, as they are listed. */
  readonly groups: readonly string[];
  readonly groupRequests: readonly number[];
}

export interface ChatSnapshot {
  readonly messages: readonly string[];
  readonly unread: number;
  readonly mentions: string;
  readonly readId: number;
  readonly theirReadId: number;
  readonly preview: string;
  readonly lastSendTime: number;
  readonly isTop: boolean;
  readonly msgRemind: number;
}

export function snapshotOf(state: State): Snapshot {
  const { chats, contacts, groups } = state;
  const order = chats.order.filter((key) => chats.byKey[key]?.sync.newest !== null);
  return {
    order,
    chats: Object.fromEntries(order.map((key) => [key, chatSnapshot(chats.byKey[key] as Chat)])),
    friends: Object.values(contacts.friends)
      .map((friend) => `${friend.id} ${friend.showNickName}${friend.isDeleted ? " deleted" : ""}`)
      .sort(),
    requests: contacts.requests.map((request) => request.id).sort((a, b) => a - b),
    groups: groups.order.map((id) => `${id} ${groups.byId[id]?.showGroupName}`),
    groupRequests: groups.requests.map((request) => request.id),
  };
}

function chatSnapshot(chat: Chat): ChatSnapshot {
  const { preview } = chat;
  return {
    messages: chat.window.messages.map(line),
    unread: chat.unread,
    mentions: `${chat.sync.mentions.map(({ id }) => id).join()} ${chat.atMe} ${chat.atAll}`,
    readId: chat.readId,
    theirReadId: chat.theirReadId,
    preview:
      preview === null ? "" : `${preview.key}:${preview.text}:${preview.tip?.key ?? ""}:${preview.sendId}`,
    lastSendTime: chat.lastSendTime,
    isTop: chat.isTop,
    msgRemind: chat.msgRemind,
  };
}

function line(message: ChatMessage): string {
  const { id, sendId, content, status, sendTime, hasTimeTip, sending, system, tip, isEdited } = message;
  const request = system?.request === undefined ? "" : ` request ${system?.request?.status}`;
  return `${hasTimeTip ? "--- " : ""}${id} by ${sendId} at ${sendTime} (${status}${sending ?? ""}): ${content}${request}${quoteOf(message)}${isEdited ? " edited" : ""}${tip === null ? "" : ` ${tip.key} ${JSON.stringify(tip.params)}`}${groupOf(message)}`;
}

/** How many have read it is told to its sender alone. */
function groupOf({ group, selfSend }: ChatMessage): string {
  if (group === null) return "";
  const { sendRole, atUserIds, receipt, readedCount } = group;
  const at = atUserIds.length === 0 ? "" : ` @${atUserIds.join()}`;
  return ` as ${sendRole}${at}${receipt && selfSend ? ` read by ${readedCount}` : ""}`;
}

function quoteOf({ quoteMessage }: ChatMessage): string {
  if (quoteMessage === null) return "";
  const { id, sendId, type, content, status } = quoteMessage;
  return ` > ${id} by ${sendId} as ${type}${status === MessageStatus.RECALL ? " recalled" : `: ${content}`}`;
}
