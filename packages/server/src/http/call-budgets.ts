/**
 * How often each call may come. Every call costs its caller some points. A person has a number of them in a time; callers without an account
 * share those of their address. Calls that may come even less often count in a limit of their own, here or in their handler.
 */
import { type Endpoint, isWriting } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { refuseIfLimited } from "../api/api-error.ts";
import type { Actor } from "../api/api-call.ts";
import { networkOf } from "../api/network-of.ts";
import type { RateLimiter, WindowLimit } from "../ports/rate-limiter.ts";

/** A row or a few, by their ids. */
const CHEAP = 1;
/** Many rows, or a query. */
const READ = 2;
/** Starts pushes of all new rows. */
const PULL = 3;
/** Writes that many hear of or that last, and queries over everything. */
const DEAR = 5;
/** Everything of a person at once. */
const WHOLE = 20;

/**
 * `own`: the handler counts those that succeed, in a limit that an administrator may have raised above this one. Only those that fail cost a
 * point.
 */
type Budget = number | "own";

/** What a call costs without a row: reading costs more than a change, and so does all that strangers may call, or administrators look at. */
export function usualBudget(endpoint: Endpoint): Budget {
  if (endpoint.auth === "open") return DEAR;
  if (isWriting(endpoint)) return CHEAP;
  return endpoint.auth === "admin" ? DEAR : READ;
}

/** The calls that cost something else. */
export const UNUSUAL_BUDGETS: Readonly<Partial<Record<EndpointName, Budget>>> = {
  refreshToken: CHEAP,
  modifyPwd: DEAR,
  listSessions: CHEAP,
  unregister: DEAR,
  tellTyping: CHEAP,
  loadGlobalSetting: CHEAP,
  loadSystemConfig: CHEAP,
  self: CHEAP,
  exportData: WHOLE,
  loadFirstChats: WHOLE,
  listFriendRequests: CHEAP,
  listBlacklist: CHEAP,
  createGroup: DEAR,
  inviteToGroup: DEAR,
  listGroupRequests: CHEAP,
  sendPrivateMessage: "own",
  pullPrivateMessages: PULL,
  pullGroupMessages: PULL,
  pullSystemMessages: PULL,
  loadPrivateMessages: WHOLE,
  loadGroupMessages: WHOLE,
  maxReadedId: CHEAP,
  findLastSeen: CHEAP,
  deletePrivateMessages: READ,
  sendGroupMessage: "own",
  deleteGroupMessages: READ,
  flushAllMessages: DEAR,
  systemContent: CHEAP,
  uploadImage: "own",
  uploadFile: "own",
  uploadVideo: "own",
  subscribeWebPush: DEAR,
  unsubscribeWebPush: DEAR,
  setupPrivateCall: DEAR,
  findPrivateCall: CHEAP,
  setupGroupCall: DEAR,
  inviteToGroupCall: DEAR,
  findGroupCall: CHEAP,
  listPersonSessions: CHEAP,
  listInviteCodes: CHEAP,
  publishNotice: DEAR,
  loadSettings: CHEAP,
  reportAbuse: DEAR,
};

/** What each call costs. */
export const CALL_BUDGETS = Object.fromEntries(
  Object.entries<Endpoint>(ENDPOINTS).map(([name, endpoint]) => [
    name,
    UNUSUAL_BUDGETS[name as EndpointName] ?? usualBudget(endpoint),
  ]),
) as Readonly<Record<EndpointName, Budget>>;

/** Calls that go through numbers one after the other, which nobody needs to do fast. */
export const LOOKUP_LIMITS: Readonly<Partial<Record<EndpointName, WindowLimit>>> = {
  findUser: "userLookups",
  findGroup: "groupLookups",
  addToBlacklist: "userLookups",
};

/** The caller. `ip` is only read without an account. */
interface Caller {
  readonly actor: Actor | null;
  ip(): string;
  readonly now: number;
}

/** Throws `request.tooMany` if the caller has called too often. */
export function countCall(
  name: EndpointName,
  rateLimiter: RateLimiter,
  caller: Caller,
): undefined | Promise<void> {
  const budget = CALL_BUDGETS[name];
  refuseIfLimited(take(rateLimiter, caller, budget === "own" ? CHEAP : budget));
  const lookups = LOOKUP_LIMITS[name];
  if (lookups === undefined || caller.actor === null) return undefined;
  return rateLimiter.consume(lookups, caller.actor.userId).then(refuseIfLimited);
}

/** Gives back what a call has cost that has succeeded and is counted in a limit of its own. */
export function refundCall(name: EndpointName, rateLimiter: RateLimiter, caller: Caller): void {
  if (CALL_BUDGETS[name] === "own") take(rateLimiter, caller, -CHEAP);
}

function take(rateLimiter: RateLimiter, { actor, ip, now }: Caller, points: number): number {
  return actor === null
    ? rateLimiter.take("callsOfStrangers", networkOf(ip()), points, now)
    : rateLimiter.take("callsOfPerson", actor.userId, points, now);
}
