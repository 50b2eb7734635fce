import { MessageStatus } from "@parley/protocol/codes";
import { isArchived, isMarkedUnread } from "../model/chats/chat-prefs.ts";
import { savedItems } from "../model/chats/saved-messages.ts";
import type { AnySharedValue } from "../model/shared-value.ts";
import { SHARED_VALUES } from "../model/shared-values.ts";
import type { Chat, ChatMessage, State } from "../model/state.ts";

/**
 * What two clients of one user must agree on, in a form that is easy to compare and to print. It leaves out what only one client has
 * (drafts, which chat is open, local echoes) and how much of a chat is in memory.
 */
export interface Snapshot {
  readonly order: readonly string[];
  readonly chats: Readonly<Record<string, ChatSnapshot>>;
  readonly friends: readonly string[];
  readonly requests: readonly number[];
  /** The groups of the user, in the order of the list. */
  readonly groups: readonly string[];
  readonly groupRequests: readonly number[];
  /** The chats that are marked as unread. */
  readonly marked: readonly string[];
  /** The chats in the archive. */
  readonly archived: readonly string[];
  /** The saved messages; each is one line of text. */
  readonly saved: readonly string[];
  /** The shared values of the change feed, by name. The others are of one device only. */
  readonly shared: Readonly<Record<string, unknown>>;
}

/** A chat in a snapshot; each message is one line of text. */
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

/** Takes a snapshot. */
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
    marked: order.filter((key) => isMarkedUnread(state, chats.byKey[key] as Chat)),
    archived: order.filter((key) => isArchived(state, chats.byKey[key] as Chat)),
    saved: savedItems(state).map(
      ({ id, key, note, tags, message }) => `${id} in ${key} "${note}" ${tags.join()}: ${message?.content}`,
    ),
    shared: Object.fromEntries(
      Object.entries<AnySharedValue>(SHARED_VALUES)
        .filter(([, { changesOf }]) => changesOf !== undefined)
        .map(([name]) => [name, state[name as keyof State]]),
    ),
  };
}

function chatSnapshot(chat: Chat): ChatSnapshot {
  const { preview } = chat;
  return {
    messages: chat.window.messages.map(messageLine),
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

function messageLine(message: ChatMessage): string {
  const { id, sendId, content, status, sendTime, hasTimeTip, sending, system, tip, isEdited } = message;
  const request = system?.request === undefined ? "" : ` request ${system?.request?.status}`;
  return `${hasTimeTip ? "--- " : ""}${id} by ${sendId} at ${sendTime} (${status}${sending ?? ""}): ${content}${request}${quoteOf(message)}${isEdited ? " edited" : ""}${tip === null ? "" : ` ${tip.key} ${JSON.stringify(tip.params)}`}${groupOf(message)}${extraOf(message)}`;
}

/** The read count is included only for own messages, because only their sender knows it. */
function groupOf({ group, selfSend }: ChatMessage): string {
  if (group === null) return "";
  const { sendRole, atUserIds, receipt, readedCount } = group;
  const at = atUserIds.length === 0 ? "" : ` @${atUserIds.join()}`;
  return ` as ${sendRole}${at}${receipt && selfSend ? ` read by ${readedCount}` : ""}`;
}

/** What people did to the message, without the versions, of which a device may have missed the last one. */
function extraOf({ extra }: ChatMessage): string {
  if (extra === undefined) return "";
  const { v: _, ownV: _o, mine, pin, poll, ...states } = extra;
  const tallies = Object.values(states).flatMap((list) => list ?? []);
  const shown = tallies.map(({ key, count, first }) => `${key} ${count} of ${first.join()}`);
  if (pin !== undefined) shown.push(`pinned by ${pin.by} at ${pin.at}`);
  if (poll !== undefined)
    shown.push(
      `poll ${poll.options.join("/")} by ${poll.addedBy?.join()} of ${poll.voters}${poll.closedAt === undefined ? "" : ", closed"}`,
    );
  const own = Object.values(mine).flatMap((keys) => keys ?? []);
  return shown.length + own.length === 0 ? "" : ` {${shown.join("; ")}, mine ${own.toSorted().join()}}`;
}

function quoteOf({ quoteMessage }: ChatMessage): string {
  if (quoteMessage === null) return "";
  const { id, sendId, type, content, status } = quoteMessage;
  return ` > ${id} by ${sendId} as ${type}${status === MessageStatus.RECALL ? " recalled" : `: ${content}`}`;
}
