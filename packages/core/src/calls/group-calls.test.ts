import { MessageType } from "@parley/protocol/codes";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import { describe, expect, test } from "vitest";
import type { Notice } from "../client-api.ts";
import { createApi } from "../connection/api.ts";
import type { GroupCallView } from "../model/calls/call.ts";
import { createScope } from "../session-scope.ts";
import { createFakeCallPorts } from "../testing/fake-call-ports.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { clockOf, createFakePorts } from "../testing/fake-ports.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createDeviceChoices } from "./device-choices.ts";
import { createGroupCalls } from "./group-calls.ts";
import { createLocalMedia, DEFAULT_PROCESSING } from "./local-media.ts";

const ANN = 1;
const ME = 2;
const BOB = 3;
const GROUP = 7;
const NOT_IN = 500;

/** Calls of a client on fake ports. I am 2. */
function setUp() {
  const ports = createFakePorts();
  const clock = clockOf(ports);
  const callPorts = createFakeCallPorts(clock);
  const scope = createScope();
  const notices: Notice[] = [];
  let reconnects = 0;
  const api = createApi(ports, {
    base: () => "",
    deviceNo: "d",
    clientId: "c",
    credentials: {
      scope: () => scope,
      accessToken: () => "token",
      refresh: async () => "failed",
      onTokenRejected: () => undefined,
    },
    onFailure: (failure) => notices.push({ kind: "failure", failure }),
  });
  const choices = createDeviceChoices(ports.storage.local, DEFAULT_PROCESSING);
  let shown: GroupCallView | null = null;
  const calls = createGroupCalls({
    me: ME,
    api,
    clock,
    log: ports.log,
    callPorts,
    createMedia: (onChange) =>
      createLocalMedia({ media: callPorts.media, clock, log: ports.log, choices, onChange }),
    iceServers: () => [],
    isOfferHeld: () => true,
    isSocketLost: () => false,
    reconnectNow: () => void reconnects++,
    notify: (notice) => notices.push(notice),
    publish: () => void (shown = calls.view()),
  });

  const nameOf = (url: string) => /group\/(\w+)/.exec(url)?.[1] ?? url;

  /** What was sent since the last look, in order: name and body. Every request succeeds. */
  async function sent(): Promise<unknown[]> {
    const all: unknown[] = [];
    await flushMicrotasks();
    for (let next = ports.http.waiting[0]; next !== undefined; next = ports.http.waiting[0]) {
      const { url } = next.request;
      const body = bodyOf(next.request) as Record<string, unknown> | null;
      const { groupId: _, ...parts } = body ?? {};
      all.push(body === null ? nameOf(url) : [nameOf(url), parts]);
      ports.http.reply(url, null);
      await flushMicrotasks();
    }
    return all;
  }

  return {
    ports,
    clock,
    callPorts,
    calls,
    notices,
    sent,
    scope,
    shown: () => shown,
    reconnects: () => reconnects,
    receive: (sendId: number, type: ReceivedGroupCall["type"], content?: unknown, groupId = GROUP) =>
      calls.receive({ type, sendId, groupId, content } as ReceivedGroupCall, callPorts.support === "ok"),
    async pass(ms: number) {
      clock.advance(ms);
      await flushMicrotasks();
    },
  };
}

type Client = ReturnType<typeof setUp>;

const person = (id: number, isIn: boolean) => ({
  id,
  nickName: `N${id}`,
  headImage: null,
  isIn,
  isCamera: false,
  isMicroPhone: true,
});

const OFFER = { type: "offer", sdp: "theirs" };

/** I have started it, and Bob has come. */
async function talkWithBob(): Promise<Client> {
  const client = setUp();
  client.calls.start(GROUP, [ANN, BOB]);
  await client.sent();
  client.receive(BOB, MessageType.RTC_GROUP_ACCEPT);
  await client.sent();
  return client;
}

/** Bob has answered my offer, and we are connected. */
async function connectWithBob(): Promise<Client> {
  const client = await talkWithBob();
  client.receive(BOB, MessageType.RTC_GROUP_ANSWER, { type: "answer", sdp: "theirs" });
  await flushMicrotasks();
  connectionOf(client).change("connected");
  return client;
}

/** Ann has called me and Bob, and I have accepted. */
async function talkWithAnn(withCamera = false): Promise<Client> {
  const client = setUp();
  client.receive(ANN, MessageType.RTC_GROUP_SETUP, [
    person(ANN, true),
    person(ME, false),
    person(BOB, false),
  ]);
  client.calls.accept(withCamera);
  await client.sent();
  client.receive(ANN, MessageType.RTC_GROUP_OFFER, OFFER);
  await client.sent();
  return client;
}

const connectionOf = ({ callPorts }: Client, index = 0) => {
  const connection = callPorts.connections[index];
  if (connection === undefined) throw new Error(`there is no connection ${index}`);
  return connection;
};

/** Nothing is in use any more. */
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
    const client = await talkWithBob();
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
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [person(ANN, true), person(ME, false)]);
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
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [person(ANN, true), person(ME, false)]);
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
    for (const [how, told] of [
      ["end", ["reject"]],
      ["leave", []],
    ] as const) {
      const client = setUp();
      client.receive(ANN, MessageType.RTC_GROUP_SETUP, [person(ANN, true), person(ME, false)]);
      client.calls[how]();
      expect(client.ports.http.waiting.map(({ request }) => request.outlivesPage)).toEqual(
        told.map(() => true),
      );
      expect(await client.sent()).toEqual(told);
      expectAllClosed(client);
    }
  });

  test("a browser that cannot call says so, and does not ring", async () => {
    const client = setUp();
    client.callPorts.support = "unsupported";
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [person(ANN, true)]);
    expect(await client.sent()).toEqual([["failed", { reason: "device does not support calling" }]]);
    expectAllClosed(client);
  });

  test("the end by the server is said and closes everything", async () => {
    const client = await talkWithAnn();
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
      userInfos: [person(ANN, true), { ...person(BOB, true), isCamera: true }, person(ME, true)],
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
    const userInfos = [person(ANN, true)];
    client.ports.http.reply("info", { isChating: true, host: null, userInfos });
    await flushMicrotasks();
    expect(client.shown()?.people.map(({ userId }) => userId)).toEqual([ANN]);
  });
});

describe("devices in the call of a group", () => {
  test("group.CHATING.toggle: the others are told of my camera and microphone, and of a screen as of a camera", async () => {
    const client = await talkWithAnn();
    const media = client.calls.media();
    media?.setCamera(true);
    expect(await client.sent()).toEqual([["device", { isCamera: true, isMicroPhone: true }]]);
    media?.setScreen(true);
    expect(await client.sent()).toEqual([]);
    media?.setCamera(false);
    media?.setMicrophone(false);
    expect(await client.sent()).toEqual([["device", { isCamera: true, isMicroPhone: false }]]);
    media?.setScreen(false);
    expect(await client.sent()).toEqual([["device", { isCamera: false, isMicroPhone: false }]]);
  });

  test("group.CHATING.toggle: a camera of which the others could not be told goes off again", async () => {
    const client = await talkWithAnn();
    client.calls.media()?.setCamera(true);
    await flushMicrotasks();
    client.ports.http.replyRaw("device", { kind: "failed", reason: "timeout" });
    await flushMicrotasks();
    expect(client.shown()?.local.camera).toEqual({ kind: "off" });
    expect(await client.sent()).toEqual([]);
  });

  test("group.CHATING.toggle: a microphone stays off though the others could not be told; the heartbeat tells them", async () => {
    const client = await talkWithAnn();
    client.calls.media()?.setMicrophone(false);
    await flushMicrotasks();
    client.ports.http.replyRaw("device", { kind: "failed", reason: "timeout" });
    await flushMicrotasks();
    expect(client.shown()?.local.microphone).toEqual({ kind: "off" });
    expect(await client.sent()).toEqual([]);
    await client.pass(15_000);
    expect(await client.sent()).toEqual(["heartbeat", ["device", { isCamera: false, isMicroPhone: false }]]);
  });

  test("a camera that was on when I accepted is told once I am in", async () => {
    const client = setUp();
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [person(ANN, true), person(ME, false)]);
    client.calls.accept(true);
    await flushMicrotasks();
    expect(client.ports.http.waiting).toHaveLength(1);
    expect(await client.sent()).toEqual(["accept", ["device", { isCamera: true, isMicroPhone: true }]]);
  });

  test("who is in without a microphone hears the others, who are told", async () => {
    const client = setUp();
    client.callPorts.problems.microphone = "missing";
    client.receive(ANN, MessageType.RTC_GROUP_SETUP, [person(ANN, true), person(ME, false)]);
    client.calls.accept(false);
    expect(await client.sent()).toEqual(["accept", ["device", { isCamera: false, isMicroPhone: false }]]);
    expect(client.shown()).toMatchObject({
      stage: "talking",
      local: { microphone: { kind: "failed", problem: "missing" } },
    });
  });

  test("who is not in the call any more learns it when the others are told of devices", async () => {
    const client = await talkWithAnn();
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
    const client = await talkWithAnn();
    expect(connectionOf(client).limit?.height).toBe(720);
    client.receive(BOB, MessageType.RTC_GROUP_ACCEPT);
    await client.sent();
    expect(client.callPorts.connections.map(({ limit }) => limit?.height)).toEqual([540, 540]);
    client.calls.media()?.setScreen(true);
    await client.sent();
    expect(client.callPorts.connections.map(({ limit }) => limit?.framesPerSecond)).toEqual([5, 5]);
    client.calls.media()?.setScreen(false);
    client.receive(BOB, MessageType.RTC_GROUP_QUIT);
    await client.sent();
    expect(connectionOf(client).limit?.height).toBe(720);
    expect(connectionOf(client, 1).isClosed).toBe(true);
    expect(client.notices).toEqual([
      { kind: "callPersonLeft", groupId: GROUP, userIds: [BOB], why: "quit", reason: "" },
    ]);
  });
});

describe("connections in the call of a group", () => {
  test("an offer without an answer is repeated every 10 s, then the connection counts as failed", async () => {
    const client = await talkWithBob();
    for (let count = 0; count < 3; count++) {
      await client.pass(10_000);
      expect(await client.sent()).toContainEqual([
        "offer",
        { userId: BOB, offer: { type: "offer", sdp: "peer1 offer 1" } },
      ]);
    }
    await client.pass(10_000);
    expect(client.shown()?.people[1]).toMatchObject({ userId: BOB, connection: "failed" });
    expect(connectionOf(client).isClosed).toBe(true);
    expect(client.shown()?.stage).toBe("talking");
  });

  test("a connection that was lost is restarted while the others go on", async () => {
    const client = await connectWithBob();
    connectionOf(client).change("disconnected");
    expect(client.shown()?.people[1]?.connection).toBe("connected");
    await client.pass(2_000);
    expect(client.shown()?.people[1]?.connection).toBe("reconnecting");
    expect(client.reconnects()).toBe(1);
    expect(connectionOf(client).log).toEqual(["offer", "takes theirs", "restart"]);
    connectionOf(client).change("connected");
    expect(client.shown()?.people[1]?.connection).toBe("connected");
    await client.sent();
    await client.pass(10_000);
    expect(connectionOf(client).log).toEqual(["offer", "takes theirs", "restart"]);
  });

  test("when the network comes back, connections are restarted at once", async () => {
    const client = await connectWithBob();
    client.calls.networkChanged();
    await flushMicrotasks();
    expect(connectionOf(client).log).toEqual(["offer", "takes theirs", "restart"]);
  });

  test("if both offer at once, the larger id drops its offer", async () => {
    const withBob = await talkWithBob();
    withBob.receive(BOB, MessageType.RTC_GROUP_OFFER, OFFER);
    expect(await withBob.sent()).toEqual([]);
    const withAnn = setUp();
    withAnn.calls.start(GROUP, [ANN]);
    await withAnn.sent();
    withAnn.receive(ANN, MessageType.RTC_GROUP_ACCEPT);
    await withAnn.sent();
    withAnn.receive(ANN, MessageType.RTC_GROUP_OFFER, OFFER);
    expect(await withAnn.sent()).toEqual([
      ["answer", { userId: ANN, answer: { type: "answer", sdp: "peer1 answers theirs" } }],
    ]);
  });

  test("GC67 descriptions for one person are sent one after the other, so that none overtakes another", async () => {
    const client = setUp();
    client.calls.start(GROUP, [BOB]);
    await client.sent();
    client.receive(BOB, MessageType.RTC_GROUP_ACCEPT);
    await client.pass(10_000);
    const offers = () => client.ports.http.waiting.filter(({ request }) => request.url.includes("offer"));
    expect(offers()).toHaveLength(1);
    client.ports.http.reply("offer", null);
    await flushMicrotasks();
    expect(offers()).toHaveLength(1);
    expect(bodyOf(offers()[0]?.request)).toMatchObject({ offer: { sdp: "peer1 offer 1" } });
  });

  test("more members are called with their ids, and a refusal is shown", async () => {
    const client = await talkWithAnn();
    client.calls.invite([BOB, 9]);
    await flushMicrotasks();
    expect(client.ports.http.waiting.map(({ request }) => bodyOf(request))).toEqual([
      { groupId: GROUP, userInfos: [{ id: 9 }] },
    ]);
    client.ports.http.reply("invite", null, NOT_IN);
    await flushMicrotasks();
    expect(client.notices).toMatchObject([{ kind: "failure", failure: { kind: "refused" } }]);
  });

  test("group.ANY.busy: a call of another group learns that I am busy, and nothing changes here", async () => {
    const client = await talkWithAnn();
    const before = client.shown();
    client.receive(BOB, MessageType.RTC_GROUP_SETUP, [person(BOB, true), person(ME, false)], 8);
    expect(client.ports.http.waiting.map(({ request }) => bodyOf(request))).toEqual([
      { groupId: 8, reason: "对方正忙" },
    ]);
    expect(client.shown()).toEqual(before);
    expect(client.calls.isBusy()).toBe(true);
  });
});
