/** What the tests of private calls share: a server, and two friends with two clients each. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { advance as advanceClock, waitForBackground as waitForServer } from "./pass-time.ts";
import { type TestApp, createTestApp } from "./test-app.ts";
import { type TestPerson, registerFriends } from "./test-person.ts";
import type { TestSocket } from "./test-socket.ts";

const { RTC_SETUP_VIDEO } = MessageType;

export let server: TestApp;

/** A client of a person with its socket. */
export interface Client {
  person: TestPerson;
  socket: TestSocket;
}

/** The one who calls, and another client of theirs. */
export let host: Client;
export let hostTab: Client;
/** The one who is called, and another client of theirs. */
export let callee: Client;
export let calleeTab: Client;
/** The sockets of the test; they are closed after it. */
export const open: TestSocket[] = [];

export async function client(person: TestPerson, clientId: string, caps: string[] = []): Promise<Client> {
  const tab = person.tab(clientId);
  const socket = await tab.connect({ caps });
  open.push(socket);
  return { person: tab, socket };
}

/** Starts a server for the tests of a file, and gives each test two new friends. Each file calls it, because files may share modules. */
export function usePrivateCallClients(): void {
  beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    const [a, b] = await registerFriends(server.url);
    host = await client(a, "host", ["rtc110"]);
    hostTab = await client(a, "host-tab", ["rtc110"]);
    callee = await client(b, "callee", ["rtc110"]);
    calleeTab = await client(b, "callee-tab");
  });
  afterEach(async () => {
    for (const socket of open.splice(0)) {
      socket.close();
      await socket.closed;
    }
  });
}

export const uidOf = (other: Client) => ({ query: { uid: other.person.id } });
export const call = (mode: "voice" | "video" = "video") =>
  host.person.ok("setupPrivateCall", { query: { uid: callee.person.id, mode } });
export const accept = (by = callee, held?: "1") =>
  by.person.ok("acceptPrivateCall", { query: { uid: host.person.id, ...(held && { held }) } });

/** The signals of calls that have arrived: type, "own" or "other" for the sender, content. */
export async function signals({ person, socket }: Client): Promise<unknown[]> {
  await server.app.store.isReady();
  const frames = await socket.flush();
  return frames.flatMap(({ data }) => {
    if (data?.type === undefined || data.type < 100) return [];
    const sender = data.sendId === person.id ? "own" : "other";
    expect(data["selfSend"]).toBe(sender === "own");
    return [[data.type, sender, ...(data.content === null ? [] : [data.content])]];
  });
}

/** The records of calls that a client has got: type, result, seconds, text. */
export function records({ socket }: Client): unknown[] {
  return socket.frames.flatMap(({ data }) => {
    if (data?.type !== 40 && data?.type !== 41) return [];
    expect(data).toMatchObject({ sendId: host.person.id, recvId: callee.person.id, status: 1 });
    const { result, seconds } = data["act"] as { result: string; seconds: number };
    return [[data.type, result, seconds, data.content]];
  });
}

/** What all four clients have got, and that the call has one record, the same for all. */
export async function expectEnd(
  wanted: { host: unknown[]; hostTab?: unknown[]; callee: unknown[]; calleeTab: unknown[] },
  record: unknown[],
): Promise<void> {
  expect(await signals(host)).toEqual(wanted.host);
  expect(await signals(hostTab)).toEqual(wanted.hostTab ?? []);
  expect(await signals(callee)).toEqual(wanted.callee);
  expect(await signals(calleeTab)).toEqual(wanted.calleeTab);
  for (const each of [host, hostTab, callee, calleeTab]) expect(records(each)).toEqual([record]);
  await expectFree();
}

/** Nobody is in a call, and nothing of it is left. */
export async function expectFree(): Promise<void> {
  for (const each of [host, callee]) {
    expect(await server.app.store.findCallMember(each.person.id)).toBeUndefined();
  }
  expect(await server.app.store.findCall(`p${host.person.id}`)).toBeUndefined();
}

/** Lets time pass; nothing that is due is done. */
export const advance = (ms: number): Promise<void> => advanceClock(server, open, ms);

export async function pass(ms: number): Promise<void> {
  await advance(ms);
  server.app.sweep();
  await waitForBackground();
}

export const waitForBackground = (): Promise<void> => waitForServer(server);

export const RING = [RTC_SETUP_VIDEO, "other"];
export const CANCELLED = [41, "cancelled", 0, "已取消"];
export const REJECTED = [41, "rejected", 0, "已拒绝"];
export const notConnected = (result: string) => [41, result, 0, "未接通"];
