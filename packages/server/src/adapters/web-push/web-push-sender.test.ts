import { afterAll, beforeAll, describe, expect, test } from "vitest";
import webPush from "web-push";
import type { WebPush } from "../../ports/web-push.ts";
import { openTestStore } from "../../testing/paused-store.ts";
import { type TestPushService, createPushService } from "../../testing/push-service.ts";
import { isPublicAddress, lookupPublic } from "./public-address.ts";
import { loadVapidKeys } from "./vapid-keys.ts";
import { type WebPushSenderOptions, createWebPushSender } from "./web-push-sender.ts";

const PUSH: WebPush = { payload: "{}", ttlSeconds: 1, urgency: "normal", topic: "topic" };

const keys = webPush.generateVAPIDKeys();
let service: TestPushService;
beforeAll(async () => {
  service = await createPushService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const senderOf = (
  isPrivateAllowed: boolean,
  { timeoutMs = 5_000, resolve }: Partial<WebPushSenderOptions> = {},
) =>
  createWebPushSender({
    keys,
    subject: "mailto:ops@example.org",
    isPrivateAllowed,
    timeoutMs,
    ...(resolve && { resolve }),
  });

describe("WP9 where pushes are sent", () => {
  test.each([
    ["93.184.215.14", true],
    ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", true],
    ["127.0.0.1", false],
    ["10.1.2.3", false],
    ["172.31.0.1", false],
    ["192.168.1.1", false],
    ["169.254.169.254", false],
    ["100.64.0.1", false],
    ["0.0.0.0", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["::1", false],
    ["::", false],
    ["::ffff:127.0.0.1", false],
    ["::ffff:8.8.8.8", false],
    ["64:ff9b::a00:1", false],
    ["2002:7f00:1::", false],
    ["fe80::1", false],
    ["fd00::1", false],
    ["ff02::1", false],
    ["not an address", false],
  ])("%s is public: %s", (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  test.each([
    ["http://push.example.org/a", "is not https"],
    ["ftp://push.example.org/a", "is not https"],
    ["push.example.org", "is no address"],
    ["https://127.0.0.1/a", "is not public"],
    ["https://0x7f.1/a", "is not public"],
    ["https://2130706433/a", "is not public"],
    ["https://[::1]/a", "is not public"],
    ["https://[::ffff:10.0.0.1]/a", "is not public"],
    ["https://127.0.0.1./a", "is not public"],
    ["https://localhost/a", "is not public"],
    ["https://LOCALHOST:8443/a", "is not public"],
    ["https://localhost./a", "is not public"],
    ["https://push.localhost/a", "is not public"],
    ["https://printer.local/a", "is not public"],
    ["https://metadata.google.internal/a", "is not public"],
    ["https://router.home.arpa/a", "is not public"],
    ["https://redis/a", "is not public"],
    ["https://localhost.example.org/a", undefined],
    ["https://mylocalhost.org/a", undefined],
    ["https://user:word@push.example.org/a", "has a name or a password"],
    ["https://push.example.org/a", undefined],
  ])("the address %s: %s", async (endpoint, flaw) => {
    const target = { ...service.device().subscription, endpoint };
    expect(senderOf(false).flawOf(target)).toBe(flaw);
    if (flaw !== undefined)
      expect(await senderOf(false).send(target, PUSH)).toMatchObject({ kind: "refused" });
  });

  test("a name that leads to an address that is not public is not connected to", async () => {
    const target = { ...service.device().subscription, endpoint: service.url.replace("http", "https") };
    const url = new URL(target.endpoint);
    url.hostname = "push.example.org";
    const sender = senderOf(false, {
      resolve: (_, __, answer) => answer(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    expect(sender.flawOf({ ...target, endpoint: url.href })).toBeUndefined();
    const outcome = await sender.send({ ...target, endpoint: url.href }, PUSH);
    expect(outcome).toMatchObject({ reason: "no answer: its address is not public" });
    expect(service.received).toEqual([]);
  });

  test("one address among several is enough to refuse a name, and what is used is what was checked", async () => {
    const lookUp = (...addresses: string[]) =>
      new Promise((resolve) =>
        lookupPublic((_, __, answer) =>
          answer(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          ),
        )("push.example.org", {}, (error, address) => resolve(error?.message ?? address)),
      );
    expect(await lookUp("93.184.215.14")).toBe("93.184.215.14");
    expect(await lookUp("93.184.215.14", "10.0.0.1")).toBe("its address is not public");
    expect(await lookUp()).toBe("no address");
  });

  test("a redirect is not followed", async () => {
    service.answer = () => ({ status: 307, headers: { location: `${service.url}/elsewhere` } });
    const outcome = await senderOf(true).send(service.device().subscription, PUSH);
    expect(outcome).toEqual({ kind: "refused", reason: "status 307" });
    expect(service.received.map(({ path }) => path)).not.toContain("/elsewhere");
  });
});

describe("WP7 what the push service answers", () => {
  test.each([
    [201, {}, { kind: "accepted" }],
    [404, {}, { kind: "gone" }],
    [410, {}, { kind: "gone" }],
    [400, {}, { kind: "refused", reason: "status 400" }],
    [429, { "retry-after": "7" }, { kind: "later", retryAfterMs: 7_000, reason: "status 429" }],
    [503, {}, { kind: "later", retryAfterMs: null, reason: "status 503" }],
    [503, { "retry-after": "soon" }, { kind: "later", retryAfterMs: null, reason: "status 503" }],
  ])("%s %o", async (status, headers, outcome) => {
    service.answer = () => ({ status, headers });
    expect(await senderOf(true).send(service.device().subscription, PUSH)).toEqual(outcome);
  });

  test("nothing within the time limit, or nobody there", async () => {
    service.answer = () => new Promise(() => undefined);
    const { subscription } = service.device();
    expect(await senderOf(true, { timeoutMs: 50 }).send(subscription, PUSH)).toMatchObject({ kind: "later" });
    const endpoint = "http://127.0.0.1:1/nobody";
    expect(await senderOf(true).send({ ...subscription, endpoint }, PUSH)).toMatchObject({ kind: "later" });
    expect(await senderOf(true).send({ ...subscription, p256dh: "x".repeat(87) }, PUSH)).toMatchObject({
      kind: "refused",
    });
  });
});

describe("the VAPID keys", () => {
  test("are made once and stored, the same for all nodes that start at once", async () => {
    const store = await openTestStore();
    const [first, second] = await Promise.all([loadVapidKeys(store), loadVapidKeys(store)]);
    expect(first.publicKey).toMatch(/^[\w-]{87}$/);
    expect(second).toEqual(first);
    expect(await loadVapidKeys(store)).toEqual(first);
  });
});
