import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  type Client,
  connectionOf,
  NOT_IN,
  OFFER,
  setUp,
  acceptAnn,
  callBob,
} from "../testing/group-call-client.ts";
import { ANN, BOB, GROUP, listed, ME } from "../testing/group-call-inputs.ts";

/** Nothing is in use now. */
function expectAllClosed({ callPorts, clock, calls, shown }: Client): void {
  expect(callPorts.tracks.filter(({ isStopped }) => !isStopped)).toEqual([]);
  expect(callPorts.connections.filter(({ isClosed }) => !isClosed)).toEqual([]);
  expect(callPorts.ringing).toEqual([]);
  expect(clock.nextAt()).toBeNull();
  expect([calls.isBusy(), calls.view(), shown(), calls.media()]).toEqual([false, null, null, null]);
}

describe("a call of a group that I start", () => {
  test("the microphone is opened, the members are called and it rings until one comes, who gets an offer", async () => {
    const client = setUp();
    client.calls.start(GROUP, [ANN, BOB]);
    expect(client.shown()?.stage).toBe("opening");
    expect(await client.sent()).toEqual([["setup", { userInfos: [{ id: ANN }, { id: BOB }] }]]);
    expect(client.callPorts.ringing).toEqual(["outgoing"]);
    expect(client.shown()).toMatchObject({ kind: "group", stage: "calling", hostId: ME, seconds: null });
    client.receive(BOB, MessageType.RTC_GROUP_ACCEPT);
    expect(client.callPorts.ringing).toEqual([]);
    expect(await client.sent()).toEqual([
      ["offer", { userId: BOB, offer: { type: "offer", sdp: "peer1 offer 1" } }],
    ]);
    expect(connectionOf(client).sent.audio).toBe(client.callPorts.tracks[0]);
    connectionOf(client).gather({ candidate: "mine" });
    expect(await client.sent()).toEqual([["candidate", { userId: BOB, candidate: { candidate: "mine" } }]]);
    client.receive(BOB, MessageType.RTC_GROUP_ANSWER, { type: "answer", sdp: "answer" });
    client.receive(BOB, MessageType.RTC_GROUP_CANDIDATE, { candidate: "theirs" });
    await flushMicrotasks();
    expect(connectionOf(client).log).toEqual(["offer", "takes answer", "candidate theirs"]);
  });

  test("the clock runs from the first connection on, and an end tells the server and closes everything", async () => {
    const client = await callBob();
    connectionOf(client).change("connected");
    await client.pass(3_000);
    expect(client.calls.view()).toMatchObject({ seconds: 3, stage: "talking" });
    expect(client.shown()?.people.map(({ userId, connection }) => [userId, connection])).toEqual([
      [ANN, "none"],
      [BOB, "connected"],
    ]);
    expect(client.calls.remoteStream(BOB)).toBe(connectionOf(client).stream);
    expect(client.calls.remoteStream(ANN)).toBeNull();
    client.calls.end();
    expect(await client.sent()).toEqual(["quit"]);
    expectAllClosed(client);
    expect(client.notices).toEqual([]);
  });

  test("a setup that succeeds after I have given up is cancelled", async () => {
    const client = setUp();
    client.calls.start(GROUP, [BOB]);
    await flushMicrotasks();
    client.calls.end();
    expect(await client.sent()).toEqual([["setup", { userInfos: [{ id: BOB }] }], "cancel", "cancel"]);
    expectAllClosed(client);
  });

  test("a refused setup is said, and closes the devices", async () => {
    const client = setUp();
    client.calls.start(GROUP, [BOB]);
    await flushMicrotasks();
    client.ports.http.reply("setup", null, NOT_IN);
    await flushMicrotasks();
    expect(client.notices).toMatchObject([
      { kind: "callEnded", call: { kind: "group", groupId: GROUP, end: { kind: "refused" } } },
    ]);
    expectAllClosed(client);
  });

  test("devices that open after I have given up are closed, and call nobody", async () => {
    const client = setUp();
    client.calls.start(GROUP, [BOB]);
    client.calls.end();
    client.calls.start(GROUP, [ANN]);
    expect(await client.sent()).toEqual([["setup", { userInfos: [{ id: ANN }] }]]);
    expect(client.callPorts.tracks.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  });

  test("somebody else has started it at the same moment: my devices are closed, and it rings here", async () => {
    const client = setUp();
    client.calls.start(GROUP, [ANN]);
    await flushMicrotasks();
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [listed(ANN, true), listed(ME, false)]);
    expect(client.callPorts.tracks.map(({ isStopped }) => isStopped)).toEqual([true]);
    expect(client.callPorts.ringing).toEqual(["incoming"]);
    client.calls.accept(false);
    await client.sent();
    expect(client.callPorts.tracks.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  });
});

describe("a call of a group that rings here", () => {
  test("accepting stops the ringing and opens the devices while the server is told; the offer is answered", async () => {
    const client = setUp();
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [listed(ANN, true), listed(ME, false)]);
    expect(client.callPorts.ringing).toEqual(["incoming"]);
    expect(client.callPorts.tracks).toEqual([]);
    client.calls.accept(false);
    expect(client.callPorts.ringing).toEqual([]);
    expect(await client.sent()).toEqual(["accept"]);
    client.receive(ANN, MessageType.RTC_GROUP_OFFER, OFFER);
    expect(await client.sent()).toEqual([
      ["answer", { userId: ANN, answer: { type: "answer", sdp: "peer1 answers theirs" } }],
    ]);
    expect(client.shown()?.people).toMatchObject([{ userId: ANN, nickName: "N1", connection: "connecting" }]);
  });

  test("rejecting tells the server; the end of the page does not, so that it rings on elsewhere", async () => {
    for (const [how, requests] of [
      ["end", ["reject"]],
      ["leave", []],
    ] as const) {
      const client = setUp();
      client.receive(ANN, MessageType.RTC_GROUP_SETUP, [listed(ANN, true), listed(ME, false)]);
      client.calls[how]();
      expect(client.ports.http.waiting.map(({ request }) => request.outlivesPage)).toEqual(
        requests.map(() => true),
      );
      expect(await client.sent()).toEqual(requests);
      expectAllClosed(client);
    }
  });

  test("a browser that cannot call says so, and does not ring", async () => {
    const client = setUp();
    client.callPorts.support = "unsupported";
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [listed(ANN, true)]);
    expect(await client.sent()).toEqual([["failed", { reason: "device does not support calling" }]]);
    expectAllClosed(client);
  });

  test("the end by the server is said and closes everything", async () => {
    const client = await acceptAnn();
    client.receive(ANN, MessageType.RTC_GROUP_CANCEL);
    expect(client.notices).toEqual([
      { kind: "callEnded", call: { kind: "group", groupId: GROUP, end: { kind: "ended" } } },
    ]);
    expectAllClosed(client);
    expect(await client.sent()).toEqual([]);
  });
});

describe("a call of a group that I join", () => {
  test("the people come from the server, and those who are in offer", async () => {
    const client = setUp();
    client.calls.join(GROUP);
    await flushMicrotasks();
    client.ports.http.reply("join", null);
    await flushMicrotasks();
    client.ports.http.reply("info", {
      isChating: true,
      host: { id: ANN, nickName: "N1", headImage: null },
      userInfos: [listed(ANN, true), { ...listed(BOB, true), isCamera: true }, listed(ME, true)],
    });
    await flushMicrotasks();
    expect(client.shown()).toMatchObject({
      stage: "talking",
      hostId: ANN,
      people: [
        { userId: ANN, connection: "connecting" },
        { userId: BOB, isCamera: true },
      ],
    });
    expect(client.callPorts.connections).toEqual([]);
    client.receive(BOB, MessageType.RTC_GROUP_OFFER, OFFER);
    expect(await client.sent()).toEqual([
      ["answer", { userId: BOB, answer: { type: "answer", sdp: "peer1 answers theirs" } }],
    ]);
  });

  test("if the people cannot be read, the next login of the socket asks again", async () => {
    const client = setUp();
    client.calls.join(GROUP);
    await flushMicrotasks();
    client.ports.http.reply("join", null);
    await flushMicrotasks();
    client.ports.http.replyRaw("info", { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    client.calls.wentOnline();
    await flushMicrotasks();
    const userInfos = [listed(ANN, true)];
    client.ports.http.reply("info", { isChating: true, host: null, userInfos });
    await flushMicrotasks();
    expect(client.shown()?.people.map(({ userId }) => userId)).toEqual([ANN]);
  });
});

describe("devices in the call of a group", () => {
  const report = (isCamera: boolean, isMicroPhone: boolean, isShareScreen = false) => [
    "device",
    { isCamera, isMicroPhone, isShareScreen },
  ];

  test("group.CHATING.toggle: my camera and microphone are reported to the others, and a screen as a camera", async () => {
    const client = await acceptAnn();
    const media = client.calls.media();
    media?.setCamera(true);
    expect(await client.sent()).toEqual([report(true, true)]);
    media?.setScreen(true);
    expect(await client.sent()).toEqual([report(true, true, true)]);
    media?.setCamera(false);
    media?.setMicrophone(false);
    expect(await client.sent()).toEqual([report(true, false, true)]);
    media?.setScreen(false);
    expect(await client.sent()).toEqual([report(false, false)]);
  });

  test("group.CHATING.toggle: a camera that could not be reported to the others goes off again", async () => {
    const client = await acceptAnn();
    client.calls.media()?.setCamera(true);
    await flushMicrotasks();
    client.ports.http.replyRaw("device", { kind: "failed", reason: "timeout" });
    await flushMicrotasks();
    expect(client.shown()?.local.camera).toEqual({ kind: "off" });
    expect(await client.sent()).toEqual([]);
  });

  test("group.CHATING.toggle: a microphone stays off though that could not be reported; the heartbeat reports it", async () => {
    const client = await acceptAnn();
    connectionOf(client).change("connected");
    client.calls.media()?.setMicrophone(false);
    await flushMicrotasks();
    client.ports.http.replyRaw("device", { kind: "failed", reason: "timeout" });
    await flushMicrotasks();
    expect(client.shown()?.local.microphone).toEqual({ kind: "off" });
    expect(await client.sent()).toEqual([]);
    await client.pass(15_000);
    expect(await client.sent()).toEqual(["heartbeat", report(false, false)]);
  });

  test("a camera that was on when I accepted is reported once I am in", async () => {
    const client = setUp();
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [listed(ANN, true), listed(ME, false)]);
    client.calls.accept(true);
    await flushMicrotasks();
    expect(client.ports.http.waiting).toHaveLength(1);
    expect(await client.sent()).toEqual(["accept", report(true, true)]);
  });

  test("a person without a microphone hears the others, who learn of it", async () => {
    const client = setUp();
    client.callPorts.problems.microphone = "missing";
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [listed(ANN, true), listed(ME, false)]);
    client.calls.accept(false);
    expect(await client.sent()).toEqual(["accept", report(false, false)]);
    expect(client.shown()).toMatchObject({
      stage: "talking",
      local: { microphone: { kind: "failed", problem: "missing" } },
    });
  });

  test("a person who is no longer in the call learns it when they report devices", async () => {
    const client = await acceptAnn();
    client.calls.media()?.setMicrophone(false);
    await flushMicrotasks();
    client.ports.http.replyRaw("device", {
      kind: "answer",
      status: 200,
      text: JSON.stringify({ code: 500, message: "", data: null, key: "call.notIn" }),
      retryAfterSeconds: null,
    });
    await flushMicrotasks();
    expect(client.notices).toMatchObject([{ kind: "callEnded", call: { end: { kind: "ended" } } }]);
    expectAllClosed(client);
  });

  test("with each person more a smaller picture is sent to everybody, and a larger one when somebody leaves", async () => {
    const client = await acceptAnn();
    expect(connectionOf(client).limit?.height).toBe(720);
    client.receive(BOB, MessageType.RTC_GROUP_ACCEPT);
    await client.sent();
    expect(client.callPorts.connections.map(({ limit }) => limit?.height)).toEqual([540, 540]);
    client.calls.media()?.setCamera(true);
    await client.sent();
    expect(client.callPorts.tracks.at(-1)).toMatchObject({ name: "camera", rate: 25 });
    client.calls.media()?.setScreen(true);
    await client.sent();
    expect(client.callPorts.connections.map(({ limit }) => limit?.framesPerSecond)).toEqual([5, 5]);
    client.calls.media()?.setScreen(false);
    client.receive(BOB, MessageType.RTC_GROUP_QUIT);
    await client.sent();
    expect(connectionOf(client).limit?.height).toBe(720);
    expect(connectionOf(client, 1).isClosed).toBe(true);
    expect(client.notices).toEqual([
      {
        kind: "callPersonLeft",
        groupId: GROUP,
        people: [{ userId: BOB, nickName: "N3" }],
        why: "quit",
        reason: "",
      },
    ]);
  });
});
