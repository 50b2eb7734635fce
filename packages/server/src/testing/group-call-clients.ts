/** What the tests of calls in groups share: a server, and a group of four, one of them with two clients. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { advance, waitForBackground as waitForServer } from "./pass-time.ts";
import { type TestApp, createTestApp } from "./test-app.ts";
import { type TestPerson, makeGroup, registerPerson } from "./test-person.ts";
import type { TestSocket } from "./test-socket.ts";

export let server: TestApp;

/** A client of a person with its socket. */
export interface Client {
  person: TestPerson;
  socket: TestSocket;
}

export let groupId: number;
export let host: Client;
export let ann: Client;
export let bob: Client;
/** Another client of Bob. */
export let bobTab: Client;
/** A member who is not called. */
export let cy: Client;
/** The sockets of the test; they are closed after it. */
export const open: TestSocket[] = [];

export async function client(person: TestPerson, clientId: string): Promise<Client> {
  const tab = person.tab(clientId);
  const socket = await tab.connect();
  open.push(socket);
  return { person: tab, socket };
}

/** Starts a server for the tests of a file, and gives each test a new group. Each file calls it, because files may share modules. */
export function useGroupCallClients(): void {
  beforeAll(
    async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off", MAX_CALL_CHANNELS: "4" } })),
  );
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    // One after the other, so that their ids have this order.
    const owner = await registerPerson(server.url);
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const c = await registerPerson(server.url);
    groupId = await makeGroup(owner, [a, b, c]);
    [host, ann, bob, cy] = [
      await client(owner, "host"),
      await client(a, "ann"),
      await client(b, "bob"),
      await client(c, "cy"),
    ];
    bobTab = await client(b, "bob-tab");
  });
  afterEach(async () => {
    for (const socket of open.splice(0)) {
      socket.close();
      await socket.closed;
    }
  });
}

export const infosOf = (...clients: Client[]) =>
  clients.map(({ person: { id } }) => ({ id, nickName: "forged" }));
export const setup = (...called: Client[]) =>
  host.person.ok("setupGroupCall", { body: { groupId, userInfos: infosOf(...called) } });
export const query = () => ({ query: { groupId } });
export const accept = (by: Client) => by.person.ok("acceptGroupCall", query());

/** How many frames of a socket a test has looked at. */
export const seen = new WeakMap<TestSocket, number>();
/** The signals of calls that have arrived since the last look: type, sender, content. */
export async function news({ person, socket }: Client): Promise<unknown[]> {
  const frames = await socket.flush();
  const fresh = frames.slice(seen.get(socket) ?? 0);
  seen.set(socket, frames.length);
  return fresh.flatMap(({ data }) => {
    if (data?.type === undefined || data.type < 100) return [];
    expect(data).toMatchObject({ groupId, selfSend: data.sendId === person.id });
    const content = String(data.content);
    return [[data.type, data.sendId, content === "" ? "" : (JSON.parse(content) as unknown)]];
  });
}

/** Nothing more has arrived. */
export async function expectNothingNew(...clients: Client[]): Promise<void> {
  for (const each of clients) expect(await news(each)).toEqual([]);
}

export const view = ({ person: { id, userName } }: Client, part: object = {}) => ({
  id,
  nickName: `N ${userName}`,
  headImage: null,
  isIn: false,
  isCamera: false,
  isMicroPhone: true,
  isShareScreen: false,
  ...part,
});

/** The tips of calls in the group. */
export async function tips(): Promise<unknown[]> {
  const rows = await host.person.ok("groupHistory", { query: { groupId, minId: 0 } });
  return rows.flatMap(({ tip }) => (tip?.key.startsWith("group.call") === true ? [tip.key] : []));
}

export async function expectOver(): Promise<void> {
  expect(await server.app.store.findCall(`g${groupId}`)).toBeUndefined();
  for (const { person } of [host, ann, bob, cy])
    expect(await server.app.store.findCallMember(person.id)).toBeUndefined();
  expect(await tips()).toEqual(["group.callStarted", "group.callEnded"]);
}

/** Lets time pass. */
export async function pass(ms: number): Promise<void> {
  await advance(server, open, ms);
  server.app.sweep();
  await waitForBackground();
}

export const waitForBackground = (): Promise<void> => waitForServer(server);
