import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { tabLockName } from "../storage/tab-messages.ts";
import type { Tabs } from "../ports.ts";
import { createScope } from "../session-scope.ts";
import { createStateStore } from "../state-store.ts";
import { createFakeCallPorts } from "../testing/fake-call-ports.ts";
import { clockOf, createFakePorts } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { createSessionApi } from "../testing/session-api.ts";
import { createCallService } from "./call-service.ts";
import { createLazyCalls } from "./lazy-calls.ts";

const ANN = 1;
const ME = 2;
const GROUP = 7;

/** A browser whose pages are all signed in as me. */
function browser() {
  const storage = createMemoryStorage();
  const device = createFakeTabs();

  function page(clientId: string) {
    const ports = createFakePorts({ storage, device });
    const session = createScope();
    const unused = () => undefined;
    let loads = 0;
    const notices: string[] = [];
    const calls = createLazyCalls(
      async () => (deps) => {
        loads++;
        return createCallService(deps, createFakeCallPorts(ports.clock));
      },
      {
        ports,
        stateStore: createStateStore(),
        api: createSessionApi(ports, session),
        session,
        me: ME,
        clientId,
        notify: (notice) => notices.push(notice.kind),
        reconnectNow: unused,
        onLoadFailure: unused,
      },
    );
    ports.tabs.live(tabLockName(clientId), unused);
    /** The requests about calls that wait for the server. */
    const requests = async () => {
      await flushMicrotasks();
      return ports.http.waiting.flatMap(({ request: { url } }) => /\/webrtc\/.*/.exec(url)?.[0] ?? []);
    };
    const answer = async (part: string) => {
      ports.http.reply(part, null);
      return requests();
    };
    const refuse = async (part: string) => {
      ports.http.replyRaw(part, { kind: "failed", reason: "offline" });
      return requests();
    };
    const login = () => {
      calls.wentOnline("epoch");
      return requests();
    };
    const start = async () => {
      calls.actions.start(ANN, "voice");
      return requests();
    };
    return {
      tabs: ports.tabs,
      clock: clockOf(ports),
      calls,
      requests,
      answer,
      refuse,
      login,
      start,
      loads: () => loads,
      notices,
      session,
      receive: (type: number) =>
        calls.receive({ type, sendId: ANN, recvId: ME, selfSend: false, content: null }),
    };
  }
  return { page, crash: (tab: Tabs) => device.crash(tab) };
}

const SETUP = `/webrtc/private/setup?uid=${ANN}&mode=voice`;
const CANCEL = `/webrtc/private/cancel?uid=${ANN}`;
const gone = (clientId: string, call = "") =>
  `/webrtc/gone?clientId=${clientId}${call === "" ? "" : `&${call}`}`;

describe("PC55 a page that was in a call and is gone", () => {
  test("is reported by the next page, which calls when the server has answered", async () => {
    const { page, crash } = browser();
    const first = page("first");
    expect(await first.start()).toEqual([SETUP]);
    crash(first.tabs);
    const next = page("next");
    expect(await next.login()).toEqual([gone("first")]);
    // A person who presses again because nothing happens wants one call.
    for (let n = 0; n < 2; n++) expect(await next.start()).toEqual([gone("first")]);
    expect(await next.answer("/gone")).toEqual([SETUP]);
    expect(next.notices).toEqual([]);
    const third = page("third");
    expect(await third.login()).toEqual([]);
  });

  test("is reported by another tab that watches it, and not as long as it lives", async () => {
    const { page, crash } = browser();
    const first = page("first");
    first.receive(MessageType.RTC_SETUP_VOICE);
    await flushMicrotasks();
    first.calls.actions.accept(false);
    const other = page("other");
    expect(await other.login()).toEqual([]);
    expect(await other.login()).toEqual([]);
    crash(first.tabs);
    expect(await other.requests()).toEqual([gone("first")]);
  });

  test("is reported after the call of a group, and again at the next login if nobody has answered", async () => {
    const { page, crash } = browser();
    const first = page("first");
    first.calls.actions.joinGroup(GROUP);
    expect(await first.requests()).toEqual([`/webrtc/group/join?groupId=${GROUP}`]);
    crash(first.tabs);
    const next = page("next");
    await next.login();
    expect(await next.refuse("/gone")).toEqual([]);
    expect(await next.login()).toEqual([gone("first")]);
    expect(await next.answer("/gone")).toEqual([]);
    expect(await next.login()).toEqual([]);
  });

  test("is not reported if the server knows that its call is over, or if it only rang there", async () => {
    const { page, crash } = browser();
    const first = page("first");
    await first.start();
    await first.answer("/setup");
    first.receive(MessageType.RTC_REJECT);
    expect(await first.start()).toEqual([SETUP]);
    first.calls.actions.end();
    await first.answer("/cancel");
    await first.answer("/setup");
    await first.answer("/gone");
    first.receive(MessageType.RTC_SETUP_VOICE);
    crash(first.tabs);
    const next = page("next");
    expect(await next.login()).toEqual([]);
    // The code of calls is not loaded for nothing.
    expect(next.loads()).toBe(0);
  });
});

describe("PC56 an end of which the server may not know", () => {
  test("is reported again at the next login of the socket", async () => {
    const { page } = browser();
    const only = page("only");
    await only.start();
    await only.answer("/setup");
    only.calls.actions.end();
    expect(await only.requests()).toEqual([CANCEL]);
    expect(await only.refuse("/cancel")).toEqual([]);
    expect(await only.login()).toEqual([gone("only", `uid=${ANN}`)]);
    expect(await only.start()).toEqual([gone("only", `uid=${ANN}`)]);
    expect(await only.answer("/gone")).toEqual([SETUP]);
    // The call that has begun since is not over.
    expect(await only.login()).toEqual([SETUP]);
  });

  test.each([
    ["done", "answer"],
    ["perhaps done", "refuse"],
  ] as const)("is reported again at once when the setup that it has overtaken is %s", async (_, end) => {
    const { page } = browser();
    const only = page("only");
    await only.start();
    only.calls.actions.end();
    await only.answer("/cancel");
    await only[end]("/setup");
    // What nobody has answered would be made again after a second.
    only.clock.advance(1_000);
    expect(await only.requests()).toEqual([gone("only", `uid=${ANN}`)]);
  });

  test("is reported at the next login when the group was called after the end, and the second cancel had no answer", async () => {
    const { page } = browser();
    const only = page("only");
    only.calls.actions.startGroup(GROUP, [ANN]);
    expect(await only.requests()).toEqual(["/webrtc/group/setup"]);
    only.calls.actions.end();
    await only.answer("/cancel");
    await only.answer("/setup");
    expect(await only.refuse("/cancel")).toEqual([]);
    expect(await only.login()).toEqual([gone("only", `groupId=${GROUP}`)]);
  });

  test("is reported by the next page when the page was closed before the answer", async () => {
    const { page, crash } = browser();
    const first = page("first");
    await first.start();
    await first.answer("/setup");
    first.calls.leave();
    expect(await first.requests()).toEqual([CANCEL]);
    first.session.end();
    crash(first.tabs);
    const next = page("next");
    expect(await next.login()).toEqual([gone("first")]);
  });
});
