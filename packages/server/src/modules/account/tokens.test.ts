import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createTokens } from "./tokens.ts";

const SECRET = "a secret of tests";
const tokens = createTokens(SECRET);
const session = { userId: 7, terminal: 1, sessionId: "s-1", deviceNo: "phone" };
/** Half a second after a full second; tokens count full seconds. */
const NOW = 1_700_000_000_500;
const ISSUED = 1_700_000_000_000;
const ACCESS_ENDS = ISSUED + 1_800_000;
const REFRESH_ENDS = ISSUED + 604_800_000;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** Signs any claims the way the server signs its tokens. */
function signed(claims: object, header: object = { alg: "HS256" }, secret = SECRET): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
const ACCESS = {
  use: "access",
  terminal: 1,
  device: "phone",
  sid: "s-1",
  sub: "7",
  exp: ACCESS_ENDS / 1_000,
};

test("both tokens of a pair carry the session; each is valid until its own expiry and for its own use only", async () => {
  const { pair, claims } = await tokens.issue(session, 4, NOW);
  expect(pair).toMatchObject({ accessTokenExpiresIn: 1_800, refreshTokenExpiresIn: 604_800 });
  expect(claims).toEqual({ session, expiresAt: ACCESS_ENDS });
  expect(tokens.readAccess(pair.accessToken, ACCESS_ENDS - 1)).toEqual(claims);
  expect(tokens.readAccess(pair.accessToken, ACCESS_ENDS)).toBeUndefined();
  expect(tokens.readRefresh(pair.refreshToken, REFRESH_ENDS - 1)).toEqual({ session, serial: 4 });
  expect(tokens.readRefresh(pair.refreshToken, REFRESH_ENDS)).toBeUndefined();
  expect(tokens.readAccess(pair.refreshToken, NOW)).toBeUndefined();
  expect(tokens.readRefresh(pair.accessToken, NOW)).toBeUndefined();
});

test("a session without a device number is read back without one", async () => {
  const without = { ...session, deviceNo: null };
  const { pair } = await tokens.issue(without, 0, NOW);
  expect(tokens.readAccess(pair.accessToken, NOW)?.session).toEqual(without);
  expect(tokens.readRefresh(pair.refreshToken, NOW)).toEqual({ session: without, serial: 0 });
});

test("a token that a test signs correctly is accepted", () => {
  expect(tokens.readAccess(signed(ACCESS), NOW)).toEqual({ session, expiresAt: ACCESS_ENDS });
});

test.each([
  ["no text", ""],
  ["one part", part({ alg: "HS256" })],
  ["two parts", `${part({ alg: "HS256" })}.${part(ACCESS)}`],
  ["four parts", `${signed(ACCESS)}.more`],
  ["another secret", signed(ACCESS, { alg: "HS256" }, "another")],
  ["a truncated signature", signed(ACCESS).slice(0, -1)],
  ["another header", signed(ACCESS, { alg: "HS256", typ: "JWT" })],
  ["no algorithm", `${part({ alg: "none" })}.${part(ACCESS)}.`],
  ["no expiry", signed({ ...ACCESS, exp: undefined })],
  ["an expiry that is no number", signed({ ...ACCESS, exp: String(ACCESS.exp) })],
  ["no use", signed({ ...ACCESS, use: undefined })],
  ["no user id", signed({ ...ACCESS, sub: "somebody" })],
  ["no session", signed({ ...ACCESS, sid: undefined })],
  ["no terminal", signed({ ...ACCESS, terminal: "1" })],
])("a token with %s is rejected", (_, token) => {
  expect(tokens.readAccess(token, NOW)).toBeUndefined();
  expect(tokens.readRefresh(token, NOW)).toBeUndefined();
});

test("a refresh token without a serial is rejected", () => {
  expect(tokens.readRefresh(signed({ ...ACCESS, use: "refresh" }), NOW)).toBeUndefined();
  const token = signed({ ...ACCESS, use: "refresh", serial: 2 });
  expect(tokens.readRefresh(token, NOW)).toEqual({ session, serial: 2 });
});
