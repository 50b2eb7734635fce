import { describe, expect, test } from "vitest";
import { isEnvelope, domainErrorKeyOf } from "./envelope.ts";

describe("an envelope", () => {
  test("has a code and a message", () => {
    expect(isEnvelope({ code: 200, message: "ok", data: null })).toBe(true);
    for (const value of [null, undefined, "<html>", 200, [], { code: 200 }, { message: "ok" }])
      expect(isEnvelope(value)).toBe(false);
    expect(isEnvelope({ code: "200", message: "ok" })).toBe(false);
    expect(isEnvelope({ code: 200, message: null })).toBe(false);
    expect(isEnvelope(Object.assign(() => {}, { code: 200, message: "ok" }))).toBe(false);
  });

  test("has a reason for the person, except for errors of session, request and server", () => {
    const keyOf = (key?: Parameters<typeof domainErrorKeyOf>[0]["key"]) =>
      domainErrorKeyOf({ code: 500, message: "", data: null, ...(key === undefined ? {} : { key }) });
    expect(keyOf("friend.self")).toBe("friend.self");
    for (const key of ["auth.notLoggedIn", "request.tooMany", "server.error", undefined] as const)
      expect(keyOf(key)).toBeNull();
  });
});
