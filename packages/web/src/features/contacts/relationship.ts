import type { FriendRequestVO, FriendVO } from "@parley/protocol/entities";

/** How I stand with somebody. */
export type Relationship =
  | { readonly kind: "me" | "friend" | "stranger" }
  /** I asked and wait. */
  | { readonly kind: "asked"; readonly requestId: number }
  /** They asked; it is my turn. */
  | { readonly kind: "asks"; readonly requestId: number };

/** `requests` are the pending ones. */
export function relationshipOf(
  userId: number,
  me: number | null,
  friend: FriendVO | undefined,
  requests: readonly FriendRequestVO[],
): Relationship {
  if (userId === me) return { kind: "me" };
  if (friend !== undefined && !friend.isDeleted) return { kind: "friend" };
  const theirs = requests.find((request) => request.sendId === userId);
  if (theirs !== undefined) return { kind: "asks", requestId: theirs.id };
  const mine = requests.find((request) => request.recvId === userId);
  return mine === undefined ? { kind: "stranger" } : { kind: "asked", requestId: mine.id };
}
