/** People who use a test app over real HTTP and real sockets. */
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

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  envelope: Envelope<T>;
}

/** One raw request; the answer must be an envelope. */
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

export interface Device {
  /** Header deviceNo and devId of the socket. */
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
  /** More headers of every request. */
  headers: Record<string, string> = {};

  constructor(url: string, id: number, userName: string, tokens: TokenPair, device: Device) {
    this.url = url;
    this.id = id;
    this.userName = userName;
    this.tokens = tokens;
    this.device = device;
  }

  /** Calls an endpoint, whatever it answers; data must be what the endpoint promises. */
  async call<N extends EndpointName>(name: N, ...[input]: Args<N>): Promise<Answer<AnswerOf<Definition<N>>>> {
    const given = (input ?? {}) as { params?: object; query?: object; body?: unknown };
    const definition: Endpoint = ENDPOINTS[name];
    const answer = await this.send(definition, pathOf(definition, given), given.body);
    if (answer.envelope.code === 200) refuseUnpromised(name, definition, answer.envelope.data);
    return answer as Answer<AnswerOf<Definition<N>>>;
  }

  /** Calls an endpoint with anything at all. */
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

  /** Calls an endpoint that must succeed. */
  async ok<N extends EndpointName>(name: N, ...args: Args<N>): Promise<AnswerOf<Definition<N>>> {
    const { envelope } = await this.call(name, ...args);
    if (envelope.code !== 200) throw new Error(`${name} answered ${JSON.stringify(envelope)}`);
    return envelope.data;
  }

  /** Key of the refusal that the call must meet. */
  async errorKeyOf<N extends EndpointName>(name: N, ...args: Args<N>): Promise<string | undefined> {
    const { envelope } = await this.call(name, ...args);
    if (envelope.code === 200) throw new Error(`${name} was not refused`);
    return envelope.key;
  }

  /** A socket that is logged in. */
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

  /** The same person elsewhere: a login of its own. */
  async elsewhere(device: Device = {}): Promise<TestPerson> {
    return logIn(this.url, this.userName, device);
  }

  /** Another tab of the same session. */
  tab(clientId: string): TestPerson {
    return new TestPerson(this.url, this.id, this.userName, this.tokens, { ...this.device, clientId });
  }
}

export const PASSWORD = "password-1";
let people = 0;

export interface NewPerson extends Device {
  userName?: string;
  nickName?: string;
}

/** Registers somebody and logs in. */
export async function registerPerson(url: string, person: NewPerson = {}): Promise<TestPerson> {
  const { userName = `user${++people}`, nickName = `N ${userName}`, ...device } = person;
  const { envelope } = await request(url, "/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ terminal: 2, userName, nickName, password: PASSWORD, confirmPassword: PASSWORD }),
  });
  if (envelope.code !== 200) throw new Error(`register answered ${JSON.stringify(envelope)}`);
  return logIn(url, userName, device);
}

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

export async function befriend(a: TestPerson, b: TestPerson): Promise<void> {
  const { id, status } = await a.ok("applyFriend", { body: { friendId: b.id } });
  if (status === 1) await b.ok("approveFriendRequest", { query: { id } });
}

/** Two friends who are logged in. */
export async function registerFriends(url: string): Promise<[TestPerson, TestPerson]> {
  const [a, b] = [await registerPerson(url), await registerPerson(url)];
  await befriend(a, b);
  return [a, b];
}

/** A group of this owner, who becomes everybody's friend. Answers its id. */
export async function makeGroup(
  owner: TestPerson,
  members: readonly TestPerson[],
  name = "Group",
): Promise<number> {
  for (const member of members) {
    const known = await owner.call("findFriend", { params: { id: member.id } });
    if (known.envelope.code !== 200) await befriend(owner, member);
  }
  const memberIds = members.map((member) => member.id);
  return (await owner.ok("createGroup", { body: { name, memberIds } })).id;
}

export async function sendText(from: TestPerson, to: TestPerson, content: string, tmpId?: string) {
  return from.ok("sendPrivateMessage", {
    body: { recvId: to.id, type: 0, content, ...(tmpId !== undefined && { tmpId }) },
  });
}

function refuseUnpromised(name: string, { answer }: Endpoint, data: unknown): void {
  const { error } = answer.safeParse(data);
  if (error === undefined) return;
  throw new Error(`${name} answered what it does not promise: ${JSON.stringify(error.issues)}`);
}

function deviceHeaders({ deviceNo, clientId, terminal = 2 }: Device): Record<string, string> {
  return {
    terminal: String(terminal),
    ...(deviceNo !== undefined && { deviceNo: encodeURIComponent(deviceNo) }),
    ...(clientId !== undefined && { clientId: encodeURIComponent(clientId) }),
  };
}
