import { type AnswerOf, type CallInput, type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type Envelope, isEnvelope } from "@parley/protocol/envelope";

export const PASSWORD = "correct-horse-7";

/** An account used over HTTP, to prepare what a test is not about. */
export interface Account {
  readonly id: number;
  readonly userName: string;
  readonly nickName: string;
  /** The answer's data; throws with the server's sentence when it refuses. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>>;
}

/** Registers a person and logs in as an app, so that no browser of the test is kicked. */
export async function createAccount(url: string, userName: string, nickName: string): Promise<Account> {
  const open = await request(url, ENDPOINTS.register, {
    body: { userName, nickName, password: PASSWORD, confirmPassword: PASSWORD },
  });
  if (open.code !== 200) throw new Error(`register: ${open.message}`);
  return logIn(url, userName);
}

/** Logs in as an app. */
export async function logIn(url: string, userName: string): Promise<Account> {
  const answer = await request(url, ENDPOINTS.login, { body: { terminal: 1, userName, password: PASSWORD } });
  if (answer.code !== 200) throw new Error(`login: ${answer.message}`);
  const token = (answer.data as AnswerOf<typeof ENDPOINTS.login>).accessToken;
  const call: Account["call"] = async (endpoint, input) => {
    const envelope = await request(url, endpoint, input, token);
    if (envelope.code !== 200) throw new Error(`${endpoint.path}: ${envelope.message}`);
    return envelope.data as AnswerOf<typeof endpoint>;
  };
  const me = await call(ENDPOINTS.self, {});
  return { id: me.id, userName: me.userName, nickName: me.nickName, call };
}

/** Makes two people friends. */
export async function befriend(a: Account, b: Account): Promise<void> {
  const request = await a.call(ENDPOINTS.applyFriend, { body: { friendId: b.id, remark: "" } });
  await b.call(ENDPOINTS.approveFriendRequest, { query: { id: request.id } });
}

/** Sends a text; answers its id. */
export async function sendText(from: Account, to: Account, content: string): Promise<number> {
  return (await from.call(ENDPOINTS.sendPrivateMessage, { body: { recvId: to.id, content, type: 0 } })).id;
}

async function request(url: string, endpoint: Endpoint, input: object, token?: string): Promise<Envelope> {
  const { body, ...where } = input as { body?: unknown };
  const response = await fetch(`${url}/api${pathOf(endpoint, where)}`, {
    method: endpoint.method,
    headers: {
      ...(token !== undefined && { accessToken: encodeURIComponent(token) }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const value: unknown = await response.json();
  if (!isEnvelope(value)) throw new Error(`${endpoint.path}: no envelope`);
  return value;
}
