import type { FriendRequestVO, FriendVO } from "@parley/protocol/entities";

/** My relationship with a person. */
export type Relationship =
  | { readonly kind: "me" | "friend" | "stranger" }
  /** I sent a request, which is pending. */
  | { readonly kind: "requestSent"; readonly requestId: number }
  /** They sent a request, which I have to answer. */
  | { readonly kind: "requestReceived"; readonly requestId: number };

/** Computes my relationship with a person. `requests` are the pending ones. */
export function relationshipOf(
  userId: number,
  me: number | null,
  friend: FriendVO | undefined,
  requests: readonly FriendRequestVO[],
): Relationship {
  if (userId === me) return { kind: "me" };
  if (friend !== undefined && !friend.isDeleted) return { kind: "friend" };
  const received = requests.find((request) => request.sendId === userId);
  if (received !== undefined) return { kind: "requestReceived", requestId: received.id };
  const sent = requests.find((request) => request.recvId === userId);
  return sent === undefined ? { kind: "stranger" } : { kind: "requestSent", requestId: sent.id };
}
