/** Test people who use a server over real HTTP and real sockets. */
import { JoinMode } from "@parley/protocol/codes";
import {
  type AnswerOf,
  type BodyOf,
  type CallInput,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  pathOf,
} from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import type { TokenPair } from "@parley/protocol/entities";
import type { Envelope } from "@parley/protocol/envelope";
import { TestSocket } from "./test-socket.ts";

type Definition<N extends EndpointName> = (typeof ENDPOINTS)[N];
type IsDefined<T> = T extends undefined ? false : true;
type NeedsInput<E> = true extends IsDefined<ParamsOf<E>> | IsDefined<QueryOf<E>> | IsDefined<BodyOf<E>>
  ? true
  : false;
type Args<N extends EndpointName> =
  NeedsInput<Definition<N>> extends true ? [input: CallInput<Definition<N>>] : [];

/** An HTTP answer with its decoded body. */
export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  envelope: Envelope<T>;
}

/** Sends one HTTP request. The answer must be an envelope. */
export async function request(
  url: string,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${url}/api${path}`, init);
  return {
    status: response.status,
    headers: response.headers,
    envelope: (await response.json()) as Envelope,
  };
}

/** What a client tells about itself. */
export interface Device {
  /** The header deviceNo, and devId in the socket login. */
  deviceNo?: string;
  clientId?: string;
  terminal?: 0 | 1 | 2;
}

/** A client instance of a logged-in person. */
export class TestPerson {
  readonly url: string;
  readonly id: number;
  readonly userName: string;
  tokens: TokenPair;
  readonly device: Device;
  /** Additional headers of every request. */
  headers: Record<string, string> = {};

  constructor(url: string, id: number, userName: string, tokens: TokenPair, device: Device) {
    this.url = url;
    this.id = id;
    this.userName = userName;
    this.tokens = tokens;
    this.device = device;
  }

  /** Calls an endpoint and returns any answer. The data must match the schema of the endpoint. */
  async call<N extends EndpointName>(name: N, ...[input]: Args<N>): Promise<Answer<AnswerOf<Definition<N>>>> {
    const given = (input ?? {}) as { params?: object; query?: object; body?: unknown };
    const definition: Endpoint = ENDPOINTS[name];
    const answer = await this.send(definition, pathOf(definition, given), given.body);
    if (answer.envelope.code === 200) assertSchema(name, definition, answer.envelope.data);
    return answer as Answer<AnswerOf<Definition<N>>>;
  }

  /** Calls an endpoint with any path and body. */
  async send(definition: Endpoint, path: string, body?: unknown): Promise<Answer> {
    return request(this.url, path, {
      method: definition.method,
      headers: {
        accessToken: encodeURIComponent(this.tokens.accessToken),
        ...deviceHeaders(this.device),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...this.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Calls an endpoint that must succeed, and returns its data. */
  async ok<N extends EndpointName>(name: N, ...args: Args<N>): Promise<AnswerOf<Definition<N>>> {
    const { envelope } = await this.call(name, ...args);
    if (envelope.code !== 200) throw new Error(`${name} answered ${JSON.stringify(envelope)}`);
    return envelope.data;
  }

  /** Calls an endpoint that must fail, and returns the key of the error. */
  async errorKeyOf<N extends EndpointName>(name: N, ...args: Args<N>): Promise<string | undefined> {
    const { envelope } = await this.call(name, ...args);
    if (envelope.code === 200) throw new Error(`${name} was not refused`);
    return envelope.key;
  }

  /** Opens a socket and logs in. */
  async connect(
    login: Partial<{ devId: string; clientId: string; caps: string[] }> = {},
  ): Promise<TestSocket> {
    const socket = await TestSocket.open(this.url);
    socket.login({
      accessToken: this.tokens.accessToken,
      ...(this.device.deviceNo !== undefined && { devId: this.device.deviceNo }),
      ...(this.device.clientId !== undefined && { clientId: this.device.clientId }),
      ...login,
    });
    await socket.next((frame) => frame.cmd === 0);
    return socket;
  }

  /** The same person with another session. */
  async elsewhere(device: Device = {}): Promise<TestPerson> {
    return logIn(this.url, this.userName, device);
  }

  /** Another client instance of the same session. */
  tab(clientId: string): TestPerson {
    return new TestPerson(this.url, this.id, this.userName, this.tokens, { ...this.device, clientId });
  }
}

/** The password of all test people. */
export const PASSWORD = "password-1";
let registeredCount = 0;

/** A person to register; missing names are generated. */
export interface NewPerson extends Device {
  userName?: string;
  nickName?: string;
}

/** Registers a person and logs in. */
export async function registerPerson(url: string, person: NewPerson = {}): Promise<TestPerson> {
  const { userName = `user${++registeredCount}`, nickName = `N ${userName}`, ...device } = person;
  const { envelope } = await request(url, "/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ terminal: 2, userName, nickName, password: PASSWORD, confirmPassword: PASSWORD }),
  });
  if (envelope.code !== 200) throw new Error(`register answered ${JSON.stringify(envelope)}`);
  return logIn(url, userName, device);
}

/** Logs in as an existing person. */
export async function logIn(
  url: string,
  userName: string,
  device: Device = {},
  password = PASSWORD,
): Promise<TestPerson> {
  const { envelope } = await request(url, "/login", {
    method: "POST",
    headers: { "content-type": "application/json", ...deviceHeaders(device) },
    body: JSON.stringify({ terminal: device.terminal ?? 2, userName, password }),
  });
  if (envelope.code !== 200) throw new Error(`login answered ${JSON.stringify(envelope)}`);
  const person = new TestPerson(url, 0, userName, envelope.data as TokenPair, device);
  const { id } = await person.ok("self");
  return new TestPerson(url, id, userName, person.tokens, device);
}

/** Makes two people friends. */
export async function befriend(a: TestPerson, b: TestPerson): Promise<void> {
  const { id, status } = await a.ok("applyFriend", { body: { friendId: b.id } });
  if (status === 1) await b.ok("approveFriendRequest", { query: { id } });
}

/** Registers two friends. */
export async function registerFriends(url: string): Promise<[TestPerson, TestPerson]> {
  const [a, b] = [await registerPerson(url), await registerPerson(url)];
  await befriend(a, b);
  return [a, b];
}

/** A group that everybody finds and joins. New groups of people are not like this unless their owner says so. */
export const OPEN_GROUP = { joinMode: JoinMode.FREE, isFindable: true } as const;

/** Creates a group and returns its id: an open one, unless the test is about another. Members become friends of the owner first. */
export async function makeGroup(
  owner: TestPerson,
  members: readonly TestPerson[],
  name = "Group",
  joining: { joinMode?: JoinMode; isFindable?: boolean } = OPEN_GROUP,
): Promise<number> {
  for (const member of members) {
    const friend = await owner.call("findFriend", { params: { id: member.id } });
    if (friend.envelope.code !== 200) await befriend(owner, member);
  }
  const memberIds = members.map((member) => member.id);
  return (await owner.ok("createGroup", { body: { name, memberIds, ...joining } })).id;
}

/** Sends a private text message. */
export async function sendText(from: TestPerson, to: TestPerson, content: string, tmpId?: string) {
  return from.ok("sendPrivateMessage", {
    body: { recvId: to.id, type: 0, content, ...(tmpId !== undefined && { tmpId }) },
  });
}

function assertSchema(name: string, { answer }: Endpoint, data: unknown): void {
  const { error } = answer.safeParse(data);
  if (error === undefined) return;
  throw new Error(`the answer of ${name} does not match its schema: ${JSON.stringify(error.issues)}`);
}

function deviceHeaders({ deviceNo, clientId, terminal = 2 }: Device): Record<string, string> {
  return {
    terminal: String(terminal),
    ...(deviceNo !== undefined && { deviceNo: encodeURIComponent(deviceNo) }),
    ...(clientId !== undefined && { clientId: encodeURIComponent(clientId) }),
  };
}
