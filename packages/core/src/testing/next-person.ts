import { friendVO, userInfo } from "./builders.ts";
import { answerStart, type Solo, TOKENS } from "./logged-in.ts";
import { settle } from "./settle.ts";
import type { MemoryStorage } from "./memory-storage.ts";
import type { Database } from "../runtime/ports.ts";

/** People who follow each other on one page, while answers meant for the first one wait. */

/** The one who comes next. */
export const HER = 9;

/** Takes a request that waits out of the queue; it is answered whenever the function that this answers is called. */
export function holdBack(solo: Solo, part: string): (data: unknown, code?: number) => Promise<void> {
  const { waiting } = solo.ports.http;
  const index = waiting.findIndex(({ request }) => request.url.includes(part));
  const [held] = index < 0 ? [] : waiting.splice(index, 1);
  if (held === undefined) throw new Error(`no request for ${part} waits, only: ${solo.waiting().join(", ")}`);
  return async (data, code = 200) => {
    const text = JSON.stringify({ code, message: "", data });
    held.resolve({ kind: "answer", status: 200, text, retryAfterSeconds: null });
    await settle();
  };
}

/** She logs in with the token "hers"; what still waits of before is forgotten. */
export async function sheComes(solo: Solo): Promise<void> {
  solo.ports.http.waiting.splice(0);
  const form = { userName: "her", password: "password", rememberName: true, rememberPassword: false };
  const done = solo.client.session.login(form);
  await settle();
  await solo.reply("/login", { ...TOKENS, accessToken: "hers", refreshToken: "her refresh" });
  await solo.reply("/user/self", userInfo({ id: HER, userName: "her" }));
  await done;
  await settle();
}

/** Her socket logs in, and what that asks for is answered. */
export async function sheIsOnline(solo: Solo): Promise<void> {
  await solo.goOnline();
  await answerStart(solo, [friendVO()]);
  await solo.endPulls();
}

/** Which access tokens the requests that wait carry. */
export function tokensOf(solo: Solo): Set<string | undefined> {
  return new Set(solo.ports.http.waiting.map(({ request }) => request.headers["accessToken"]));
}

/** Opening this database waits until the function that this answers is called. */
export function openLate(storage: MemoryStorage, name: string): () => Promise<void> {
  const [gate, release] = createGate();
  const open = storage.open.bind(storage);
  storage.open = async (wanted) => {
    if (wanted === name) await gate;
    return open(wanted);
  };
  return release;
}

/** What these reads of this database have found comes only when the function that this answers is called. */
export function readLate(
  storage: MemoryStorage,
  name: string,
  isLate: (read: "chats" | "outbox" | (string & {})) => boolean,
): () => Promise<void> {
  const [gate, release] = createGate();
  const open = storage.open.bind(storage);
  storage.open = async (wanted) => {
    const database = await open(wanted);
    if (wanted !== name) return database;
    const late = async <T>(read: string, found: Promise<T>): Promise<T> => {
      const value = await found;
      if (isLate(read)) await gate;
      return value;
    };
    const slow: Database = {
      ...database,
      chats: () => late("chats", database.chats()),
      outbox: () => late("outbox", database.outbox()),
      value: (key) => late(key, database.value(key)),
    };
    return slow;
  };
  return release;
}

function createGate(): [Promise<void>, () => Promise<void>] {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  return [
    gate,
    async () => {
      open();
      await settle();
    },
  ];
}
