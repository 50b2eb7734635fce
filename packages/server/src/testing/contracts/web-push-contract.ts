import { expect, test } from "vitest";
import type { SessionRow } from "../../ports/account-store.ts";
import type { WebPushSubscription } from "../../ports/web-push-store.ts";
import { newUser, NOON, type StoreContext } from "./store-fixtures.ts";

const MAX = 3;

function sessionOf(id: string, userId: number): SessionRow {
  return {
    id,
    userId,
    terminal: 0,
    deviceNo: "browser",
    device: null,
    os: null,
    browser: null,
    refreshSerial: 0,
    refreshedAt: NOON,
    createdAt: NOON,
    lastSeenAt: NOON,
    address: null,
    expiresAt: NOON + 1_000,
    endedAt: null,
    endReason: null,
  };
}

function subscriptionOf(
  sessionId: string,
  userId: number,
  patch: Partial<WebPushSubscription> = {},
): WebPushSubscription {
  return {
    sessionId,
    userId,
    endpoint: `https://push.example.org/${sessionId}`,
    p256dh: "key",
    auth: `secret of ${sessionId}`,
    hasPreview: false,
    language: "en",
    createdAt: NOON,
    ...patch,
  };
}

/** The rules for web push subscriptions. */
export function webPushContract(context: StoreContext): void {
  const subscribe = (subscription: WebPushSubscription) =>
    context.store.write(async (tx) => {
      for (const name of ["ann", "bob"]) await tx.insertUser(newUser(name));
      if ((await tx.findSession(subscription.sessionId)) === undefined) {
        await tx.insertSession(sessionOf(subscription.sessionId, subscription.userId));
      }
      await tx.putWebPushSubscription(subscription, MAX);
    });
  const sessionsOf = async (...userIds: number[]) => {
    const found = await context.store.listWebPushSubscriptions(userIds, NOON);
    return found.map(({ sessionId }) => sessionId).sort();
  };

  test("the keys are those that were set last, and none before", async () => {
    expect(await context.store.findWebPushKeys()).toBeUndefined();
    for (const n of [1, 2]) {
      const keys = { publicKey: `public ${n}`, privateKey: `private ${n}` };
      await context.store.write((tx) => tx.setWebPushKeys(keys));
      expect(await context.store.findWebPushKeys()).toEqual(keys);
    }
  });

  test("a subscription is found by its person with all of its fields, and replaced by the next of its session", async () => {
    const first = subscriptionOf("a", 1, { hasPreview: true, language: "zh-TW" });
    await subscribe(first);
    await subscribe(subscriptionOf("b", 2));
    expect(await context.store.listWebPushSubscriptions([1, 9], NOON)).toEqual([
      { ...first, deviceNo: "browser" },
    ]);
    const second = subscriptionOf("a", 1, { endpoint: "https://push.example.org/other" });
    await subscribe(second);
    expect(await context.store.listWebPushSubscriptions([1], NOON)).toEqual([
      { ...second, deviceNo: "browser" },
    ]);
    expect(new Set(await context.store.listWebPushUsers())).toEqual(new Set([1, 2]));
    expect(await sessionsOf()).toEqual([]);
  });

  test("a browser has one subscription: a new session takes over the same endpoint and secret, but no other's", async () => {
    const endpoint = "https://push.example.org/browser";
    await subscribe(subscriptionOf("a", 1, { endpoint, auth: "secret" }));
    await subscribe(subscriptionOf("b", 2, { endpoint, auth: "guessed" }));
    expect(await sessionsOf(1, 2)).toEqual(["a", "b"]);
    await subscribe(subscriptionOf("c", 2, { endpoint, auth: "secret" }));
    expect(await sessionsOf(1, 2)).toEqual(["b", "c"]);
  });

  test("the oldest subscriptions of a person go if there are too many", async () => {
    for (const [n, sessionId] of ["a", "b", "c", "d"].entries()) {
      await subscribe(subscriptionOf(sessionId, 1, { createdAt: NOON + n }));
    }
    expect(await sessionsOf(1)).toEqual(["b", "c", "d"]);
    // Repeating an old one keeps it, because it is the newest then.
    await subscribe(subscriptionOf("b", 1, { createdAt: NOON + 9 }));
    await subscribe(subscriptionOf("e", 1, { createdAt: NOON + 10 }));
    expect(await sessionsOf(1)).toEqual(["b", "d", "e"]);
  });

  test("a subscription is deleted by its session, with an endpoint only if it still has it", async () => {
    await subscribe(subscriptionOf("a", 1));
    await context.store.write((tx) => tx.deleteWebPushSubscription("a", "https://push.example.org/old"));
    expect(await sessionsOf(1)).toEqual(["a"]);
    await context.store.write((tx) => tx.deleteWebPushSubscription("a", "https://push.example.org/a"));
    expect(await sessionsOf(1)).toEqual([]);
    await subscribe(subscriptionOf("b", 1));
    await context.store.write((tx) => tx.deleteWebPushSubscription("b"));
    expect(await context.store.listWebPushUsers()).toEqual([]);
  });

  test("a session that ends takes its subscription with it", async () => {
    for (const sessionId of ["a", "b", "c"]) await subscribe(subscriptionOf(sessionId, 1));
    await context.store.write((tx) => tx.updateSession("a", { endedAt: NOON, endReason: "sessionEnded" }));
    expect(await sessionsOf(1)).toEqual(["b", "c"]);
    await context.store.write((tx) => tx.endSessions(1, "c", "passwordChanged", NOON));
    expect(await sessionsOf(1)).toEqual(["c"]);
    await context.store.write((tx) => tx.updateSession("c", { refreshSerial: 2 }));
    expect(await sessionsOf(1)).toEqual(["c"]);
    expect(await context.store.listWebPushUsers()).toEqual([1]);
    await context.store.write((tx) => tx.endSessions(1, null, "banned", NOON));
    expect(await context.store.listWebPushUsers()).toEqual([]);
  });

  test("an expired session is told of nothing, and its subscription is deleted with it", async () => {
    await subscribe(subscriptionOf("a", 1));
    expect(await context.store.listWebPushSubscriptions([1], NOON + 1_000)).toEqual([]);
    await context.store.write((tx) => tx.forgetSessions(NOON + 2_000, 10));
    expect(await context.store.listWebPushUsers()).toEqual([]);
  });
}
