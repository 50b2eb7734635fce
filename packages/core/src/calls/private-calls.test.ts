import { MessageType } from "@parley/protocol/codes";
import { CALL_SIGNALS_MAX } from "@parley/protocol/limits";
import { describe, expect, test } from "vitest";
import { createScope } from "../session-scope.ts";
import { createStateStore } from "../state-store.ts";
import { createFakeCallPorts } from "../testing/fake-call-ports.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { clockOf, createFakePorts } from "../testing/fake-ports.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createSessionApi } from "../testing/session-api.ts";
import { createCallService } from "./call-service.ts";

const ANN = 1;
const ME = 2;
const OFFER = { type: "offer", sdp: "theirs" };
/** The server holds offers. */
const CONFIG = {
  webrtc: { maxChannel: 9, heldOffer: true, iceServers: [] },
  socketSecure: null,
  message: { recallSeconds: 300, editSeconds: 300 },
  group: { joinMode: 1 },
  webPush: null,
  upload: { imageMax: 1, fileMax: 1 },
};

/** The calls of a session; there is none. */
function signedIn() {
  const ports = createFakePorts();
  const callPorts = createFakeCallPorts(clockOf(ports));
  const session = createScope();
  const api = createSessionApi(ports, session);
  const stateStore = createStateStore();
  const unused = () => undefined;
  const service = createCallService(
    {
      ports,
      stateStore,
      api,
      session,
      me: ME,
      clientId: "page",
      notify: unused,
      reconnectNow: unused,
      onLoadFailure: unused,
    },
    callPorts,
  );
  const receive = (type: number, content: unknown = null) =>
    service.receive({
      type,
      sendId: ANN,
      recvId: ME,
      selfSend: false,
      content: content && JSON.stringify(content),
    });
  /** What waits for the server: the call and its body. */
  const requests = () =>
    ports.http.waiting.flatMap(({ request }) => {
      const name = /private\/(\w+)/.exec(request.url)?.[1];
      return name === undefined ? [] : [[name, bodyOf(request)]];
    });
  const timeouts = () => ports.http.waiting.map(({ request }) => request.timeoutMs);
  const answer = async (part: string, data: unknown = null) => {
    ports.http.reply(part, data);
    await flushMicrotasks();
  };
  const refuse = async (part: string) => {
    ports.http.replyRaw(part, { kind: "failed", reason: "timeout" });
    await flushMicrotasks();
  };
  const pass = async (ms: number) => {
    clockOf(ports).advance(ms);
    await flushMicrotasks();
  };
  const shown = () => stateStore.get().call;
  return { callPorts, service, receive, requests, timeouts, answer, refuse, pass, shown };
}

/** It rings: Ann calls me by video. */
function ringing() {
  const call = signedIn();
  call.receive(MessageType.RTC_SETUP_VIDEO);
  return call;
}

describe("a call that rings", () => {
  test("PC46 answers the offer while it rings, and sends the answer only with the accept", async () => {
    const { callPorts, service, receive, requests, answer, shown } = ringing();
    receive(MessageType.RTC_OFFER, OFFER);
    await answer("/system/config");
    const [connection] = callPorts.connections;
    connection?.gather({ candidate: "a" });
    expect(connection?.log).toEqual(["takes theirs"]);
    expect([shown()?.stage, requests(), callPorts.tracks]).toEqual(["ringing", [], []]);
    service.actions.accept(true);
    connection?.gather({ candidate: "b" });
    await flushMicrotasks();
    const body = {
      answer: { type: "answer", sdp: "peer1 answers theirs" },
      candidates: [{ candidate: "a" }],
    };
    expect(requests()).toEqual([["accept", body]]);
    await answer("/accept");
    expect(requests()).toEqual([["candidate", { candidate: "b" }]]);
    expect(callPorts.connections).toHaveLength(1);
    expect(connection?.sent).toMatchObject({ audio: { name: "microphone" }, video: { name: "camera" } });
  });

  test("PC46 accepts without an answer if there is none yet, and sends it when the server has confirmed the accept", async () => {
    const { service, receive, requests, timeouts, answer } = ringing();
    receive(MessageType.RTC_OFFER, OFFER);
    service.actions.accept(false);
    await answer("/system/config");
    expect(requests()).toEqual([["accept", null]]);
    expect(timeouts()).toEqual([5_000]);
    await answer("/accept");
    expect(requests()).toContainEqual(["answer", { type: "answer", sdp: "peer1 answers theirs" }]);
  });

  test("PC46 sends candidates that do not fit into the accept after it", async () => {
    const { callPorts, service, receive, requests, answer } = ringing();
    receive(MessageType.RTC_OFFER, OFFER);
    await answer("/system/config");
    for (let n = 0; n <= CALL_SIGNALS_MAX; n++) callPorts.connections[0]?.gather({ candidate: n });
    service.actions.accept(false);
    await flushMicrotasks();
    expect(requests()).toMatchObject([["accept", { candidates: { length: CALL_SIGNALS_MAX } }]]);
    await answer("/accept");
    expect(requests()).toContainEqual(["candidate", { candidate: CALL_SIGNALS_MAX }]);
  });

  test("knows nothing of the devices that were on in the call before", async () => {
    const { service, receive, answer, shown } = ringing();
    await answer("/system/config");
    service.actions.accept(false);
    await answer("/accept");
    expect(shown()).toMatchObject({ stage: "connecting", peer: { isCamera: true } });
    service.actions.end();
    receive(MessageType.RTC_SETUP_VOICE);
    expect(shown()).toMatchObject({ stage: "ringing", peer: { isCamera: false } });
  });

  test("PC46 closes what was prepared when the call ends", async () => {
    const { callPorts, receive, shown } = ringing();
    receive(MessageType.RTC_OFFER, OFFER);
    receive(MessageType.RTC_CANCEL);
    expect(callPorts.connections.map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(shown()).toBeNull();
  });
});

describe("a call that crosses another one", () => {
  test("an offer whose connection was replaced is not sent again, though the server did not answer", async () => {
    const { service, receive, requests, answer, refuse, pass } = signedIn();
    service.actions.start(ANN, "video");
    await answer("/system/config", CONFIG);
    await answer("/setup");
    expect(requests()).toEqual([["offer", { type: "offer", sdp: "peer1 offer 1" }]]);
    receive(MessageType.RTC_SETUP_VIDEO);
    await refuse("/offer");
    await pass(1_000);
    expect(requests()).toEqual([["accept", null]]);
  });
});

describe("devices in a call between two people", () => {
  const report = (isCamera: boolean, isMicroPhone: boolean, isShareScreen = false) => [
    "device",
    { uid: ANN, isCamera, isMicroPhone, isShareScreen },
  ];

  /** I have answered by video; nothing waits for the server. */
  async function talking(withCamera: boolean) {
    const call = ringing();
    await call.answer("/system/config");
    call.service.actions.accept(withCamera);
    await flushMicrotasks();
    await call.answer("/accept");
    return call;
  }

  test("PC47 devices that differ from the kind of the call are reported to the other person, and a screen as a camera", async () => {
    const withCamera = await talking(true);
    expect(withCamera.requests()).toEqual([]);
    const { service, requests, answer } = await talking(false);
    expect(requests()).toEqual([report(false, true)]);
    await answer("/device");
    service.actions.setScreen(true);
    await flushMicrotasks();
    expect(requests()).toEqual([report(true, true, true)]);
  });

  test("PC47 a camera that could not be reported to the other person goes off again; a microphone stays off and is reported by the next heartbeat", async () => {
    const { service, requests, answer, refuse, pass, shown } = await talking(false);
    await answer("/device");
    service.actions.setCamera(true);
    await flushMicrotasks();
    await refuse("/device");
    expect(shown()?.local.camera).toEqual({ kind: "off" });
    service.actions.setMicrophone(false);
    await flushMicrotasks();
    await refuse("/device");
    expect(requests()).toEqual([]);
    await pass(15_000);
    expect(requests()).toContainEqual(report(false, false));
  });
});
