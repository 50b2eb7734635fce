/** Friends, friend requests and blocks: the part of `store.ts` for them. */
import type { AlertLevel } from "./alert-level.ts";

/** One direction of a friendship: the settings of `ownerId` for `friendId`. */
export interface FriendRow extends AlertLevel {
  ownerId: number;
  friendId: number;
  remarkNickName: string | null;
  isTop: boolean;
  isDeleted: boolean;
}

/** A friend request. */
export interface RequestRow {
  id: number;
  sendId: number;
  recvId: number;
  remark: string;
  /** `RequestSource`; null if unknown. */
  source: number | null;
  /** `RequestStatus`. */
  status: number;
  applyTime: number;
}

/** What is read about contacts. */
export interface ContactReads {
  /** Includes deleted friends. */
  listFriends(ownerId: number): Promise<FriendRow[]>;
  findFriend(ownerId: number, friendId: number): Promise<FriendRow | undefined>;
  /** At most so many rows whose alert level ends by then, the earliest first. */
  listEndedFriendLevels(now: number, limit: number): Promise<FriendRow[]>;
  /** Ids of people who have `userId` as a friend that is not deleted. */
  listFriendIdsOf(userId: number): Promise<number[]>;
  findRequest(id: number): Promise<RequestRow | undefined>;
  findPendingRequest(sendId: number, recvId: number): Promise<RequestRow | undefined>;
  /** Pending requests: received ones before sent ones, each newest first. */
  listPendingRequests(userId: number): Promise<RequestRow[]>;
  countPendingRequests(side: "sent" | "received", userId: number): Promise<number>;
  /** Where a person or their friend had found the other, by the friend's id, as the newest approved request between them says. */
  friendSources(userId: number, friendId?: number): Promise<Map<number, number>>;
  isBlocked(ownerId: number, otherId: number): Promise<boolean>;
  listBlocked(ownerId: number): Promise<number[]>;
  /** Ids of people who have blocked `userId`. */
  listBlockers(userId: number): Promise<number[]>;
}

/** What a transaction writes about contacts. */
export interface ContactWrites {
  /** Inserts, or brings a deleted row back (remark and settings stay). */
  upsertFriend(ownerId: number, friendId: number): Promise<FriendRow>;
  updateFriend(
    ownerId: number,
    friendId: number,
    patch: Partial<Pick<FriendRow, "remarkNickName" | "isTop" | "isDeleted"> & AlertLevel>,
  ): Promise<void>;
  insertRequest(request: Omit<RequestRow, "id" | "source"> & { source?: number | null }): Promise<RequestRow>;
  setRequestStatus(id: number, status: number): Promise<void>;
  block(ownerId: number, otherId: number, now: number): Promise<void>;
  unblock(ownerId: number, otherId: number): Promise<void>;
}
