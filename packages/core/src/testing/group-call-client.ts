import { MessageType } from "@parley/protocol/codes";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import { createDeviceChoices } from "../calls/device-choices.ts";
import { GroupCalls } from "../calls/group-calls.ts";
import { createLocalMedia, DEFAULT_PROCESSING } from "../calls/local-media.ts";
import type { Notice } from "../notice.ts";
import type { GroupCallView } from "../model/calls/call.ts";
import { createScope } from "../session-scope.ts";
import { createFakeCallPorts } from "./fake-call-ports.ts";
import { bodyOf } from "./fake-http.ts";
import { clockOf, createFakePorts } from "./fake-ports.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";
import { ANN, BOB, GROUP, listed, ME } from "./group-call-inputs.ts";
import { createSessionApi } from "./session-api.ts";

export const NOT_IN = 500;

/** Calls of a client on fake ports. I am 2. */
export function setUp() {
  const ports = createFakePorts();
  const clock = clockOf(ports);
  const callPorts = createFakeCallPorts(clock);
  const scope = createScope();
  const notices: Notice[] = [];
  let reconnects = 0;
  const api = createSessionApi(ports, scope, (failure) => notices.push({ kind: "failure", failure }));
  const choices = createDeviceChoices(ports.storage.local, DEFAULT_PROCESSING);
  let shown: GroupCallView | null = null;
  const calls = new GroupCalls({
    me: ME,
    api,
    clock,
    log: ports.log,
    callPorts,
    createMedia: (onChange) =>
      createLocalMedia({ media: callPorts.media, clock, log: ports.log, choices, onChange }),
    iceServers: async () => [],
    isOfferHeld: () => true,
    isSocketLost: () => false,
    reconnectNow: () => void reconnects++,
    notify: (notice) => notices.push(notice),
    staleCalls: { trackEnd: () => undefined, reportLateEntry: () => undefined },
    publish: () => void (shown = calls.view()),
  });

  const nameOf = (url: string) => /group\/(\w+)/.exec(url)?.[1] ?? url;

  /** The requests since the last look, in order: name and body. Every request succeeds. */
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

export type Client = ReturnType<typeof setUp>;

export const OFFER = { type: "offer", sdp: "theirs" };

/** I have started it, and Bob has come. */
export async function callBob(): Promise<Client> {
  const client = setUp();
  client.calls.start(GROUP, [ANN, BOB]);
  await client.sent();
  client.receive(BOB, MessageType.RTC_GROUP_ACCEPT);
  await client.sent();
  return client;
}

/** Ann has called me and Bob, and I have accepted. */
export async function acceptAnn(withCamera = false): Promise<Client> {
  const client = setUp();
  client.receive(ANN, MessageType.RTC_GROUP_SETUP, [
    listed(ANN, true),
    listed(ME, false),
    listed(BOB, false),
  ]);
  client.calls.accept(withCamera);
  await client.sent();
  client.receive(ANN, MessageType.RTC_GROUP_OFFER, OFFER);
  await client.sent();
  return client;
}

export const connectionOf = ({ callPorts }: Client, index = 0) => {
  const connection = callPorts.connections[index];
  if (connection === undefined) throw new Error(`there is no connection ${index}`);
  return connection;
};
