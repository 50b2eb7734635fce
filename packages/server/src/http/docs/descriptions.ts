/** Describes the numbers and names of the contract in English. One without a description does not compile. */
import type { CloseCode, Cmd, Code, MessageType } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { REFRESH_HEADER, RequestHeader } from "@parley/protocol/headers";

/** Codes of the envelope. */
export const CODE_DESCRIPTIONS: Readonly<Record<keyof typeof Code, string>> = {
  OK: "Done",
  NOT_LOGGED_IN: "No access token was sent: log in",
  TOKEN_INVALID: "The access token is bad, expired or revoked: refresh once, then try again",
  REFUSED: "The call was refused or failed; message says why",
  CALL_CROSSED: "Calls only: the other person is calling you at the same time",
  TOO_MANY: "Too many requests; the header Retry-After contains the seconds to wait",
  WRONG_PASSWORD: "Wrong user name or password",
  USER_NAME_TAKEN: "The user name is taken",
};

/** Request headers. */
export const HEADER_DESCRIPTIONS: Readonly<Record<RequestHeader | typeof REFRESH_HEADER, string>> = {
  accessToken: "Authenticates the person; required where a call says so",
  appVersion: "Version of the client",
  deviceVersion: "Version of the device's system",
  deviceNo:
    "Random number that a device keeps: a login with the same one is a reconnect or another tab and kicks nobody",
  device: "Name of the device, shown in the list of sessions",
  os: "Operating system, shown in the list of sessions",
  browser: "Browser, shown in the list of sessions",
  terminal: "1 app, 2 web (0: an older web client)",
  clientId: "Random for each page load; what you do is not pushed back to it",
  refreshToken: "Only for PUT /api/refreshToken",
};

/** Close codes of the socket. */
export const CLOSE_CODE_DESCRIPTIONS: Readonly<Record<keyof typeof CloseCode, string>> = {
  DELIBERATE: "The client closed on purpose and does not connect again",
  KICKED:
    "The session ended, or the same kind of terminal logged in on another device; cmd 2 said why before",
  BAD_TOKEN:
    "The access token is bad, expired, revoked, or of another session than the socket's: refresh, then connect",
  NO_LOGIN: "No login within 10 seconds",
  TOO_SLOW: "More than 4 MiB waited to be read: connect again and pull",
  MALFORMED: "A frame that is malformed or larger than 64 KiB",
  RESTART: "The server stops: connect again later",
};

/** Frames from the client. */
export const CLIENT_FRAME_DESCRIPTIONS: readonly [cmd: number, meaning: string][] = [
  [0, "Log in, within 10 seconds. Again with a newer token of the same session: answered the same way"],
  [1, "Heartbeat, 5 seconds after the last reply. Without any frame for 60 seconds the server closes"],
];

/** Frames from the server. */
export const SERVER_FRAME_DESCRIPTIONS: Readonly<
  Record<keyof typeof Cmd, readonly [data: string, meaning: string]>
> = {
  LOGIN: [
    "{ epoch: string }",
    "Logged in. If the epoch differs from the last time, the server has another database: drop what you have and pull from 0",
  ],
  HEARTBEAT: ["null", "Reply to a heartbeat"],
  FORCED_LOGOUT: [
    "string",
    "The session ends; data is a sentence, and the frame has a field reason. The socket is closed with 4001 after 5 seconds. Do not connect again",
  ],
  PRIVATE: ["a private message or a signal", "Something of a private chat, or about friends"],
  GROUP: ["a group message or a signal", "Something of a group"],
  SYSTEM: ["a system message or a signal", "Something of the system chat, or about your account"],
};

/** Reasons of a forced logout. */
export const LOGOUT_REASON_DESCRIPTIONS: Readonly<Record<LogoutReason, string>> = {
  kicked: "Logged in elsewhere",
  passwordChanged: "The password was changed",
  sessionEnded: "Logged out, ended from another device, or a refresh token was used twice",
  banned: "An administrator banned the account; type 50 came before",
  unregistered: "The account was closed; type 54 came before",
};

/** Message types. */
export const KIND_DESCRIPTIONS: Readonly<Record<MessageType, string>> = {
  0: "Text; emoticons as #name;",
  1: "Picture",
  2: "File",
  3: "Voice message",
  4: "Video",
  5: "Red envelope",
  6: "Transfer of money",
  7: "New text of an earlier message, which is in quoteMessage",
  10: "Recall of the message whose id is the content",
  11: "You have read up to maxId, on another client",
  12: "The other person has read up to maxId",
  20: "Time, made by clients",
  21: "A sentence of the server; from tip a client can make its own",
  30: "A pull begins (true) or has ended (false)",
  40: "A voice call has ended",
  41: "A video call has ended",
  50: "Your account is banned; the content is the reason",
  53: "A notice; its body by GET /api/message/system/content",
  54: "Your account was closed",
  60: "A friend request",
  61: "A request to join a group",
  70: "Somebody asks to be friends",
  71: "You are friends now; the content is the friend with the request",
  72: "A friend request was rejected",
  73: "A friend request was taken back",
  75: "Somebody asks to join a group",
  76: "A request to join was approved",
  77: "A request to join was rejected",
  78: "A member was removed with all messages: drop those of userId up to upTo",
  80: "A friend, new or changed",
  81: "No longer a friend; sendId is the person",
  82: "Ask GET /api/user/changes, and with the content people also for friends, requests and the blacklist; only with the capability changes",
  88: "Location",
  90: "A group, new or changed",
  91: "You are no longer in a group",
  92: "Nudge, which shakes the window: at most one in 10 seconds for a sender and chat",
  93: "A person's card",
  100: "Voice call",
  101: "Video call",
  102: "Call accepted",
  103: "Call rejected",
  104: "Call cancelled",
  105: "Call failed",
  106: "Call ended",
  107: "WebRTC offer",
  108: "WebRTC answer",
  109: "WebRTC candidate",
  110: "State of camera and microphone; only with the capability rtc110",
  200: "Group call",
  201: "Group call accepted",
  202: "Group call rejected",
  203: "Group call failed",
  204: "Group call cancelled",
  205: "Left the group call",
  206: "Invited to the group call",
  207: "Joined the group call",
  208: "Group WebRTC offer",
  209: "Group WebRTC answer",
  210: "Group WebRTC candidate",
  211: "State of camera and microphone in a group call",
};
