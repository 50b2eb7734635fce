/**
 * How often each call may come. Every call costs its caller some points. A person has a number of them in a time; callers without an account
 * share those of their address. Calls that may come even less often count in a limit of their own, here or in their handler.
 */
import type { EndpointName } from "@parley/protocol/endpoints/all";
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

/** What each call costs. A new endpoint does not compile without a row. */
export const CALL_BUDGETS: Readonly<Record<EndpointName, Budget>> = {
  login: DEAR,
  logout: CHEAP,
  refreshToken: CHEAP,
  register: DEAR,
  modifyPwd: DEAR,
  listSessions: CHEAP,
  endSession: CHEAP,
  unregister: DEAR,
  loadGlobalSetting: CHEAP,
  loadSystemConfig: CHEAP,
  self: CHEAP,
  exportData: WHOLE,
  findUser: READ,
  findUsersByName: READ,
  updateUser: CHEAP,
  setManualApprove: CHEAP,
  setFindableBy: CHEAP,
  findOnlineTerminals: READ,
  loadChanges: READ,
  loadFirstChats: WHOLE,
  listFriends: READ,
  findFriend: READ,
  applyFriend: CHEAP,
  approveFriendRequest: CHEAP,
  rejectFriendRequest: CHEAP,
  recallFriendRequest: CHEAP,
  listFriendRequests: CHEAP,
  addFriend: CHEAP,
  deleteFriend: CHEAP,
  updateFriendRemark: CHEAP,
  setFriendMsgRemind: CHEAP,
  setFriendTop: CHEAP,
  setFriendDnd: CHEAP,
  addToBlacklist: CHEAP,
  removeFromBlacklist: CHEAP,
  listBlacklist: CHEAP,
  createGroup: DEAR,
  modifyGroup: CHEAP,
  setGroupSettings: CHEAP,
  inviteToGroup: DEAR,
  applyGroup: CHEAP,
  approveGroupRequest: CHEAP,
  rejectGroupRequest: CHEAP,
  listGroupRequests: CHEAP,
  findGroupsByName: READ,
  removeGroupMembers: CHEAP,
  muteGroupMembers: CHEAP,
  muteGroup: CHEAP,
  addGroupManagers: CHEAP,
  removeGroupManagers: CHEAP,
  transferGroup: CHEAP,
  quitGroup: CHEAP,
  dissolveGroup: CHEAP,
  listGroups: READ,
  findGroup: READ,
  listGroupMembers: READ,
  setGroupMsgRemind: CHEAP,
  setGroupTop: CHEAP,
  setGroupDnd: CHEAP,
  sendPrivateMessage: "own",
  pullPrivateMessages: PULL,
  pullGroupMessages: PULL,
  pullSystemMessages: PULL,
  loadPrivateMessages: WHOLE,
  loadGroupMessages: WHOLE,
  privateHistory: READ,
  privateDays: READ,
  readPrivateMessages: CHEAP,
  maxReadedId: CHEAP,
  readSystemMessages: CHEAP,
  recallPrivateMessage: CHEAP,
  deletePrivateMessages: READ,
  sendGroupMessage: "own",
  groupHistory: READ,
  groupDays: READ,
  readGroupMessages: CHEAP,
  findReadedUsers: READ,
  recallGroupMessage: CHEAP,
  deleteGroupMessages: READ,
  searchMessages: READ,
  flushAllMessages: DEAR,
  systemContent: CHEAP,
  uploadImage: "own",
  uploadFile: "own",
  uploadVideo: "own",
  subscribeWebPush: DEAR,
  unsubscribeWebPush: DEAR,
  setupPrivateCall: DEAR,
  acceptPrivateCall: CHEAP,
  rejectPrivateCall: CHEAP,
  cancelPrivateCall: CHEAP,
  hangUpPrivateCall: CHEAP,
  failPrivateCall: CHEAP,
  sendPrivateOffer: CHEAP,
  sendPrivateAnswer: CHEAP,
  sendPrivateCandidate: CHEAP,
  setPrivateCallDevice: CHEAP,
  beatPrivateCall: CHEAP,
  findPrivateCall: CHEAP,
  reportEndedClient: CHEAP,
  setupGroupCall: DEAR,
  acceptGroupCall: CHEAP,
  rejectGroupCall: CHEAP,
  failGroupCall: CHEAP,
  joinGroupCall: CHEAP,
  inviteToGroupCall: DEAR,
  sendGroupOffer: CHEAP,
  sendGroupAnswer: CHEAP,
  sendGroupCandidate: CHEAP,
  setGroupCallDevice: CHEAP,
  quitGroupCall: CHEAP,
  cancelGroupCall: CHEAP,
  beatGroupCall: CHEAP,
  findGroupCall: CHEAP,
  setUpAdmin: DEAR,
  listPeople: DEAR,
  createPerson: CHEAP,
  banPerson: CHEAP,
  unbanPerson: CHEAP,
  resetPersonPassword: CHEAP,
  listPersonSessions: CHEAP,
  endPersonSessions: CHEAP,
  unregisterPerson: CHEAP,
  grantAdmin: CHEAP,
  revokeAdmin: CHEAP,
  listAllGroups: DEAR,
  listMembersOfGroup: DEAR,
  banGroup: CHEAP,
  unbanGroup: CHEAP,
  dissolveAnyGroup: CHEAP,
  setGroupLarge: CHEAP,
  listInviteCodes: CHEAP,
  createInviteCode: CHEAP,
  deleteInviteCode: CHEAP,
  previewNotice: DEAR,
  publishNotice: DEAR,
  listNotices: DEAR,
  loadOverview: DEAR,
  loadSettings: CHEAP,
  saveSettings: CHEAP,
  listAudit: DEAR,
  reportAbuse: DEAR,
  listReports: DEAR,
  closeReport: CHEAP,
};

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
