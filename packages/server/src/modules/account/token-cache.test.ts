import { expect, test } from "vitest";
import { createTokenCache } from "./token-cache.ts";

const claimsOf = (sessionId: string) => ({
  session: { userId: 1, sessionId, terminal: 2, deviceNo: null },
  expiresAt: 1,
});

/** A cache with three tokens of two sessions, and which of them it still has. */
function threeTokens(tokensMax?: number) {
  const cache = createTokenCache(tokensMax);
  cache.add("a1", claimsOf("a"));
  cache.add("b1", claimsOf("b"));
  cache.add("a2", claimsOf("a"));
  return { cache, cached: () => ["a1", "b1", "a2"].filter((token) => cache.get(token) !== undefined) };
}

test("a token is found with its claims", () => {
  expect(threeTokens().cache.get("b1")).toEqual(claimsOf("b"));
});

test("a session takes all of its tokens with it, also after one of them was deleted", () => {
  const { cache, cached } = threeTokens();
  cache.delete("a1");
  expect(cached()).toEqual(["b1", "a2"]);
  cache.deleteSession("a");
  cache.deleteSession("unknown");
  expect(cached()).toEqual(["b1"]);
});

test("a full cache drops its oldest token alone", () => {
  const { cache, cached } = threeTokens(2);
  expect(cached()).toEqual(["b1", "a2"]);
  cache.deleteSession("a");
  expect(cached()).toEqual(["b1"]);
});
