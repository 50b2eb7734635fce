import { describe, expect, test } from "vitest";
import { listFriends } from "@parley/protocol/endpoints/contacts";
import { login, refreshToken } from "@parley/protocol/endpoints/account";
import { findUsersByName } from "@parley/protocol/endpoints/users";
import { createFakePorts, type FakePorts } from "../testing/fake-ports.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { friendVO } from "../testing/builders.ts";
import type { Failure } from "../model/state.ts";
import { createScope, type Scope } from "../session-scope.ts";
import { type Api, createApi } from "./api.ts";
import type { HttpResponse } from "../ports.ts";

interface Rig {
  ports: FakePorts;
  api: Api;
  failures: Failure[];
  ended: (string | null)[];
  refreshes: number;
  token: string | null;
  scope: Scope;
  outcome: "ok" | "ended" | "failed";
}

function rig(): Rig {
  const ports = createFakePorts();
  const state: Rig = {
    ports,
    failures: [],
    ended: [],
    refreshes: 0,
    token: "old token",
    scope: createScope(),
    outcome: "ok",
    api: createApi(ports, {
      base: () => "https://im.example/api",
      deviceNo: "device 1",
      clientId: "client 1",
      credentials: {
        scope: () => state.scope,
        accessToken: () => state.token,
        refresh: async () => {
          state.refreshes++;
          await flushMicrotasks(5);
          if (state.outcome === "ok") state.token = "new token";
          return state.outcome;
        },
        onTokenRejected: (token) => void state.ended.push(token),
      },
      onFailure: (failure) => void state.failures.push(failure),
    }),
  };
  return state;
}

const raw = (status: number, text: string): HttpResponse => ({
  kind: "answer",
  status,
  text,
  retryAfterSeconds: null,
});

/** Requests the friend list and gives this as the server's answer. */
async function loadFriends(answer: HttpResponse, overrides: Partial<Rig> = {}) {
  const state = Object.assign(rig(), overrides);
  const call = state.api.call(listFriends, {});
  state.ports.http.replyRaw("/friend/list", answer);
  return { ...state, result: await call, state };
}

describe("requests", () => {
  test("S1 a request carries URI-encoded headers and gives up after 30 s", async () => {
    const { ports, api } = rig();
    void api.call(findUsersByName, { query: { name: "a&b" } });
    const { request } = ports.http.waiting[0]!;
    expect(request).toMatchObject({
      method: "GET",
      url: "https://im.example/api/user/findByName?name=a%26b",
      timeoutMs: 30_000,
      headers: {
        accessToken: "old%20token",
        deviceNo: "device%201",
        clientId: "client%201",
        terminal: "2",
        os: "Linux",
        browser: "Test%201",
        device: "Linux",
        appVersion: "0.1.0",
        deviceVersion: "1",
        "Accept-Language": "en-US",
      },
    });
    expect(request.body).toBeUndefined();
  });

  test("S1 an open call carries no access token, and a refresh carries its refresh token", async () => {
    const { ports, api } = rig();
    void api.call(login, { body: { terminal: 2, userName: "a", password: "b" } });
    void api.call(refreshToken, {}, { refreshToken: "r 1" });
    const [first, second] = ports.http.waiting.map(({ request }) => request.headers);
    expect(first).not.toHaveProperty("accessToken");
    expect(first).toHaveProperty("Content-Type", "application/json");
    expect(second).toMatchObject({ refreshToken: "r%201" });
  });
});

describe("answers", () => {
  test("S1 half of a character in a query is replaced, so that the request can be sent", async () => {
    const { api, ports } = rig();
    void api.call(findUsersByName, { query: { name: "a\ud83d" } });
    await flushMicrotasks();
    expect(ports.http.waiting[0]?.request.url).toContain("/user/findByName?name=a%EF%BF%BD");
  });

  test("S6 a call that cannot be made is a failure, not an exception", async () => {
    const { api, failures } = rig();
    const body: Record<string, unknown> = {};
    body["itself"] = body;
    const result = await api.call(login, { body } as never);
    expect(result).toEqual({ ok: false, failure: { kind: "network", reason: "unreadable" } });
    expect(failures).toHaveLength(1);
  });

  test("S2 code 200 gives the data", async () => {
    const { result } = await loadFriends(
      raw(200, JSON.stringify({ code: 200, message: "", data: [friendVO()] })),
    );
    expect(result).toEqual({ ok: true, value: [friendVO()] });
  });

  test("S2 any other code is a failure that is reported once", async () => {
    const envelope = { code: 500, message: "no", data: null, key: "friend.already", params: { n: 1 } };
    const { result, failures } = await loadFriends(raw(200, JSON.stringify(envelope)));
    const failure = { kind: "refused", code: 500, key: "friend.already", params: { n: 1 }, message: "no" };
    expect(result).toEqual({ ok: false, failure });
    expect(failures).toEqual([failure]);
  });

  test("S2 a silent call reports no failure", async () => {
    const { ports, api, failures } = rig();
    const call = api.call(listFriends, {}, { silent: true });
    ports.http.reply("/friend/list", null, 500);
    expect((await call).ok).toBe(false);
    expect(failures).toEqual([]);
  });

  test("S2 of a call whose failure is shown in place, a refusal is reported and a lost network is not", async () => {
    const { ports, api, failures } = rig();
    const refused = api.call(listFriends, {}, { isShownInPlace: true });
    ports.http.reply("/friend/list", null, 500);
    expect((await refused).ok).toBe(false);
    expect(failures).toMatchObject([{ kind: "refused" }]);
    const lost = api.call(listFriends, {}, { isShownInPlace: true });
    ports.http.replyRaw("/friend/list", raw(502, ""));
    expect((await lost).ok).toBe(false);
    expect(failures).toHaveLength(1);
  });

  test("S16 a failure that comes after the end of its session is not reported", async () => {
    const { ports, api, failures, scope } = rig();
    const call = api.call(listFriends, {});
    scope.end();
    ports.http.reply("/friend/list", null, 500);
    expect(await call).toMatchObject({ ok: false, failure: { kind: "refused" } });
    expect(failures).toEqual([]);
  });

  test("S3 code 400 ends the session", async () => {
    const { result, ended, failures } = await loadFriends(raw(200, '{"code":400,"message":"","data":null}'));
    expect(result).toEqual({ ok: false, failure: { kind: "loggedOut" } });
    expect(ended).toEqual(["old token"]);
    expect(failures).toEqual([]);
  });

  test.each([
    ["a page", raw(200, "<html>Please log in</html>")],
    ["cut JSON", raw(200, '{"code":200,"message":"","da')],
    ["JSON of another program", raw(200, '{"status":"ok"}')],
    ["data of another shape", raw(200, '{"code":200,"message":"","data":[{"id":"x"}]}')],
  ])("S6 %s is a network failure: never data, never a logout", async (_name, answer) => {
    const { result, ended } = await loadFriends(answer);
    expect(result).toEqual({ ok: false, failure: { kind: "network", reason: "unreadable" } });
    expect(ended).toEqual([]);
  });

  test.each([
    ["a page with status 401", raw(401, "<html>Proxy</html>"), ""],
    ["a 502", raw(502, "Bad Gateway"), ""],
    ["a bare 403", raw(403, ""), ""],
    ["a bare 400", raw(400, " the field is missing\n"), "the field is missing"],
    ["a page with status 400", raw(400, "<html>Proxy</html>"), ""],
    ["a 400 with a long text", raw(400, "x".repeat(201)), ""],
  ])("S6 S7 %s is a network failure that names its status", async (_name, answer, message) => {
    const { result, ended } = await loadFriends(answer);
    const { status } = answer as { status: number };
    expect(result).toEqual({ ok: false, failure: { kind: "network", reason: "foreign", status, message } });
    expect(ended).toEqual([]);
  });

  test.each(["offline", "timeout"] as const)("S6 no answer (%s) is a network failure", async (reason) => {
    const { result } = await loadFriends({ kind: "failed", reason });
    expect(result).toEqual({ ok: false, failure: { kind: "network", reason } });
  });

  test.each([
    [400, "request.malformed"],
    [403, "request.forbidden"],
    [404, "request.notFound"],
    [429, "request.tooMany"],
    [500, "server.error"],
  ])("S7 HTTP status %i is a failure of its own kind", async (status, key) => {
    const { result } = await loadFriends(
      raw(status, JSON.stringify({ code: 500, message: "why", data: null, key })),
    );
    expect(result).toEqual({ ok: false, failure: { kind: "http", status, message: "why" } });
  });

  test("S7 a business refusal with a status keeps its key", async () => {
    const envelope = { code: 500, message: "big", data: null, key: "upload.tooLarge" };
    const { result } = await loadFriends(raw(413, JSON.stringify(envelope)));
    expect(result).toMatchObject({ failure: { kind: "refused", key: "upload.tooLarge" } });
  });
});

describe("an expired token", () => {
  const expired = '{"code":401,"message":"","data":null}';

  test("S4 a call that gets 401 refreshes the token once and is repeated", async () => {
    // The token store merges the refreshes of several calls; here a call asks for at most one.
    const state = rig();
    const call = state.api.call(listFriends, {});
    state.ports.http.replyRaw("/friend/list", raw(200, expired));
    await flushMicrotasks();
    const again = state.ports.http.reply("/friend/list", []);
    expect(again.headers["accessToken"]).toBe("new%20token");
    expect(await call).toEqual({ ok: true, value: [] });
    expect(state.refreshes).toBe(1);
  });

  test("S4 when another call has refreshed the token, the call is only repeated", async () => {
    const state = rig();
    const call = state.api.call(listFriends, {});
    state.token = "new token";
    state.ports.http.replyRaw("/friend/list", raw(200, expired));
    await flushMicrotasks();
    state.ports.http.reply("/friend/list", []);
    expect((await call).ok).toBe(true);
    expect(state.refreshes).toBe(0);
  });

  test.each([
    ["while it is in flight", true],
    ["while the token is refreshed", false],
  ])("S4 a call is not repeated when another user logs in %s", async (_, isBefore) => {
    const state = rig();
    const call = state.api.call(listFriends, {});
    if (isBefore) state.scope.end();
    state.ports.http.replyRaw("/friend/list", raw(200, expired));
    while (!isBefore && state.refreshes === 0) await flushMicrotasks(1);
    if (!isBefore) state.scope.end();
    expect(await call).toEqual({ ok: false, failure: { kind: "loggedOut" } });
    expect(state.refreshes).toBe(isBefore ? 0 : 1);
    expect(state.ports.http.waiting).toEqual([]);
    expect(state.ended).toEqual([]);
  });

  test("S5 a refused refresh ends the session", async () => {
    const { result, ended } = await loadFriends(raw(200, expired), { outcome: "ended" });
    expect(result).toMatchObject({ failure: { kind: "loggedOut" } });
    expect(ended).toEqual(["old token"]);
  });

  test("S5 a refresh without an answer does not end the session", async () => {
    const { result, ended } = await loadFriends(raw(200, expired), { outcome: "failed" });
    expect(result).toMatchObject({ failure: { kind: "network" } });
    expect(ended).toEqual([]);
  });

  test("S5 a new token that is refused as well ends the session", async () => {
    const state = rig();
    const call = state.api.call(listFriends, {});
    state.ports.http.replyRaw("/friend/list", raw(200, expired));
    await flushMicrotasks();
    state.ports.http.replyRaw("/friend/list", raw(200, expired));
    expect(await call).toMatchObject({ failure: { kind: "loggedOut" } });
    expect(state.ended).toEqual(["new token"]);
  });
});
