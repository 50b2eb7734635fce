import { MessageType } from "@parley/protocol/codes";
import { CALL_SIGNALS_MAX } from "@parley/protocol/limits";
import { describe, expect, it } from "vitest";
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

/** The calls of a session for which it rings: Ann calls me by video. */
async function ringing() {
  const ports = createFakePorts();
  const callPorts = createFakeCallPorts(clockOf(ports));
  const session = createScope();
  const api = createSessionApi(ports, session);
  const stateStore = createStateStore();
  const unused = () => undefined;
  const service = createCallService(
    { ports, stateStore, api, session, me: ME, notify: unused, reconnectNow: unused, onLoadFailure: unused },
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
  const answer = async (part: string) => {
    ports.http.reply(part, null);
    await flushMicrotasks();
  };
  receive(MessageType.RTC_SETUP_VIDEO);
  return { callPorts, service, receive, requests, answer, stage: () => stateStore.get().call?.stage };
}

describe("a call that rings", () => {
  it("PC46 answers the offer meanwhile, and sends the answer with the accept alone", async () => {
    const { callPorts, service, receive, requests, answer, stage } = await ringing();
    receive(MessageType.RTC_OFFER, OFFER);
    await answer("/system/config");
    const [connection] = callPorts.connections;
    connection?.gather({ candidate: "a" });
    expect(connection?.log).toEqual(["takes theirs"]);
    expect([stage(), requests(), callPorts.tracks]).toEqual(["ringing", [], []]);
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

  it("PC46 accepts without an answer if there is none yet, and sends it when the server has confirmed the accept", async () => {
    const { service, receive, requests, answer } = await ringing();
    receive(MessageType.RTC_OFFER, OFFER);
    service.actions.accept(false);
    await answer("/system/config");
    expect(requests()).toEqual([["accept", null]]);
    await answer("/accept");
    expect(requests()).toContainEqual(["answer", { type: "answer", sdp: "peer1 answers theirs" }]);
  });

  it("PC46 sends candidates that do not fit into the accept after it", async () => {
    const { callPorts, service, receive, requests, answer } = await ringing();
    receive(MessageType.RTC_OFFER, OFFER);
    await answer("/system/config");
    for (let n = 0; n <= CALL_SIGNALS_MAX; n++) callPorts.connections[0]?.gather({ candidate: n });
    service.actions.accept(false);
    await flushMicrotasks();
    expect(requests()).toMatchObject([["accept", { candidates: { length: CALL_SIGNALS_MAX } }]]);
    await answer("/accept");
    expect(requests()).toContainEqual(["candidate", { candidate: CALL_SIGNALS_MAX }]);
  });

  it("PC46 closes what was prepared when the call ends", async () => {
    const { callPorts, receive, stage } = await ringing();
    receive(MessageType.RTC_OFFER, OFFER);
    receive(MessageType.RTC_CANCEL);
    expect(callPorts.connections.map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(stage()).toBeUndefined();
  });
});
