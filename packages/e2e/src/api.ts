import { MessageType } from "@parley/protocol/codes";
import { type AnswerOf, type CallInput, type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type Envelope, isEnvelope } from "@parley/protocol/envelope";

export const PASSWORD = "correct-horse-7";

/** An account used over HTTP. Tests prepare with it what they do not test in a browser. */
export interface Account {
  readonly id: number;
  readonly userName: string;
  readonly nickName: string;
  /** Returns the data of the answer. Throws an error with the server's message if the server refuses. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>>;
  /** Uploads files, each under the name of its field. */
  upload<E extends Endpoint>(endpoint: E, files: Readonly<Record<string, File>>): Promise<AnswerOf<E>>;
}

/** Registers a user and logs in as an app, so that no browser of the test is logged out by it. */
export async function createAccount(url: string, userName: string, nickName: string): Promise<Account> {
  const answer = await request(url, ENDPOINTS.register, {
    body: { userName, nickName, password: PASSWORD, confirmPassword: PASSWORD },
  });
  if (answer.code !== 200) throw new Error(`register: ${answer.message}`);
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
  const upload: Account["upload"] = async (endpoint, files) => {
    const body = new FormData();
    for (const [field, file] of Object.entries(files)) body.append(field, file);
    const envelope = await request(url, endpoint, { body }, token);
    if (envelope.code !== 200) throw new Error(`${endpoint.path}: ${envelope.message}`);
    return envelope.data as AnswerOf<typeof endpoint>;
  };
  const me = await call(ENDPOINTS.self, {});
  return { id: me.id, userName: me.userName, nickName: me.nickName, call, upload };
}

/** Makes two users friends and marks the request as read. */
export async function befriend(a: Account, b: Account): Promise<void> {
  const request = await a.call(ENDPOINTS.applyFriend, { body: { friendId: b.id, remark: "" } });
  await b.call(ENDPOINTS.approveFriendRequest, { query: { id: request.id } });
  await b.call(ENDPOINTS.readSystemMessages, { query: { maxSeqNo: 1_000 } });
}

/** Sends a text and returns its id. */
export async function sendText(from: Account, to: Account, content: string): Promise<number> {
  return (await from.call(ENDPOINTS.sendPrivateMessage, { body: { recvId: to.id, content, type: 0 } })).id;
}

/** Sends texts one after the other, so that their ids follow their order. */
export async function sendTexts(from: Account, to: Account, texts: readonly string[]): Promise<void> {
  for (const text of texts) await sendText(from, to, text);
}

/** All texts of the private chat of two users, as a new client of `by` would pull them. */
export async function receivedTexts(by: Account, from: Account): Promise<string[]> {
  const rows = await by.call(ENDPOINTS.loadPrivateMessages, { query: { minId: 0 } });
  return rows
    .filter(({ type, sendId, recvId }) => type === MessageType.TEXT && [sendId, recvId].includes(from.id))
    .map(({ content }) => content ?? "");
}

/** Sends `count` numbered messages: the even ones from `a`, the odd ones from `b`. Each user's messages are sent in order. */
export async function sendLongConversation(a: Account, b: Account, count: number): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const sendHalf = (from: Account, to: Account, parity: number) =>
    sendTexts(
      from,
      to,
      indexes.filter((index) => index % 2 === parity).map((index) => numberedText(index)),
    );
  await Promise.all([sendHalf(a, b, 0), sendHalf(b, a, 1)]);
}

/** Texts of different heights, so that a wrong estimate of a height shows. */
function numberedText(index: number): string {
  return `No ${index} ${"说了很多话 ".repeat((index * 7) % 23)}`.trim();
}

async function request(url: string, endpoint: Endpoint, input: object, token?: string): Promise<Envelope> {
  const { body, ...rest } = input as { body?: unknown };
  const isForm = body instanceof FormData;
  const response = await fetch(`${url}/api${pathOf(endpoint, rest)}`, {
    method: endpoint.method,
    headers: {
      ...(token !== undefined && { accessToken: encodeURIComponent(token) }),
      // A form has a content type of its own, with the boundary of its parts.
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const value: unknown = await response.json();
  if (!isEnvelope(value)) throw new Error(`${endpoint.path}: the answer is not an envelope`);
  return value;
}
