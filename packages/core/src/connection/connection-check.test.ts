import { expect, test } from "vitest";
import { createLoggedInClient, createSingleClient, advanceTime } from "../testing/single-client.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { FRIEND_CHAT } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

const CONFIG = {
  socketSecure: null,
  webrtc: { maxChannel: 9, heldOffer: true, iceServers: [] },
  message: { recallSeconds: 300, editSeconds: 300 },
  group: { joinMode: 1 },
  upload: { imageMax: 1, fileMax: 1 },
  webPush: null,
};

const SETTINGS = { userRegisterInviteCode: false, updateAvatarAfterRegister: false };

async function checkServer(text: string, serverTime: number | null, ms = 40) {
  const single = createSingleClient();
  const start = single.ports.clock.now();
  const done = single.client.session.checkServer();
  clockOf(single.ports).advance(ms);
  const request = single.ports.http.replyRaw("/globalSetting/load", {
    kind: "answer",
    status: 200,
    text,
    retryAfterSeconds: null,
    serverTime: serverTime === null ? null : start + serverTime,
  });
  return { request, check: await done };
}

test("ST5 the check of the server says how long its answer took and how far the clocks differ", async () => {
  const text = JSON.stringify({ code: 200, message: "", data: SETTINGS });
  const { request, check } = await checkServer(text, -60_000);
  expect(request.wantsServerTime).toBe(true);
  // In the middle of the 40 ms this clock was at 20 ms, and the server's, on average, half a second after its whole second.
  expect(check).toEqual({ kind: "ok", answerMs: 40, clockMs: 20 + 60_000 - 500 });
  expect((await checkServer(text, null)).check).toEqual({ kind: "ok", answerMs: 40, clockMs: null });
});

test("C104 MU8 a client whose clock is 20 minutes ahead learns that from the answer after its login", async () => {
  const single = await createLoggedInClient();
  const answer = JSON.stringify({ code: 200, message: "", data: CONFIG });
  const logInAgain = async (serverTime: number, text = answer) => {
    single.ports.sockets.last().close(1006);
    await flushMicrotasks();
    single.client.session.reconnectNow();
    await flushMicrotasks();
    await single.goOnline();
    const request = single.ports.http.replyRaw("/system/config", {
      kind: "answer",
      status: 200,
      text,
      retryAfterSeconds: null,
      serverTime,
    });
    expect(request.wantsServerTime).toBe(true);
    await flushMicrotasks();
    return single.client.getState().clockAheadMs;
  };
  const now = single.ports.clock.now();
  // The server's time is in whole seconds: on average it was half a second later.
  expect(await logInAgain(now - 20 * 60_000)).toBe(20 * 60_000 - 500);
  // MU8: what lasts until a time ends by the server's clock.
  void single.client.chats.setAlerts(FRIEND_CHAT, 0, now + 60_000);
  expect(bodyOf(single.ports.http.waiting.at(-1)?.request)).toMatchObject({
    until: now + 60_000 - (20 * 60_000 - 500),
  });
  // A page of something before the server says nothing about its clock.
  expect(await logInAgain(now - 3_600_000, "<html>")).toBe(20 * 60_000 - 500);
  expect(await logInAgain(now + 500)).toBe(-1_000);
});

test("ST5 the check tells a server that does not answer from something else that does", async () => {
  expect((await checkServer("<html>", 0)).check).toEqual({ kind: "notParley" });
  const single = createSingleClient();
  const done = single.client.session.checkServer();
  single.ports.http.replyRaw("/globalSetting/load", { kind: "failed", reason: "timeout" });
  expect(await done).toEqual({ kind: "noAnswer" });
});

test("ST5 the check of the socket sends a heartbeat at once and measures its answer", async () => {
  const single = await createLoggedInClient();
  const socket = single.ports.sockets.last();
  const heartbeats = () => socket.up.filter((text) => (JSON.parse(text) as { cmd: number }).cmd === 1).length;
  const before = heartbeats();
  const done = single.client.session.checkSocket();
  expect(heartbeats()).toBe(before + 1);
  await advanceTime(single, 70);
  await single.push({ cmd: 1, data: {} });
  expect(await done).toBe(70);
  // It was one more heartbeat; the next one still follows 5 s after the reply (spec §7).
  await advanceTime(single, 4_999);
  expect(heartbeats()).toBe(before + 1);
  await advanceTime(single, 1);
  expect(heartbeats()).toBe(before + 2);
});

test("ST5 the check of the socket connects it if need be, and gives up after 10 s", async () => {
  const single = await createLoggedInClient();
  single.ports.sockets.last().close(1006);
  const sockets = single.ports.sockets.all.length;
  const done = single.client.session.checkSocket();
  await advanceTime(single, 100);
  expect(single.ports.sockets.all.length).toBe(sockets + 1);
  await advanceTime(single, 10_000);
  expect(await done).toBeNull();
  expect(await createSingleClient().client.session.checkSocket()).toBeNull();
});

test("ST5 the servers for calls are read again for the check, because their credentials end", async () => {
  const single = await createLoggedInClient();
  const server = { urls: ["turn:turn.example.org"], username: "9:1", credential: "new" };
  const done = single.client.account.loadIceServers();
  single.ports.http.reply("/system/config", {
    ...CONFIG,
    webrtc: { maxChannel: 9, heldOffer: true, iceServers: [server] },
  });
  expect(await done).toEqual([server]);
  expect(await createSingleClient().client.account.loadIceServers()).toBeNull();
});

test("ST5 a server that does not answer names no servers for calls", async () => {
  const single = await createLoggedInClient();
  const done = single.client.account.loadIceServers();
  single.ports.http.replyRaw("/system/config", { kind: "failed", reason: "offline" });
  expect(await done).toBeNull();
});
