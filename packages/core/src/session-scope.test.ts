import { expect, test } from "vitest";
import { listFriends } from "@parley/protocol/endpoints/contacts";
import type { Api } from "./connection/api.ts";
import { bindToSession, createScope } from "./session-scope.ts";
import { createStateStore } from "./state-store.ts";
import { clockOf, createFakePorts } from "./testing/fake-ports.ts";
import { createFakeTabs } from "./testing/fake-tabs.ts";

const FIRST = { kind: "loggedOut", userId: 1 } as const;
const SECOND = { kind: "loggedOut", userId: 2 } as const;

function setUp() {
  const device = createFakeTabs();
  const otherTab = device.tab();
  const ports = createFakePorts({ device });
  const stateStore = createStateStore();
  const calls: unknown[] = [];
  const api: Api = {
    call(endpoint) {
      calls.push(endpoint);
      return new Promise(() => undefined);
    },
  };
  const session = createScope();
  const bound = bindToSession({ ports, stateStore, api }, session);
  return { otherTab, ports, stateStore, calls, session, bound };
}

test("S16 a scope ends once and tells everybody who listens", () => {
  const scope = createScope();
  const heard: string[] = [];
  scope.onEnd(() => void heard.push("first"));
  const cancel = scope.onEnd(() => void heard.push("cancelled"));
  cancel();
  expect(scope.isOver()).toBe(false);
  scope.end();
  scope.end();
  scope.onEnd(() => void heard.push("late"));
  expect(scope.isOver()).toBe(true);
  expect(heard).toEqual(["first", "late"]);
});

test("S16 timers of a session run while it lasts, and not after it", () => {
  const { ports, session, bound } = setUp();
  const ran: string[] = [];
  bound.ports.clock.after(10, () => void ran.push("in time"));
  bound.ports.clock.after(30, () => void ran.push("too late"));
  bound.ports.clock.after(10, () => void ran.push("cancelled"))();
  clockOf(ports).advance(20);
  bound.ports.clock.soon(() => void ran.push("soon"));
  session.end();
  bound.ports.clock.after(0, () => void ran.push("set too late"));
  clockOf(ports).advance(100);
  expect(ran).toEqual(["in time"]);
  expect(clockOf(ports).nextAt()).toBe(null);
});

test("S16 a session that is over sets nothing, saves nothing, calls nothing and is not heard by other tabs", async () => {
  const { otherTab, ports, stateStore, calls, session, bound } = setUp();
  const heard: unknown[] = [];
  otherTab.listen((message) => void heard.push(message));
  void bound.api.call(listFriends, {});
  bound.ports.storage.session.set("kept", "1");
  bound.ports.tabs.broadcast(FIRST);
  session.end();
  bound.stateStore.set({ connection: { kind: "online" } });
  bound.ports.storage.session.set("late", "1");
  bound.ports.storage.session.remove("kept");
  bound.ports.tabs.broadcast(SECOND);
  expect(await bound.api.call(listFriends, {})).toEqual({ ok: false, failure: { kind: "loggedOut" } });
  expect(calls).toEqual([listFriends]);
  expect(stateStore.get().connection).toEqual({ kind: "off" });
  expect([ports.storage.session.get("kept"), ports.storage.session.get("late")]).toEqual(["1", null]);
  expect(heard).toEqual([FIRST]);
});

test("S16 listening can also stop before the session ends", () => {
  const { otherTab, ports, bound } = setUp();
  const heard: unknown[] = [];
  const stops = [
    bound.ports.tabs.listen((message) => void heard.push(message)),
    bound.ports.environment.onChange(() => void heard.push("changed")),
  ];
  for (const stop of stops) stop();
  otherTab.broadcast(FIRST);
  ports.environment.set({ hasNetwork: false });
  expect(heard).toEqual([]);
});

test("S16 a session that is over hears nothing of other tabs and of the network", () => {
  const { otherTab, ports, session, bound } = setUp();
  const heard: unknown[] = [];
  bound.ports.tabs.listen((message) => void heard.push(message));
  bound.ports.environment.onChange(() => void heard.push("changed"));
  otherTab.broadcast(FIRST);
  ports.environment.set({ hasNetwork: false });
  session.end();
  otherTab.broadcast(SECOND);
  ports.environment.set({ hasNetwork: true });
  expect(heard).toEqual([FIRST, "changed"]);
});
