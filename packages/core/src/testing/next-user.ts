import { friendVO, userInfo } from "./builders.ts";
import { answerLoginRequests, type SingleClient, TOKENS } from "./single-client.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";
import type { MemoryStorage } from "./memory-storage.ts";
import type { Database } from "../ports.ts";

/** People who follow each other on one page, while answers meant for the first one wait. */

/** The one who comes next. */
export const NEXT_USER = 9;

/** Takes a request that waits out of the queue; it is answered whenever the function that this answers is called. */
export function holdResponse(
  single: SingleClient,
  part: string,
): (data: unknown, code?: number) => Promise<void> {
  const { waiting } = single.ports.http;
  const index = waiting.findIndex(({ request }) => request.url.includes(part));
  const [held] = index < 0 ? [] : waiting.splice(index, 1);
  if (held === undefined)
    throw new Error(`no request for ${part} waits, only: ${single.waiting().join(", ")}`);
  return async (data, code = 200) => {
    const text = JSON.stringify({ code, message: "", data });
    held.resolve({ kind: "answer", status: 200, text, retryAfterSeconds: null });
    await flushMicrotasks();
  };
}

/** She logs in with the token "hers"; what still waits of before is forgotten. */
export async function logInNextUser(single: SingleClient): Promise<void> {
  single.ports.http.waiting.splice(0);
  const form = { userName: "her", password: "password", rememberName: true, rememberPassword: false };
  const done = single.client.session.login(form);
  await flushMicrotasks();
  await single.respond("/login", { ...TOKENS, accessToken: "hers", refreshToken: "her refresh" });
  await single.respond("/user/self", userInfo({ id: NEXT_USER, userName: "her" }));
  await done;
  await flushMicrotasks();
}

/** Her socket logs in, and what that asks for is answered. */
export async function connectNextUser(single: SingleClient): Promise<void> {
  await single.goOnline();
  await answerLoginRequests(single, [friendVO()]);
  await single.endPulls();
}

/** Which access tokens the requests that wait carry. */
export function tokensOf(single: SingleClient): Set<string | undefined> {
  return new Set(single.ports.http.waiting.map(({ request }) => request.headers["accessToken"]));
}

/** Opening this database waits until the function that this answers is called. */
export function delayOpen(storage: MemoryStorage, name: string): () => Promise<void> {
  const [gate, release] = createBarrier();
  const open = storage.open.bind(storage);
  storage.open = async (wanted) => {
    if (wanted === name) await gate;
    return open(wanted);
  };
  return release;
}

/** What these reads of this database have found comes only when the function that this answers is called. */
export function delayReads(
  storage: MemoryStorage,
  name: string,
  shouldDelay: (read: "chats" | "outbox" | (string & {})) => boolean,
): () => Promise<void> {
  const [gate, release] = createBarrier();
  const open = storage.open.bind(storage);
  storage.open = async (wanted) => {
    const database = await open(wanted);
    if (wanted !== name) return database;
    const delayed = async <T>(read: string, found: Promise<T>): Promise<T> => {
      const value = await found;
      if (shouldDelay(read)) await gate;
      return value;
    };
    const slow: Database = {
      ...database,
      chats: () => delayed("chats", database.chats()),
      outbox: () => delayed("outbox", database.outbox()),
      value: (key) => delayed(key, database.value(key)),
    };
    return slow;
  };
  return release;
}

function createBarrier(): [Promise<void>, () => Promise<void>] {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  return [
    gate,
    async () => {
      open();
      await flushMicrotasks();
    },
  ];
}
