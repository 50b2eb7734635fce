/** Names of the request headers of our client (spec §7). Values are URI-encoded. */
export const REQUEST_HEADERS = [
  "accessToken",
  "appVersion",
  "deviceVersion",
  "deviceNo",
  "device",
  "os",
  "browser",
  "terminal",
  "clientId",
] as const;
export type RequestHeader = (typeof REQUEST_HEADERS)[number];
/** Header of `PUT /refreshToken`. */
export const REFRESH_HEADER = "refreshToken";
