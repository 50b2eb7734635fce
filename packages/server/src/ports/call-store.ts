/** Running calls: the part of `store.ts` for them. An ended call leaves nothing here; its record is a message. */
import type { CallMode } from "@parley/protocol/entities";

interface CommonCall {
  /** Unique among running calls. */
  key: string;
  mode: CallMode;
  /** Who has started it. */
  hostId: number;
  /** Epoch ms; null while it rings. */
  acceptedAt: number | null;
  /** The JSON of the offer that the host has sent before a private call was accepted. */
  heldOffer: string | null;
  /** How many offers the host has sent before that. */
  offerCount: number;
  /** The JSON texts of the candidates for it. */
  heldCandidates: readonly string[];
}

/** A call between two people. Its key is `privateCallKey`. */
export interface PrivateCallRow extends CommonCall {
  groupId: null;
  /** The other person. */
  calleeId: number;
}

/** The call of a group. Its key is `groupCallKey`. */
export interface GroupCallRow extends CommonCall {
  groupId: number;
  calleeId: null;
}

/** A call that rings or runs. */
export type CallRow = PrivateCallRow | GroupCallRow;

/** A client in a call: a client instance or, for clients that name none, a session. */
export interface CallClient {
  clientId: string | null;
  sessionId: string;
}

/** The key of a call between two people: its host is in no other. */
export function privateCallKey(hostId: number): string {
  return `p${hostId}`;
}

/** The key of the call of a group, which has one at most. */
export function groupCallKey(groupId: number): string {
  return `g${groupId}`;
}

/** A person in a call. Nobody is in two: this row is what makes a person busy. */
export interface CallMemberRow {
  userId: number;
  callKey: string;
  /** The client with which the person is in the call; null while it rings. */
  client: CallClient | null;
  /** Clients on which it rang and that cannot take the call. */
  failedClients: readonly CallClient[];
  /** Which devices are on, as the client has said. */
  isCamera: boolean;
  isMicroPhone: boolean;
  isShareScreen: boolean;
  /** Epoch ms of the last heartbeat. */
  lastBeat: number;
  /** Since when the client has no socket; null while it has one. */
  detachedAt: number | null;
  /** When the call ends for this person unless something happens before: it is not answered, or nothing is heard of the client. */
  deadline: number;
}

/** What can change of a call. */
export type CallPatch = Partial<Pick<CallRow, "acceptedAt" | "heldOffer" | "offerCount" | "heldCandidates">>;
/** What can change of a person in a call. */
export type CallMemberPatch = Partial<Omit<CallMemberRow, "userId" | "callKey">>;

/** What is read about calls. */
export interface CallReads {
  findCall(key: string): Promise<CallRow | undefined>;
  /** The person's place in a call; undefined for somebody who is in none. */
  findCallMember(userId: number): Promise<CallMemberRow | undefined>;
  /** Those of these people who are in a call. Any number of ids. */
  listPeopleInCalls(userIds: readonly number[]): Promise<number[]>;
  listCallMembers(callKey: string): Promise<CallMemberRow[]>;
  /** The calls with these keys. Any number of keys. */
  findCalls(keys: readonly string[]): Promise<CallRow[]>;
  /** The people whose deadline has come, at most `limit`, the earliest first. */
  listDueCallMembers(now: number, limit: number): Promise<CallMemberRow[]>;
}

/** What a transaction writes about calls. */
export interface CallWrites {
  /** Fails if there is a call with this key. */
  insertCall(call: CallRow): Promise<void>;
  updateCall(key: string, patch: CallPatch): Promise<void>;
  /** Deletes a call with its members and what waits for them. */
  deleteCall(key: string): Promise<void>;
  /** Fails if the person is in a call. */
  insertCallMember(member: CallMemberRow): Promise<void>;
  updateCallMember(userId: number, patch: CallMemberPatch): Promise<void>;
  /** Takes a person out of a call, with what waits for them. */
  deleteCallMember(userId: number): Promise<void>;
  /** Keeps a frame for a client without a socket, behind those that wait already; not if `max` wait. */
  queueCallFrame(userId: number, frame: string, max: number): Promise<void>;
  /** Removes the frames that wait for this person and returns them in order. */
  takeCallFrames(userId: number): Promise<string[]>;
  /** For the start of a server: those not heard after `silentSince` (epoch ms) have no socket, and were heard just now. */
  renewCallMembers(now: number, deadline: number, silentSince: number): Promise<void>;
}
