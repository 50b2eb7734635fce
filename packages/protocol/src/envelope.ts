import { Code } from "./codes.ts";

/** The answer of every HTTP call (spec §7). With `key` and `params` a client can show its own text. */
export interface Envelope<T = unknown> {
  code: number;
  message: string;
  data: T;
  key?: ErrorKey;
  params?: ErrorParams;
}

/** The values in the sentence of an error. */
export type ErrorParams = Record<string, string | number>;

/**
 * The complete list of API errors. `code` is the envelope's code, `http` the HTTP status. An error that is part of a call's rules has
 * status 200. Validation never answers with envelope code 400 or 401, because clients log out then.
 */
export const ERRORS = {
  "auth.notLoggedIn": { code: Code.NOT_LOGGED_IN, http: 200 },
  "auth.tokenInvalid": { code: Code.TOKEN_INVALID, http: 200 },
  "auth.refreshExpired": { code: Code.REFUSED, http: 200 },
  "login.wrongPassword": { code: Code.WRONG_PASSWORD, http: 200 },
  "account.banned": { code: Code.REFUSED, http: 200 },
  "account.unregistered": { code: Code.REFUSED, http: 200 },
  "register.closed": { code: Code.REFUSED, http: 200 },
  "register.userNameTaken": { code: Code.USER_NAME_TAKEN, http: 200 },
  "register.confirmMismatch": { code: Code.REFUSED, http: 200 },
  "register.inviteCodeWrong": { code: Code.REFUSED, http: 200 },
  "register.avatarRequired": { code: Code.REFUSED, http: 200 },
  "password.oldWrong": { code: Code.REFUSED, http: 200 },
  "password.wrong": { code: Code.REFUSED, http: 200 },
  "user.notFound": { code: Code.REFUSED, http: 200 },
  "user.notYours": { code: Code.REFUSED, http: 200 },
  "file.notIssued": { code: Code.REFUSED, http: 200 },
  "friend.self": { code: Code.REFUSED, http: 200 },
  "friend.already": { code: Code.REFUSED, http: 200 },
  "friend.blockedYou": { code: Code.REFUSED, http: 200 },
  "friend.requestPending": { code: Code.REFUSED, http: 200 },
  "friend.theirRequestsFull": { code: Code.REFUSED, http: 200 },
  "friend.yourRequestsFull": { code: Code.REFUSED, http: 200 },
  "friend.notFriend": { code: Code.REFUSED, http: 200 },
  "friend.requestNotYours": { code: Code.REFUSED, http: 200 },
  "friend.requestHandled": { code: Code.REFUSED, http: 200 },
  "group.notFound": { code: Code.REFUSED, http: 200 },
  "group.dissolved": { code: Code.REFUSED, http: 200 },
  "group.banned": { code: Code.REFUSED, http: 200 },
  "group.notJoined": { code: Code.REFUSED, http: 200 },
  "group.notMember": { code: Code.REFUSED, http: 200 },
  "group.noRight": { code: Code.REFUSED, http: 200 },
  "group.ownerStays": { code: Code.REFUSED, http: 200 },
  "group.ownerMayNotQuit": { code: Code.REFUSED, http: 200 },
  "group.full": { code: Code.REFUSED, http: 200 },
  "group.notFriends": { code: Code.REFUSED, http: 200 },
  "group.inviterNotFriend": { code: Code.REFUSED, http: 200 },
  "group.cannotJoin": { code: Code.REFUSED, http: 200 },
  "group.already": { code: Code.REFUSED, http: 200 },
  "group.requestPending": { code: Code.REFUSED, http: 200 },
  "group.requestsFull": { code: Code.REFUSED, http: 200 },
  "group.requestHandled": { code: Code.REFUSED, http: 200 },
  "group.requestUnknown": { code: Code.REFUSED, http: 200 },
  "group.targetNotMember": { code: Code.REFUSED, http: 200 },
  "blacklist.self": { code: Code.REFUSED, http: 200 },
  "message.notFriend": { code: Code.REFUSED, http: 200 },
  "message.blockedYou": { code: Code.REFUSED, http: 200 },
  "message.notInGroup": { code: Code.REFUSED, http: 200 },
  "message.allMuted": { code: Code.REFUSED, http: 200 },
  "message.muted": { code: Code.REFUSED, http: 200 },
  "message.mentionUnknown": { code: Code.REFUSED, http: 200 },
  "message.receiptTooMany": { code: Code.REFUSED, http: 200 },
  "message.tooLong": { code: Code.REFUSED, http: 200 },
  "message.empty": { code: Code.REFUSED, http: 200 },
  "message.typeNotAllowed": { code: Code.REFUSED, http: 200 },
  "message.notFound": { code: Code.REFUSED, http: 200 },
  "message.notYours": { code: Code.REFUSED, http: 200 },
  "message.recallTooLate": { code: Code.REFUSED, http: 200 },
  "message.editTooLate": { code: Code.REFUSED, http: 200 },
  "message.notEditable": { code: Code.REFUSED, http: 200 },
  "message.quoteUnknown": { code: Code.REFUSED, http: 200 },
  "message.shakeTooOften": { code: Code.REFUSED, http: 200 },
  "call.offline": { code: Code.REFUSED, http: 200 },
  "call.notFriend": { code: Code.REFUSED, http: 200 },
  "call.blockedYou": { code: Code.REFUSED, http: 200 },
  "call.youAreInCall": { code: Code.REFUSED, http: 200 },
  "call.busy": { code: Code.REFUSED, http: 200 },
  "call.crossed": { code: Code.CALL_CROSSED, http: 200 },
  "call.ended": { code: Code.REFUSED, http: 200 },
  "call.answeredElsewhere": { code: Code.REFUSED, http: 200 },
  "call.groupRunning": { code: Code.REFUSED, http: 200 },
  "call.joinedElsewhere": { code: Code.REFUSED, http: 200 },
  "call.notInvited": { code: Code.REFUSED, http: 200 },
  "call.full": { code: Code.REFUSED, http: 200 },
  "call.notHost": { code: Code.REFUSED, http: 200 },
  "call.notIn": { code: Code.REFUSED, http: 200 },
  "upload.type": { code: Code.REFUSED, http: 200 },
  "upload.tooLarge": { code: Code.REFUSED, http: 413 },
  "upload.tooManyPixels": { code: Code.REFUSED, http: 200 },
  "upload.tooComplex": { code: Code.REFUSED, http: 200 },
  "upload.broken": { code: Code.REFUSED, http: 200 },
  "upload.dailyLimit": { code: Code.REFUSED, http: 200 },
  "admin.required": { code: Code.REFUSED, http: 403 },
  "admin.linkInvalid": { code: Code.REFUSED, http: 200 },
  "admin.lastStays": { code: Code.REFUSED, http: 200 },
  "admin.accountClosed": { code: Code.REFUSED, http: 200 },
  "admin.accountBanned": { code: Code.REFUSED, http: 200 },
  "admin.notBanned": { code: Code.REFUSED, http: 200 },
  "admin.groupNotBanned": { code: Code.REFUSED, http: 200 },
  "admin.inviteCodeUnknown": { code: Code.REFUSED, http: 200 },
  "admin.noticeEmpty": { code: Code.REFUSED, http: 200 },
  "admin.noticeLink": { code: Code.REFUSED, http: 200 },
  "admin.noticeReceivers": { code: Code.REFUSED, http: 200 },
  "admin.reportUnknown": { code: Code.REFUSED, http: 200 },
  "admin.reportClosed": { code: Code.REFUSED, http: 200 },
  "report.self": { code: Code.REFUSED, http: 200 },
  "request.malformed": { code: Code.REFUSED, http: 400 },
  "request.forbidden": { code: Code.REFUSED, http: 403 },
  "request.notFound": { code: Code.REFUSED, http: 404 },
  "request.tooLarge": { code: Code.REFUSED, http: 413 },
  "request.tooMany": { code: Code.TOO_MANY, http: 429 },
  "server.unavailable": { code: Code.REFUSED, http: 503 },
  "server.storageFull": { code: Code.REFUSED, http: 507 },
  "server.error": { code: Code.REFUSED, http: 500 },
} as const satisfies Record<string, { code: number; http: number }>;

export type ErrorKey = keyof typeof ERRORS;

/** Errors with a reason for the person. The others are about the session, the request or the server, and are recognised by code and status. */
export type DomainErrorKey = Exclude<ErrorKey, `${"auth" | "request" | "server"}.${string}`>;

/** The reason for the person why a call failed; null if the envelope has no such reason. */
export function domainErrorKeyOf({ key }: Envelope): DomainErrorKey | null {
  return key === undefined || /^(auth|request|server)\./.test(key) ? null : (key as DomainErrorKey);
}

/** Why a session ended; sent together with the sentence of cmd 2. */
export const LOGOUT_REASONS = [
  "kicked",
  "passwordChanged",
  "sessionEnded",
  "banned",
  "unregistered",
] as const;
export type LogoutReason = (typeof LOGOUT_REASONS)[number];

/** Params of the error of a refresh whose session was ended; `text` is the reason of a ban. */
export type SessionEndParams = { reason: LogoutReason; text?: string };

/** Whether an unknown JSON value is an envelope; a proxy's error page or a truncated answer is not. */
export function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Envelope).code === "number" &&
    typeof (value as Envelope).message === "string"
  );
}
