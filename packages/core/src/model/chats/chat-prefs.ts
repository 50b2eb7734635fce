import * as z from "zod/mini";
import { mutedLevel } from "@parley/protocol/alert-level";
import {
  type ChatPrefs,
  type PrefChange,
  versionedPrefs,
  type VersionedPrefs,
} from "@parley/protocol/chat-prefs";
import { ChatType } from "@parley/protocol/codes";
import { chatKey as chatKeySchema } from "../schemas.ts";
import type { SharedValue } from "../shared-value.ts";
import type { Chat, ChatKey, State } from "../state.ts";
import { chatKey } from "./chat-rows.ts";

/** What the person has set for chats, as the server has it. */
export type PrefsByChat = Readonly<Record<ChatKey, VersionedPrefs>>;

/** What the server has not confirmed, laid over that. */
export type UnsentPrefs = Readonly<Record<ChatKey, PrefChange>>;

/** Answers of the call and of the feed arrive in any order, so that the version decides. */
export const chatPrefs: SharedValue<PrefsByChat, VersionedPrefs & { key: ChatKey }, "prefs"> = {
  initial: {},
  schema: z.record(chatKeySchema, versionedPrefs),
  changeSchema: z.extend(versionedPrefs, { key: chatKeySchema }),
  reduce: (byChat, { key, v, prefs }) =>
    v > (byChat[key]?.v ?? 0) ? { ...byChat, [key]: { v, prefs } } : byChat,
  changesOf: ({ prefs }) =>
    prefs.map(({ type, targetId, ...versioned }) => ({ key: chatKey(type, targetId), ...versioned })),
};

/** The parts of the state that say what is set. */
export type PrefState = Pick<State, "chatPrefs" | "unsentPrefs">;

/** What is set for a chat, with what the server has not confirmed. */
export function prefsOf({ chatPrefs: byChat, unsentPrefs }: PrefState, key: ChatKey): ChatPrefs {
  return { ...byChat[key]?.prefs, ...unsentPrefs[key] };
}

/** Whether the person has marked the chat as unread, and has read no further since. No unread count has it. */
export function isMarkedUnread(state: PrefState, { key, readId }: Pick<Chat, "key" | "readId">): boolean {
  const { unreadMark = null } = prefsOf(state, key);
  return unreadMark !== null && readId <= unreadMark;
}

/** Whether a chat has unread messages or an unread mark. */
export function hasUnread(state: PrefState, chat: Pick<Chat, "key" | "readId" | "unread">): boolean {
  return chat.unread > 0 || isMarkedUnread(state, chat);
}

/** The position of the newest message of a chat, by which a pref says when it was set: every message that follows is above it. */
export function newestPositionOf({ readId, sync }: Pick<Chat, "readId" | "sync">): number {
  return Math.max(readId, sync.newest?.position ?? -1);
}

/** Whether the person has muted a chat. */
export function isMuted(chat: Pick<Chat, "type" | "msgRemind">): boolean {
  return chat.msgRemind === mutedLevel(chat.type);
}

/** When the alert level of a chat changes back by itself, in epoch ms of this device; null: it stays. */
export function alertLevelEnd(
  { contacts, groups, clockAheadMs }: Pick<State, "contacts" | "groups" | "clockAheadMs">,
  { type, targetId }: Pick<Chat, "type" | "targetId">,
): number | null {
  const settings = type === ChatType.GROUP ? groups.byId[targetId] : contacts.friends[targetId];
  const end = type === ChatType.SYSTEM ? null : (settings?.msgRemindUntil ?? null);
  return end === null ? null : end + clockAheadMs;
}

/** The parts of a chat that say whether it is archived. */
type ArchivableChat = Pick<Chat, "key" | "type" | "msgRemind" | "sync">;

/** Whether a chat is in the archive: the person has put it there, and no later message has brought it back. */
export function isArchived(state: PrefState, chat: ArchivableChat): boolean {
  const archivedAt = archivedAtOf(state, chat.key);
  return archivedAt !== null && !isBack(chat, archivedAt);
}

/**
 * Whether a later message has brought a chat back from the archive. It goes there again when its reason ends, as by muting the chat or by
 * reading the mention, unless the pref is set to null.
 */
export function isBackFromArchive(state: PrefState, chat: ArchivableChat): boolean {
  const archivedAt = archivedAtOf(state, chat.key);
  return archivedAt !== null && isBack(chat, archivedAt);
}

function isBack({ sync, ...chat }: ArchivableChat, archivedAt: number): boolean {
  return isMuted(chat)
    ? sync.mentions.some(({ id, isAll }) => !isAll && id > archivedAt)
    : (sync.newest?.position ?? -1) > archivedAt;
}

/** Called for each chat at each change of the state, so it makes no objects. */
function archivedAtOf({ chatPrefs: byChat, unsentPrefs }: PrefState, key: ChatKey): number | null {
  const unsent = unsentPrefs[key]?.archived;
  return unsent === undefined ? (byChat[key]?.prefs.archived ?? null) : unsent;
}
