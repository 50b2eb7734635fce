import { expect, test } from "vitest";
import type { HttpResponse } from "../ports.ts";
import { FRIEND_CHAT } from "../testing/builders.ts";
import { clockOf, createFakePorts } from "../testing/fake-ports.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { advanceTime, createLoggedInClient } from "../testing/single-client.ts";
import { withNetworkEvidence } from "./network-evidence.ts";

const REQUEST = { method: "GET", url: "https://im.example/api/x", headers: {}, timeoutMs: 1_000 };
const OK = { kind: "answer", status: 200, text: "", retryAfterSeconds: null } as const;
const OFFLINE = { kind: "failed", reason: "offline" } as const;

function setUp(hasNetwork: boolean) {
  const fake = createFakePorts();
  fake.environment.set({ hasNetwork });
  const probes: number[] = [];
  const { ports, stop } = withNetworkEvidence(fake, () => probes.push(fake.clock.now()));
  let changes = 0;
  ports.environment.onChange(() => changes++);
  const request = async (answer: HttpResponse, before: () => void = () => undefined) => {
    const answered = ports.http.request(REQUEST);
    before();
    const [exchange] = fake.http.waiting;
    if (exchange !== undefined) fake.http.finish(exchange, answer);
    await answered;
  };
  return { fake, ports, probes, stop, request, changes: () => changes };
}

test("C20 an answered request proves the network that the browser denies, and a failed one disproves it", async () => {
  const { ports, request, changes } = setUp(false);
  expect(ports.environment.hasNetwork()).toBe(false);
  await request(OK);
  expect([ports.environment.hasNetwork(), changes()]).toEqual([true, 1]);
  await request({ ...OK, status: 502 });
  expect([ports.environment.hasNetwork(), changes()]).toEqual([true, 1]);
  await request(OFFLINE);
  expect([ports.environment.hasNetwork(), changes()]).toEqual([false, 2]);
});

test("C20 an opened socket proves the network", () => {
  const { fake, ports } = setUp(false);
  let isOpen = false;
  ports.sockets.open("wss://im.example/im", {
    opened: () => (isOpen = true),
    received: () => undefined,
    closed: () => undefined,
  });
  expect(ports.environment.hasNetwork()).toBe(false);
  fake.sockets.last().accept();
  expect([isOpen, ports.environment.hasNetwork()]).toEqual([true, true]);
});

test("C20 an answer to a request from before the report proves nothing", async () => {
  const { fake, ports, request } = setUp(true);
  await request(OK, () => fake.environment.set({ hasNetwork: false }));
  expect(ports.environment.hasNetwork()).toBe(false);
});

test("C20 a further report of no network counts again", async () => {
  const { fake, ports, request } = setUp(false);
  await request(OK);
  fake.environment.set({ hasNetwork: true });
  fake.environment.set({ hasNetwork: false });
  expect(ports.environment.hasNetwork()).toBe(false);
});

test("C20 a request that this client has given up proves nothing", async () => {
  const { fake, ports, request } = setUp(false);
  await request(OK);
  const lifetime = { isOver: () => true, onEnd: () => () => undefined };
  const answered = ports.http.request({ ...REQUEST, lifetime });
  const [exchange] = fake.http.waiting;
  if (exchange !== undefined) fake.http.finish(exchange, OFFLINE);
  await answered;
  expect(ports.environment.hasNetwork()).toBe(true);
});

test("C21 the server is asked after 1 s and then every 15 s while the browser reports no network", () => {
  const { fake, probes, stop } = setUp(true);
  const clock = clockOf(fake);
  clock.advance(60_000);
  expect(probes).toEqual([]);
  const startedAt = clock.now();
  fake.environment.set({ hasNetwork: false });
  clock.advance(31_000);
  expect(probes.map((at) => at - startedAt)).toEqual([1_000, 16_000, 31_000]);
  fake.environment.set({ hasNetwork: true });
  clock.advance(60_000);
  expect(probes).toHaveLength(3);
  fake.environment.set({ hasNetwork: false });
  stop();
  clock.advance(60_000);
  expect(probes).toHaveLength(3);
});

test("C20 C21 a message that waits is sent when the server answers although the browser reports no network", async () => {
  const single = await createLoggedInClient();
  single.ports.environment.set({ hasNetwork: false });
  const sends = () => single.waiting().filter((path) => path.endsWith("/private/send"));
  single.client.chats.sendText(FRIEND_CHAT, "one");
  expect(sends()).toEqual([]);
  expect(single.client.getState().connection.kind).toBe("offline");
  await advanceTime(single, 1_000);
  expect(single.waiting()).toEqual(["/system/config"]);
  await single.respond("/system/config", null, 500);
  await flushMicrotasks();
  expect(sends()).toHaveLength(1);
  expect(single.client.getState().connection.kind).toBe("online");
});
