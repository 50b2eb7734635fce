import { expect, test } from "vitest";
import { PUSH_ADDRESS } from "../testing/fake-web-push.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createLoggedInClient, type SingleClient } from "../testing/single-client.ts";

const CONFIG = {
  socketSecure: true,
  webrtc: { maxChannel: 9, heldOffer: false, iceServers: [] },
  message: { recallSeconds: 300, editSeconds: 3_600 },
  group: { joinMode: 1 },
  upload: { imageMax: 1, fileMax: 1 },
  webPush: { publicKey: "server key" },
};

const stateOf = ({ client }: SingleClient) => client.getState().webPush;

async function enable(single: SingleClient, hasPreview: boolean, config: object = CONFIG): Promise<void> {
  single.client.webPush.enable(hasPreview);
  await flushMicrotasks();
  await single.respond("/system/config", config);
}

test("WP10 turning it on subscribes the browser with the key of the server, and tells the server", async () => {
  const single = await createLoggedInClient();
  await enable(single, true);
  expect(single.ports.webPush.subscribedKey).toBe("server key");
  expect(stateOf(single)).toEqual({ kind: "working", hasPreview: true });
  const call = single.ports.http.waiting.find(({ request }) => request.url.endsWith("/push/subscription"));
  expect(bodyOf(call?.request)).toEqual({ ...PUSH_ADDRESS, preview: true });
  await single.respond("/push/subscription", null);
  expect(stateOf(single)).toEqual({ kind: "on", hasPreview: true });
});

test("WP10 turning it off ends both parts, and nothing is renewed afterwards", async () => {
  const single = await createLoggedInClient();
  await enable(single, false);
  await single.respond("/push/subscription", null);
  single.client.webPush.disable();
  await flushMicrotasks();
  expect(single.ports.webPush.subscribedKey).toBeNull();
  await single.respond("/push/subscription", null);
  expect(stateOf(single)).toEqual({ kind: "off" });
  single.client.webPush.renew();
  await flushMicrotasks();
  expect(single.waiting()).toEqual([]);
});

test.each([
  ["denied", "denied"],
  ["failed", "browser"],
] as const)(
  "WP10 a browser that answers %s is reported, and the server is not told",
  async (refusal, reason) => {
    const single = await createLoggedInClient();
    single.ports.webPush.refusal = refusal;
    await enable(single, false);
    expect(stateOf(single)).toEqual({ kind: "failed", hasPreview: false, reason });
    expect(single.waiting()).toEqual([]);
  },
);

test("WP10 a server that sends none, and one that refuses", async () => {
  const single = await createLoggedInClient();
  await enable(single, false, { ...CONFIG, webPush: null });
  expect(stateOf(single)).toMatchObject({ kind: "failed", reason: "off" });
  await enable(single, false);
  await single.respond("/push/subscription", null, 500);
  expect(stateOf(single)).toMatchObject({ kind: "failed", reason: "server" });
});

test("WP11 the next session subscribes again with the key that the server has then, and signing out ends it", async () => {
  const single = await createLoggedInClient();
  await enable(single, true);
  await single.respond("/push/subscription", null);
  const { storage } = single.ports;
  await single.client.session.logout();
  expect(single.ports.webPush.subscribedKey).toBeNull();

  const next = await createLoggedInClient({ storage });
  next.client.webPush.renew();
  await flushMicrotasks();
  await next.respond("/system/config", { ...CONFIG, webPush: { publicKey: "new key" } });
  await next.respond("/push/subscription", null);
  expect(next.ports.webPush.subscribedKey).toBe("new key");
  expect(stateOf(next)).toEqual({ kind: "on", hasPreview: true });
});
