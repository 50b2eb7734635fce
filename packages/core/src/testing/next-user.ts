import { friendVO, userInfo } from "./builders.ts";
import { answerLoginRequests, type SingleClient, TOKENS } from "./single-client.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";
import type { MemoryStorage } from "./memory-storage.ts";
import type { Database } from "../ports.ts";

/** Helpers for tests in which a second user logs in on the same page while answers for the first one are pending. */

/** The id of the second user. */
export const NEXT_USER = 9;

/** Takes a waiting request out of the queue and returns a function that answers it later. */
export function holdResponse(
  single: SingleClient,
  part: string,
): (data: unknown, code?: number) => Promise<void> {
  const { waiting } = single.ports.http;
  const index = waiting.findIndex(({ request }) => request.url.includes(part));
  const [exchange] = index < 0 ? [] : waiting.splice(index, 1);
  if (exchange === undefined)
    throw new Error(`no request for ${part} is waiting, only: ${single.waiting().join(", ")}`);
  return async (data, code = 200) => {
    const text = JSON.stringify({ code, message: "", data });
    exchange.resolve({ kind: "answer", status: 200, text, retryAfterSeconds: null });
    await flushMicrotasks();
  };
}

/** The second user logs in with the token "hers"; waiting requests of the first one are dropped. */
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

/** Her socket logs in, and the requests that follow are answered. */
export async function connectNextUser(single: SingleClient): Promise<void> {
  await single.goOnline();
  await answerLoginRequests(single, [friendVO()]);
  await single.endPulls();
}

/** The access tokens of the waiting requests. */
export function tokensOf(single: SingleClient): Set<string | undefined> {
  return new Set(single.ports.http.waiting.map(({ request }) => request.headers["accessToken"]));
}

/** Delays the opening of this database until the returned function is called. */
export function delayOpen(storage: MemoryStorage, name: string): () => Promise<void> {
  const [barrier, release] = createBarrier();
  const open = storage.open.bind(storage);
  storage.open = async (openedName) => {
    if (openedName === name) await barrier;
    return open(openedName);
  };
  return release;
}

/** Delays the results of these reads of this database until the returned function is called. */
export function delayReads(
  storage: MemoryStorage,
  name: string,
  shouldDelay: (read: "chats" | "outbox" | (string & {})) => boolean,
): () => Promise<void> {
  const [barrier, release] = createBarrier();
  const open = storage.open.bind(storage);
  storage.open = async (openedName) => {
    const database = await open(openedName);
    if (openedName !== name) return database;
    const delay = async <T>(read: string, result: Promise<T>): Promise<T> => {
      const value = await result;
      if (shouldDelay(read)) await barrier;
      return value;
    };
    const delayedDatabase: Database = {
      ...database,
      chats: () => delay("chats", database.chats()),
      outbox: () => delay("outbox", database.outbox()),
      value: (key) => delay(key, database.value(key)),
    };
    return delayedDatabase;
  };
  return release;
}

function createBarrier(): [Promise<void>, () => Promise<void>] {
  let resolveBarrier = (): void => undefined;
  const barrier = new Promise<void>((resolve) => (resolveBarrier = resolve));
  return [
    barrier,
    async () => {
      resolveBarrier();
      await flushMicrotasks();
    },
  ];
}
