import { MessageType } from "@parley/protocol/codes";
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

/** Makes two people friends, with nothing left unread. */
export async function befriend(a: Account, b: Account): Promise<void> {
  const request = await a.call(ENDPOINTS.applyFriend, { body: { friendId: b.id, remark: "" } });
  await b.call(ENDPOINTS.approveFriendRequest, { query: { id: request.id } });
  await b.call(ENDPOINTS.readSystemMessages, { query: { maxSeqNo: 1_000 } });
}

/** Sends a text; answers its id. */
export async function sendText(from: Account, to: Account, content: string): Promise<number> {
  return (await from.call(ENDPOINTS.sendPrivateMessage, { body: { recvId: to.id, content, type: 0 } })).id;
}

/** Sends texts one after the other, so that their ids follow their order. */
export async function sendTexts(from: Account, to: Account, texts: readonly string[]): Promise<void> {
  for (const text of texts) await sendText(from, to, text);
}

/** All texts of a chat as a new client of the one would pull them, with those of the other. */
export async function receivedTexts(by: Account, from: Account): Promise<string[]> {
  const rows = await by.call(ENDPOINTS.loadPrivateMessages, { query: { minId: 0 } });
  return rows
    .filter(({ type, sendId, recvId }) => type === MessageType.TEXT && [sendId, recvId].includes(from.id))
    .map(({ content }) => content ?? "");
}

/** A long conversation: `count` numbered messages of the two, by turns. Each side's come in order. */
export async function sendLongConversation(a: Account, b: Account, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) => index);
  const say = (from: Account, to: Account, parity: number) =>
    sendTexts(
      from,
      to,
      lines.filter((index) => index % 2 === parity).map((index) => numberedText(index)),
    );
  await Promise.all([say(a, b, 0), say(b, a, 1)]);
}

/** Of different heights, so that a wrong guess of a height shows. */
function numberedText(index: number): string {
  return `No ${index} ${"说了很多话 ".repeat((index * 7) % 23)}`.trim();
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
