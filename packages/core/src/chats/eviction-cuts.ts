import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, Chats } from "../model/state.ts";
import type { ChatSize } from "../ports.ts";

/** How much the local database may hold. */
export interface EvictionLimits {
  /** Messages of one chat. */
  readonly perChat: number;
  /** Bytes of all chats together, as an estimate. */
  readonly bytes: number;
}

/** A chat and its lowest id that stays. */
export interface EvictionCut {
  readonly key: ChatKey;
  readonly below: number;
}

/** What has to go so that the database holds no more than it may: the old part of long chats, then the chats not opened for longest. */
export function cutsOverLimits(
  sizes: readonly ChatSize[],
  chats: Chats,
  limits: EvictionLimits,
): EvictionCut[] {
  return [
    ...sizes.flatMap((size) => cutsOfLongChat(size, chats)),
    ...cutsOfLeastOpened(sizes, chats, limits),
  ];
}

/** Everything of a chat that the server has as well. */
export function cutsOfWholeChat(size: ChatSize, { byKey }: Chats): EvictionCut[] {
  const newest = byKey[size.chatKey]?.sync.newest;
  return newest && canEvict(size) ? [{ key: size.chatKey, below: newest.id + 1 }] : [];
}

/** Messages of the system chat exist only in this database: the server does not send them again. */
function canEvict({ chatKey }: ChatSize): boolean {
  return parseChatKey(chatKey)?.type !== ChatType.SYSTEM;
}

function cutsOfLongChat(size: ChatSize, { byKey }: Chats): EvictionCut[] {
  const isKnown = byKey[size.chatKey] !== undefined;
  if (size.oldestRetainedId === null || !isKnown || !canEvict(size)) return [];
  return [{ key: size.chatKey, below: size.oldestRetainedId }];
}

function cutsOfLeastOpened(
  sizes: readonly ChatSize[],
  chats: Chats,
  { perChat, bytes: bytesMax }: EvictionLimits,
): EvictionCut[] {
  const { byKey, openKey } = chats;
  const remaining = sizes.map((size) => ({
    ...size,
    bytes: canEvict(size) ? size.bytes * Math.min(1, perChat / Math.max(1, size.count)) : size.bytes,
  }));
  let total = remaining.reduce((sum, { bytes }) => sum + bytes, 0);
  const openedAt = ({ chatKey }: ChatSize) => byKey[chatKey]?.sync.openedAt ?? 0;
  const cuts: EvictionCut[] = [];
  for (const size of remaining.toSorted((a, b) => openedAt(a) - openedAt(b))) {
    if (total <= bytesMax) break;
    const wholeChat = size.chatKey === openKey ? [] : cutsOfWholeChat(size, chats);
    if (wholeChat.length > 0) total -= size.bytes;
    cuts.push(...wholeChat);
  }
  return cuts;
}
