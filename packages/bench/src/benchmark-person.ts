import type { Envelope } from "@parley/protocol/envelope";
import { Terminal } from "@parley/protocol/codes";
import type { TokenPair, UserInfo } from "@parley/protocol/entities";
import type { SocketLogin } from "./load/socket.ts";

/** A registered person, logged in on one terminal. */
export interface BenchmarkPerson {
  id: number;
  userName: string;
  login: SocketLogin;
}

/** The password of all people. */
export const PASSWORD = "bench-Passw0rd";

/** The headers that our own client sends with each request. */
export function clientHeaders(login: SocketLogin, terminal: Terminal): Record<string, string> {
  return {
    accessToken: encodeURIComponent(login.accessToken),
    appVersion: "0.1.0",
    deviceVersion: "130.0",
    deviceNo: login.devId,
    device: "bench",
    os: "Linux",
    browser: "bench",
    terminal: String(terminal),
    clientId: login.clientId,
    "accept-language": "en-US",
  };
}

/** Calls the product's API and returns `data`; throws on any API error. */
export async function call<T>(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<T> {
  const response = await fetch(`${origin}/api${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const envelope = JSON.parse(text) as Envelope<T>;
  if (envelope.code !== 200) throw new Error(`${method} ${path}: ${text.slice(0, 300)}`);
  return envelope.data;
}

/** Logs a registered person in on their own device for the terminal. */
export async function logIn(origin: string, userName: string, terminal: Terminal): Promise<SocketLogin> {
  const device = {
    accessToken: "",
    devId: `device-${userName}-${terminal}`,
    clientId: `client-${userName}-${terminal}`,
  };
  const { accessToken: _none, ...headers } = clientHeaders(device, terminal);
  const pair = await call<TokenPair>(origin, "POST", "/login", headers, {
    terminal,
    userName,
    password: PASSWORD,
  });
  return { ...device, accessToken: pair.accessToken };
}

/** Registers a person and logs in on the web. */
export async function createPerson(origin: string, userName: string): Promise<BenchmarkPerson> {
  const form = { userName, nickName: userName, password: PASSWORD, confirmPassword: PASSWORD };
  await call(origin, "POST", "/register", {}, form);
  const login = await logIn(origin, userName, Terminal.WEB);
  const { id } = await call<UserInfo>(origin, "GET", "/user/self", clientHeaders(login, Terminal.WEB));
  return { id, userName, login };
}

/** Makes two people friends, without a request to approve. */
export async function befriend(
  origin: string,
  asker: BenchmarkPerson,
  approver: BenchmarkPerson,
): Promise<void> {
  const approverHeaders = clientHeaders(approver.login, Terminal.WEB);
  await call(origin, "PUT", "/user/manualApprove?enabled=false", approverHeaders);
  const askerHeaders = clientHeaders(asker.login, Terminal.WEB);
  await call(origin, "POST", "/friend/request/apply", askerHeaders, {
    friendId: approver.id,
    source: 1,
    remark: "",
  });
}

/** Runs `make` for 0 to count - 1, up to `atOnce` in parallel, and returns the results in order. */
export async function inParallel<T>(
  count: number,
  atOnce: number,
  make: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const indexes = Array.from({ length: count }).keys();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const index of indexes) results[index] = await make(index);
    }),
  );
  return results;
}
