import { expect, test } from "vitest";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import { NOON, newUser } from "../../testing/contracts/store-fixtures.ts";
import { pauseRead, openTestStore } from "../../testing/paused-store.ts";
import { createSessionCache } from "./session-cache.ts";
import { createTokens } from "./tokens.ts";

const rethrow = (error: unknown): never => {
  throw error;
};

/** A store with one session of user 1, and its token. */
async function startSession() {
  const store = await openTestStore();
  const session = { userId: 1, sessionId: "s", terminal: 2, deviceNo: null };
  await store.write(async (tx) => {
    await tx.insertUser(newUser("Ann"));
    await tx.insertSession({
      id: session.sessionId,
      userId: 1,
      terminal: 2,
      deviceNo: null,
      device: null,
      os: null,
      browser: null,
      refreshSerial: 1,
      refreshedAt: NOON,
      createdAt: NOON,
      lastSeenAt: NOON,
      address: null,
      expiresAt: NOON * 2,
      endedAt: null,
      endReason: null,
    });
  });
  const tokens = createTokens("secret");
  const { pair, claims } = await tokens.issue(session, 1, NOON);
  const bus = createMemoryBus(rethrow);
  const sessions = createSessionCache({ tokens, store, bus });
  const find = (now = NOON) => sessions.find(pair.accessToken, now);
  const end = () => sessions.end(1, ["s"], "sessionEnded", NOON);
  return { store, bus, session, pair, claims, sessions, find, end };
}

test("a session that ends while its token is checked is rejected, then and later", async () => {
  const { store, find, end } = await startSession();
  const pausedRead = pauseRead(store, "findSessionWithAccount");
  const checking = find();
  await pausedRead.reached;
  await end();
  pausedRead.release();
  expect(await checking).toBeUndefined();
  expect(await find()).toBeUndefined();
});

test("a token that is issued while a session ends is checked at its first use", async () => {
  const { session, sessions, end } = await startSession();
  const before = sessions.endedCount();
  const issued = await sessions.issue(session, 1, NOON, before);
  expect(sessions.find(issued.accessToken, NOON)).toEqual(session);
  await end();
  expect(await sessions.find(issued.accessToken, NOON)).toBeUndefined();
  const issuedMeanwhile = await sessions.issue(session, 1, NOON, before);
  expect(await sessions.find(issuedMeanwhile.accessToken, NOON)).toBeUndefined();
});

test("a cached token is accepted until it expires", async () => {
  const { session, claims, find } = await startSession();
  expect(await find()).toEqual(session);
  expect(find(claims.expiresAt - 1)).toEqual(session);
  expect(find(claims.expiresAt)).toBeUndefined();
  expect(await find(claims.expiresAt)).toBeUndefined();
});

test("after an interruption of the bus tokens are checked again, also one that was being checked at that time", async () => {
  const { store, bus, session, find } = await startSession();
  const endUnheard = async () => {
    await store.write((tx) => tx.updateSession("s", { endedAt: NOON, endReason: "kicked" }));
    bus.publish({ kind: "interrupted", gapMs: 1 });
  };
  const pausedRead = pauseRead(store, "findSessionWithAccount");
  const checking = find();
  await pausedRead.reached;
  await endUnheard();
  pausedRead.release();
  expect(await checking).toBeUndefined();

  await store.write((tx) => tx.updateSession("s", { endedAt: null, endReason: null }));
  expect(await find()).toEqual(session);
  await endUnheard();
  expect(await find()).toBeUndefined();
});

test("the store tells which sessions have ended and why, but not of one that it has not stored yet", async () => {
  const { store, sessions } = await startSession();
  const user = await store.findUser(1);
  const row = await store.findSession("s");
  if (user === undefined || row === undefined) throw new Error("not stored");
  sessions.addUnsaved({ ...row, id: "unsaved" }, user);
  const ended = async () => Object.fromEntries(await sessions.findEnded(["s", "unsaved", "forgotten"]));
  expect(await ended()).toEqual({ forgotten: "sessionEnded" });
  await store.write((tx) => tx.updateSession("s", { endedAt: NOON, endReason: null }));
  expect(await ended()).toEqual({ s: "sessionEnded", forgotten: "sessionEnded" });
  await store.write((tx) => tx.updateSession("s", { endedAt: NOON, endReason: "passwordChanged" }));
  expect(await ended()).toEqual({ s: "passwordChanged", forgotten: "sessionEnded" });
  await store.write((tx) => tx.setBanReason(1, "spam"));
  expect(await ended()).toMatchObject({ s: "banned" });
  await store.write((tx) => tx.setUnregistered(1, NOON));
  expect(await ended()).toMatchObject({ s: "unregistered" });
});
