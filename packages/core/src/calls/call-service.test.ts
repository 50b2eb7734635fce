import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import type { Notice } from "../notice.ts";
import { createScope } from "../session-scope.ts";
import { createStateStore } from "../state-store.ts";
import { createFakeCallPorts } from "../testing/fake-call-ports.ts";
import { clockOf, createFakePorts } from "../testing/fake-ports.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createSessionApi } from "../testing/session-api.ts";
import { createCallService } from "./call-service.ts";

const ME = 2;
const ANN = 1;
const GROUP = 7;

/** The calls of a session for which it rings: Ann calls me in a group. */
function ringing() {
  const ports = createFakePorts();
  const session = createScope();
  const notices: Notice[] = [];
  const api = createSessionApi(ports, session);
  const stateStore = createStateStore();
  const service = createCallService(
    {
      ports,
      stateStore,
      api,
      session,
      me: ME,
      clientId: "page",
      notify: (notice) => notices.push(notice),
      reconnectNow: () => undefined,
      onLoadFailure: () => undefined,
    },
    createFakeCallPorts(ports.clock),
  );
  const content = JSON.stringify([{ id: ANN, isIn: true }, { id: ME }]);
  service.receive({
    type: MessageType.RTC_GROUP_SETUP,
    sendId: ANN,
    groupId: GROUP,
    selfSend: false,
    content,
  });
  const requests = () =>
    ports.http.waiting.map(({ request }) => request.url).filter((url) => url.includes("webrtc"));
  return { service, requests, notices, call: () => stateStore.get().call, clock: clockOf(ports) };
}

describe("a page on which the call of a group rings", () => {
  test("joining this call accepts it", async () => {
    const { service, requests, notices, call } = ringing();
    expect(call()).toMatchObject({ kind: "group", groupId: GROUP, stage: "ringing" });
    service.actions.joinGroup(GROUP);
    await flushMicrotasks();
    expect(requests()).toEqual([`/webrtc/group/accept?groupId=${GROUP}`]);
    expect(call()).toMatchObject({ stage: "talking" });
    expect(notices).toEqual([]);
  });

  test("a second that changes nothing leaves the state as it is, and a change inside of it is shown", () => {
    const { service, call, clock } = ringing();
    const before = call();
    clock.advance(5_000);
    expect(call()).toBe(before);
    const isCamera = true;
    service.receive({
      type: MessageType.RTC_GROUP_DEVICE,
      sendId: ANN,
      groupId: GROUP,
      selfSend: false,
      content: JSON.stringify({ isCamera, isMicroPhone: true, isShareScreen: false }),
    });
    expect(call()).toMatchObject({ people: [{ userId: ANN, isCamera }] });
  });

  test("another call cannot be joined or started", async () => {
    const { service, requests, notices, call } = ringing();
    service.actions.joinGroup(8);
    service.actions.startGroup(GROUP, [ANN]);
    service.actions.start(ANN, "voice");
    await flushMicrotasks();
    expect(requests()).toEqual([]);
    expect(call()).toMatchObject({ stage: "ringing" });
    const refused = { kind: "failure", failure: { kind: "refused", key: "call.youAreInCall" } };
    expect(notices).toMatchObject([refused, refused, refused]);
  });
});
