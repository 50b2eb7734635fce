/** Describes the numbers and names of the contract in English. One without a description does not compile. */
import type { CloseCode, Cmd, Code } from "@parley/protocol/codes";
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
  TOO_MANY: "A hundred other sockets of the same terminal and device are connected: connect again later",
  TOO_MANY_FRAMES:
    "More frames or bytes came from the socket, the person or the address than clients need: connect again in a minute",
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
