/** All codes of the protocol: envelope codes, message types, states, close codes. */

/** Envelope codes (spec §8). They are not HTTP status codes: see `envelope.ts`. */
export const Code = {
  OK: 200,
  /** No access token was sent: the client goes to the root page. */
  NOT_LOGGED_IN: 400,
  /** The access token is invalid, expired or revoked: the client refreshes once and retries. */
  TOKEN_INVALID: 401,
  /** The call was refused or failed; the message is a sentence about the reason. */
  REFUSED: 500,
  /** Calls only: the other person is calling you at the same time. */
  CALL_CROSSED: 409,
  TOO_MANY: 429,
  WRONG_PASSWORD: 10001,
  USER_NAME_TAKEN: 10003,
} as const;

/** Terminal kinds (spec §1). 0 is an older web client and counts as web. */
export const Terminal = { OLD_WEB: 0, APP: 1, WEB: 2 } as const;
export type Terminal = (typeof Terminal)[keyof typeof Terminal];

/** `cmd` of a socket frame (spec §7). */
export const Cmd = { LOGIN: 0, HEARTBEAT: 1, FORCED_LOGOUT: 2, PRIVATE: 3, GROUP: 4, SYSTEM: 5 } as const;

/** Close codes of the socket. */
export const CloseCode = {
  /** The client closes on purpose; it does not reconnect (spec §4). */
  DELIBERATE: 3000,
  KICKED: 4001,
  BAD_TOKEN: 4002,
  NO_LOGIN: 4003,
  TOO_SLOW: 4008,
  MALFORMED: 4009,
  TOO_MANY: 4010,
  TOO_MANY_FRAMES: 4011,
  RESTART: 1012,
} as const;

/** Message types (spec §3; 80-84, 90, 91 and the order inside 100-109, 200-211 are this project's). */
export const MessageType = {
  TEXT: 0,
  IMAGE: 1,
  FILE: 2,
  AUDIO: 3,
  VIDEO: 4,
  REDENVELOPE: 5,
  TRANSFER: 6,
  EDIT: 7,
  RECALL: 10,
  READED: 11,
  RECEIPT: 12,
  TIP_TIME: 20,
  TIP_TEXT: 21,
  LOADING: 30,
  ACT_RT_VOICE: 40,
  ACT_RT_VIDEO: 41,
  USER_BANNED: 50,
  SYSTEM_MESSAGE: 53,
  USER_UNREG: 54,
  FRIEND_APPLY: 60,
  GROUP_APPLY: 61,
  FRIEND_REQ_APPLY: 70,
  FRIEND_REQ_APPROVE: 71,
  FRIEND_REQ_REJECT: 72,
  FRIEND_REQ_RECALL: 73,
  GROUP_REQ_APPLY: 75,
  GROUP_REQ_APPROVE: 76,
  GROUP_REQ_REJECT: 77,
  GROUP_KICK_USER_MSG: 78,
  FRIEND_NEW: 80,
  FRIEND_DELETED: 81,
  CHANGES: 82,
  EXTRA: 83,
  TYPING: 84,
  LOCATION: 88,
  GROUP_NEW: 90,
  GROUP_LEFT: 91,
  SHAKE: 92,
  BUSINESS_CARD: 93,
  RTC_SETUP_VOICE: 100,
  RTC_SETUP_VIDEO: 101,
  RTC_ACCEPT: 102,
  RTC_REJECT: 103,
  RTC_CANCEL: 104,
  RTC_FAILED: 105,
  RTC_HANDUP: 106,
  RTC_OFFER: 107,
  RTC_ANSWER: 108,
  RTC_CANDIDATE: 109,
  RTC_DEVICE: 110,
  RTC_GROUP_SETUP: 200,
  RTC_GROUP_ACCEPT: 201,
  RTC_GROUP_REJECT: 202,
  RTC_GROUP_FAILED: 203,
  RTC_GROUP_CANCEL: 204,
  RTC_GROUP_QUIT: 205,
  RTC_GROUP_INVITE: 206,
  RTC_GROUP_JOIN: 207,
  RTC_GROUP_OFFER: 208,
  RTC_GROUP_ANSWER: 209,
  RTC_GROUP_CANDIDATE: 210,
  RTC_GROUP_DEVICE: 211,
} as const;
export type MessageType = (typeof MessageType)[keyof typeof MessageType];

/** Message status (spec §3). UNSEND exists only in a client, before the server has the message. */
export const MessageStatus = { UNSEND: 0, SENDED: 1, RECALL: 2, READED: 3 } as const;
export type MessageStatus = (typeof MessageStatus)[keyof typeof MessageStatus];

/** State of a friend request. */
export const RequestStatus = { PENDING: 1, APPROVED: 2, REJECTED: 3, RECALLED: 4, EXPIRED: 5 } as const;
export type RequestStatus = (typeof RequestStatus)[keyof typeof RequestStatus];

/** Where the sender of a friend request found the other person (spec §7: `source`). */
export const RequestSource = { SEARCH: 1, GROUP: 2, CARD: 3 } as const;
export type RequestSource = (typeof RequestSource)[keyof typeof RequestSource];

/**
 * By what the search for people finds somebody: by a part of user name or nickname, by the complete user name only, or not at all. Who
 * has something in common with them, such as a group, or got their card sees them in any case; others do not see them by their id either.
 */
export const FindableBy = { ANY_NAME: 1, USER_NAME: 2, NOTHING: 3 } as const;
export type FindableBy = (typeof FindableBy)[keyof typeof FindableBy];

/** How people come into a group: at once, after owner or an admin has let them in, or only if a member invites them. */
export const JoinMode = { FREE: 1, APPROVAL: 2, INVITATION: 3 } as const;
export type JoinMode = (typeof JoinMode)[keyof typeof JoinMode];

/** Role of a member in a group; the same numbers as `sendRole` of a message (spec §6). */
export const GroupRole = { MEMBER: 1, ADMIN: 2, OWNER: 3 } as const;
export type GroupRole = (typeof GroupRole)[keyof typeof GroupRole];

/** Stands for all members of a group in `atUserIds`. */
export const EVERYONE = -1;

/** Chat kinds (spec §3). */
export const ChatType = { PRIVATE: "PRIVATE", GROUP: "GROUP", SYSTEM: "SYSTEM" } as const;
export type ChatType = (typeof ChatType)[keyof typeof ChatType];
/** Every kind of chat; also the three kinds of offline pull. */
export const CHAT_TYPES = [ChatType.PRIVATE, ChatType.GROUP, ChatType.SYSTEM] as const;
