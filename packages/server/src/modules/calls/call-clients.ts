/** Which client somebody is in a call with, and how long nothing may be heard of it. */
import { CALL_DETACHED_MS, CALL_HEARTBEAT_TIMEOUT_MS, CALL_RING_MS } from "@parley/protocol/limits";
import type { CallClient, CallMemberRow } from "../../ports/call-store.ts";

/** The client that makes a request or has a socket. */
export function clientOf({ clientId, sessionId }: CallClient): CallClient {
  return { clientId, sessionId };
}

/** Whether both are the same client: the same client instance or, for clients that name none, the same session. */
export function isSameClient(a: CallClient | null, b: CallClient): boolean {
  if (a === null) return false;
  return b.clientId === null ? a.clientId === null && a.sessionId === b.sessionId : a.clientId === b.clientId;
}

/** More clients than a person has. Invented clients beyond this number are not stored. */
const FAILED_CLIENTS_MAX = 20;

/** The clients on which a call cannot be taken, with another one; each once. */
export function withFailed(failed: readonly CallClient[], client: CallClient): readonly CallClient[] {
  const others = failed.filter((one) => !isSameClient(one, client));
  return [...others, client].slice(-FAILED_CLIENTS_MAX);
}

/** Whether the call cannot be taken on this client. */
export function hasFailed({ failedClients }: CallMemberRow, client: CallClient): boolean {
  return failedClients.some((failed) => isSameClient(failed, client));
}

/** Whether one of these clients is none of the others. */
export function hasOtherClient(clients: readonly CallClient[], except: readonly CallClient[]): boolean {
  return clients.some((client) => !except.some((one) => isSameClient(one, client)));
}

/** When a client counts as gone from its call: after a time without heartbeat, which is shorter while it has no socket either. */
export function heartbeatDeadline({
  lastBeat,
  detachedAt,
}: Pick<CallMemberRow, "lastBeat" | "detachedAt">): number {
  const silent = lastBeat + CALL_HEARTBEAT_TIMEOUT_MS;
  if (detachedAt === null || lastBeat > detachedAt) return silent;
  return Math.min(silent, detachedAt + CALL_DETACHED_MS);
}

/** The columns of a client that was heard just now and has a socket. */
export function heardNow(now: number): Pick<CallMemberRow, "lastBeat" | "detachedAt" | "deadline"> {
  return {
    lastBeat: now,
    detachedAt: null,
    deadline: heartbeatDeadline({ lastBeat: now, detachedAt: null }),
  };
}

/** The columns after a heartbeat, which does not say whether the client has a socket. */
export function beatOf(
  { detachedAt }: Pick<CallMemberRow, "detachedAt">,
  now: number,
): Pick<CallMemberRow, "lastBeat" | "deadline"> {
  return { lastBeat: now, deadline: heartbeatDeadline({ lastBeat: now, detachedAt }) };
}

/** The columns of a person who has entered a call with this client. */
export function enteredNow(client: CallClient, now: number) {
  return { client, failedClients: [], ...heardNow(now) };
}

/** Which devices of a person are on. */
export type CallDevices = Pick<CallMemberRow, "isCamera" | "isMicroPhone" | "isShareScreen">;

/** The devices alone. A client that does not say whether it shares a screen shares none. */
export function devicesOf({
  isCamera,
  isMicroPhone,
  isShareScreen = false,
}: Omit<CallDevices, "isShareScreen"> & { isShareScreen?: boolean | undefined }): CallDevices {
  return { isCamera, isMicroPhone, isShareScreen };
}

/** A person who enters a call with this client; without one it rings for them until the deadline. */
export function newCallMember(
  callKey: string,
  userId: number,
  client: CallClient | null,
  now: number,
): CallMemberRow {
  const heard = heardNow(now);
  return {
    userId,
    callKey,
    client,
    failedClients: [],
    isCamera: false,
    isMicroPhone: true,
    isShareScreen: false,
    ...heard,
    deadline: client === null ? now + CALL_RING_MS : heard.deadline,
  };
}
