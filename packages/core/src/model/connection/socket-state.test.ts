import { describe, expect, test } from "vitest";
import {
  shownConnection,
  type SocketState,
  type SocketEffect,
  type SocketInput,
  stepSocket,
} from "./socket-state.ts";

const NOW = 1_000_000;
const HTTP_PAGE = { first: "secure", canFallBack: true } as const;
const HTTPS_PAGE = { first: "secure", canFallBack: false } as const;

/** Applies the inputs in order; returns the final state and the effects of the last input. */
function play(...inputs: SocketInput[]): { state: SocketState; effects: readonly SocketEffect[] } {
  let state: SocketState = { kind: "off" };
  let effects: readonly SocketEffect[] = [];
  for (const input of inputs) [state, effects] = stepSocket(state, input);
  return { state, effects };
}

const start = (address: typeof HTTP_PAGE | typeof HTTPS_PAGE = HTTPS_PAGE): SocketInput[] => [
  { kind: "start", address },
  { kind: "prepared", now: NOW },
];
const open = (): SocketInput[] => [...start(), { kind: "opened", now: NOW }];
const online = (): SocketInput[] => [...open(), { kind: "loginOk", epoch: "epoch 1" }];
const closed = (code: number, now = NOW): SocketInput => ({ kind: "closed", code, now });
const timer = (name: "retry" | "fallback" | "heartbeat" | "idle" | "resend", now = NOW): SocketInput => ({
  kind: "timer",
  timer: name,
  now,
});
const kinds = (effects: readonly SocketEffect[]) => effects.map((effect) => effect.kind);

describe("login and heartbeats", () => {
  test("C1 an opened socket is logged in", () => {
    expect(play(...open()).effects).toEqual([{ kind: "sendLogin" }]);
  });

  test("C2 a heartbeat goes out after login-ok, the next one 5 s after each reply", () => {
    expect(kinds(play(...online()).effects)).toContain("sendHeartbeat");
    const reply = play(...online(), { kind: "heartbeatReply" });
    expect(reply.effects).toEqual([{ kind: "setTimer", timer: "heartbeat", ms: 5_000 }]);
    expect(play(...online(), timer("heartbeat")).effects).toEqual([{ kind: "sendHeartbeat" }]);
  });

  test("C12 a connection without a frame for 60 s is closed, and one with a frame is kept", () => {
    const silent = play(...online(), timer("idle", NOW + 60_000));
    expect(silent.state.kind).toBe("waiting");
    expect(silent.effects[0]).toEqual({ kind: "close", code: 4000 });
    const alive = play(...online(), { kind: "frame", now: NOW + 20_000 }, timer("idle", NOW + 60_000));
    expect(alive.state.kind).toBe("online");
    expect(alive.effects).toEqual([{ kind: "setTimer", timer: "idle", ms: 20_000 }]);
  });

  test("C12 a socket that never opens is closed after 60 s", () => {
    expect(play(...start(), timer("idle", NOW + 60_000)).state.kind).toBe("waiting");
  });

  test("C18 a clock that is set back does not delay closing an idle connection", () => {
    const earlier = NOW - 10 * 365 * 24 * 3_600_000;
    const first = play(...online(), timer("idle", earlier));
    expect(first.effects).toEqual([{ kind: "setTimer", timer: "idle", ms: 60_000 }]);
    const [silent] = stepSocket(first.state, timer("idle", earlier + 60_000));
    expect(silent.kind).toBe("waiting");
  });

  test("C16 the shown connection follows the socket state", () => {
    const shown = (...inputs: SocketInput[]) => shownConnection(play(...inputs).state, true);
    expect(shown()).toEqual({ kind: "off" });
    expect(shown({ kind: "start", address: HTTPS_PAGE })).toEqual({ kind: "connecting" });
    expect(shown(...open())).toEqual({ kind: "connecting" });
    expect(shown(...online())).toEqual({ kind: "online" });
    expect(shown(...online(), closed(1006))).toEqual({ kind: "waiting", retryAt: NOW + 15_000 });
    const offline = (...inputs: SocketInput[]) => shownConnection(play(...inputs).state, false);
    expect(offline()).toEqual({ kind: "off" });
    expect(offline(...online())).toEqual({ kind: "offline", retryAt: null });
    expect(offline(...online(), closed(1006))).toEqual({ kind: "offline", retryAt: NOW + 15_000 });
  });
});

describe("connection loss", () => {
  test.each([1006, 1012, 4001, 4003, 4008, 4009, 4010, 1000])(
    "C3 after close code %i the next attempt is due 15,000 ms later",
    (code) => {
      const { state, effects } = play(...online(), closed(code, NOW + 7));
      expect(state).toMatchObject({ kind: "waiting", retryAt: NOW + 15_007 });
      expect(effects).toContainEqual({ kind: "setTimer", timer: "retry", ms: 15_000 });
      expect(play(...online(), closed(code), timer("retry")).effects).toEqual([
        { kind: "prepare", shouldRefresh: false },
      ]);
    },
  );

  test("C22 after close code 4011 the next attempt is due a minute later, and at once if the person asks", () => {
    const { state, effects } = play(...online(), closed(4011, NOW + 7));
    expect(state).toMatchObject({ kind: "waiting", retryAt: NOW + 60_007 });
    expect(effects).toContainEqual({ kind: "setTimer", timer: "retry", ms: 60_000 });
    expect(play(...online(), closed(4011), { kind: "reconnectNow" }).state.kind).toBe("preparing");
  });

  test("C3 a token that could not be refreshed counts as a close", () => {
    const { state } = play({ kind: "start", address: HTTPS_PAGE }, { kind: "notPrepared", now: NOW });
    expect(state).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000 });
  });

  test("C4 a loss is reported once, not at every attempt", () => {
    expect(kinds(play(...online(), closed(1006)).effects)).toContain("noticeLost");
    const again = play(
      ...online(),
      closed(1006),
      timer("retry"),
      { kind: "prepared", now: NOW },
      closed(1006),
    );
    expect(again.state.kind).toBe("waiting");
    expect(kinds(again.effects)).not.toContain("noticeLost");
  });

  test("C4 after a successful login the next loss is reported again", () => {
    const reconnected = [...online(), closed(1006), timer("retry"), ...online().slice(1)];
    expect(kinds(play(...reconnected, closed(1006)).effects)).toContain("noticeLost");
  });

  test("C9 a deliberate close has code 3000 and nothing reconnects", () => {
    const { state, effects } = play(...online(), { kind: "stop" });
    expect(state).toEqual({ kind: "off" });
    expect(effects).toContainEqual({ kind: "close", code: 3000 });
    expect(play(...online(), closed(3000)).state).toEqual({ kind: "off" });
  });

  test("C10 a forced logout closes with 3000, ends the session with its reason, and nothing reconnects", () => {
    const end: SocketInput = { kind: "forcedLogout", reason: "kicked", text: "elsewhere" };
    const { state, effects } = play(...online(), end);
    expect(state).toEqual({ kind: "off" });
    expect(effects).toContainEqual({ kind: "close", code: 3000 });
    expect(effects).toContainEqual({ kind: "endSession", reason: "kicked", text: "elsewhere" });
    expect(play(...online(), end, closed(4001), timer("retry")).state).toEqual({ kind: "off" });
  });

  test.each([["a login", open()] as const, ["a logged-in connection", online()] as const])(
    "C11 when %s is closed with 4002, the token is refreshed at once without a notice",
    (_what, before) => {
      const { state, effects } = play(...before, closed(4002));
      expect(state).toMatchObject({ kind: "preparing", shouldRefresh: true });
      expect(effects.at(-1)).toEqual({ kind: "prepare", shouldRefresh: true });
      expect(kinds(effects)).not.toContain("setTimer");
      expect(kinds(effects)).not.toContain("noticeLost");
      expect(kinds(effects).includes("wentOffline")).toBe(before.length > open().length);
    },
  );

  test("C11 a login waits for the retry if a just refreshed token is refused or the refresh fails", () => {
    const refreshed: SocketInput[] = [...open(), closed(4002), { kind: "prepared", now: NOW }];
    const again = play(...refreshed, { kind: "opened", now: NOW }, closed(4002));
    expect(again.state).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000, shouldRefresh: true });
    const notRefreshed = play(...online(), closed(4002), { kind: "notPrepared", now: NOW });
    expect(notRefreshed.state).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000, shouldRefresh: true });
    expect(kinds(notRefreshed.effects)).toContain("noticeLost");
    const later: SocketInput[] = [
      ...refreshed,
      { kind: "opened", now: NOW },
      { kind: "loginOk", epoch: "epoch 1" },
      closed(4002),
    ];
    expect(play(...later).state.kind).toBe("preparing");
  });

  test("C11 another token than the refused one is refreshed at once if it is refused too", () => {
    const replaced: SocketInput = { kind: "prepared", now: NOW, wasReplaced: true };
    const { state } = play(...online(), closed(4002), replaced, { kind: "opened", now: NOW }, closed(4002));
    expect(state).toMatchObject({ kind: "preparing", shouldRefresh: true });
  });

  test("C13 reconnectNow skips the wait, and sends a heartbeat on an open connection", () => {
    const { state, effects } = play(...online(), closed(1006), { kind: "reconnectNow" });
    expect(state.kind).toBe("preparing");
    expect(kinds(effects)).toEqual(["clearTimer", "prepare"]);
    expect(play(...online(), { kind: "reconnectNow" }).effects).toEqual([{ kind: "sendHeartbeat" }]);
  });

  test("C8 a send while connecting is tried again each second", () => {
    const waiting = play(...start(), { kind: "reconnectNow" });
    expect(waiting.effects).toEqual([{ kind: "setTimer", timer: "resend", ms: 1_000 }]);
    expect(play(...start(), { kind: "reconnectNow" }, timer("resend")).effects).toEqual(waiting.effects);
    expect(play(...online(), timer("resend")).effects).toEqual([{ kind: "sendHeartbeat" }]);
  });
});

describe("secure and plain", () => {
  test("C5 a failed secure address is tried once in plain after 2 s without a notice", () => {
    const failed = play(...start(HTTP_PAGE), closed(1006));
    expect(failed.state.kind).toBe("fallingBack");
    expect(failed.effects).toContainEqual({ kind: "setTimer", timer: "fallback", ms: 2_000 });
    expect(kinds(failed.effects)).not.toContain("noticeLost");
    const plain = play(...start(HTTP_PAGE), closed(1006), timer("fallback"));
    expect(plain.effects).toContainEqual({ kind: "open", scheme: "plain" });
    const both = play(...start(HTTP_PAGE), closed(1006), timer("fallback"), closed(1006));
    expect(both.state).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000 });
  });

  test("C5 a secure address that had opened does not fall back", () => {
    expect(play(...start(HTTP_PAGE), { kind: "opened", now: NOW }, closed(1006)).state.kind).toBe("waiting");
  });

  test("C6 without permission nothing falls back to plain", () => {
    expect(play(...start(HTTPS_PAGE), closed(1006)).state.kind).toBe("waiting");
  });

  test("C7 the scheme that logged in is remembered and tried first", () => {
    const plain = [
      ...start(HTTP_PAGE),
      closed(1006),
      timer("fallback"),
      { kind: "opened", now: NOW } as const,
    ];
    const loggedIn = play(...plain, { kind: "loginOk", epoch: "epoch 1" });
    expect(loggedIn.effects).toContainEqual({ kind: "rememberScheme", scheme: "plain" });
    const again = play(...plain, { kind: "loginOk", epoch: "epoch 1" }, closed(1006), timer("retry"), {
      kind: "prepared",
      now: NOW,
    });
    expect(again.effects).toContainEqual({ kind: "open", scheme: "plain" });
  });
});

describe("each step", () => {
  const CLEAR_ALL = ["retry", "fallback", "heartbeat", "idle", "resend"].map((name) => ({
    kind: "clearTimer",
    timer: name,
  }));

  test("C1 C2 the first login goes through preparing, opening and online", () => {
    expect(play({ kind: "start", address: HTTP_PAGE })).toEqual({
      state: { kind: "preparing", address: HTTP_PAGE, hasReportedLoss: false, shouldRefresh: false },
      effects: [{ kind: "prepare", shouldRefresh: false }],
    });
    const opening = {
      kind: "opening",
      address: HTTP_PAGE,
      hasReportedLoss: false,
      isRefreshed: false,
      scheme: "secure",
    };
    expect(play(...start(HTTP_PAGE))).toEqual({
      state: { ...opening, isOpen: false, canFallBack: true, lastFrameAt: NOW },
      effects: [
        { kind: "setTimer", timer: "idle", ms: 60_000 },
        { kind: "open", scheme: "secure" },
      ],
    });
    const opened: SocketInput[] = [...start(HTTP_PAGE), { kind: "opened", now: NOW + 1 }];
    expect(play(...opened).state).toEqual({
      ...opening,
      isOpen: true,
      canFallBack: true,
      lastFrameAt: NOW + 1,
    });
    expect(play(...opened, { kind: "loginOk", epoch: "epoch 1" })).toEqual({
      state: { kind: "online", address: HTTP_PAGE, lastFrameAt: NOW + 1 },
      effects: [
        { kind: "clearTimer", timer: "resend" },
        { kind: "rememberScheme", scheme: "secure" },
        { kind: "sendHeartbeat" },
        { kind: "wentOnline", epoch: "epoch 1" },
      ],
    });
  });

  test("C3 C9 C10 a loss, a stop and a forced logout have their effects in order", () => {
    const close = { kind: "close", code: 3000 };
    const retry = { kind: "setTimer", timer: "retry", ms: 15_000 };
    expect(play(...online(), closed(1006)).effects).toEqual([
      ...CLEAR_ALL,
      retry,
      { kind: "wentOffline" },
      { kind: "noticeLost" },
    ]);
    expect(play(...open(), closed(1006)).effects).toEqual([...CLEAR_ALL, retry, { kind: "noticeLost" }]);
    expect(play(...online(), { kind: "stop" }).effects).toEqual([
      ...CLEAR_ALL,
      close,
      { kind: "wentOffline" },
    ]);
    expect(play(...open(), { kind: "stop" }).effects).toEqual([...CLEAR_ALL, close]);
    expect(play(...online(), closed(1006), { kind: "stop" }).effects).toEqual(CLEAR_ALL);
    const end: SocketInput = { kind: "forcedLogout", reason: "kicked", text: "x" };
    expect(play(...open(), end).effects).toEqual([
      ...CLEAR_ALL,
      close,
      { kind: "endSession", reason: "kicked", text: "x" },
    ]);
    expect(play(end)).toEqual({ state: { kind: "off" }, effects: [] });
    expect(play(...start(HTTP_PAGE), closed(1006))).toEqual({
      state: { kind: "fallingBack", address: HTTP_PAGE, hasReportedLoss: false, isRefreshed: false },
      effects: [...CLEAR_ALL, { kind: "setTimer", timer: "fallback", ms: 2_000 }],
    });
  });

  test("C14 an unexpected input changes nothing", () => {
    const inputs: SocketInput[] = [
      { kind: "prepared", now: NOW },
      { kind: "notPrepared", now: NOW },
      { kind: "opened", now: NOW },
      { kind: "loginOk", epoch: "epoch 1" },
      { kind: "heartbeatReply" },
      { kind: "frame", now: NOW + 9 },
      closed(1006),
      closed(4002),
      timer("retry"),
      timer("fallback"),
      timer("heartbeat"),
      timer("idle"),
      timer("resend"),
      { kind: "reconnectNow" },
      { kind: "stop" },
    ];
    for (const input of inputs) expect(play(input)).toEqual({ state: { kind: "off" }, effects: [] });
    const expectUnchanged = (before: SocketInput[], input: SocketInput) => {
      const { state } = play(...before);
      expect(play(...before, input)).toEqual({ state, effects: [] });
    };
    for (const input of [
      { kind: "start", address: HTTP_PAGE },
      { kind: "prepared", now: 9 },
    ] as const)
      expectUnchanged(online(), input);
    for (const name of ["retry", "fallback"] as const) expectUnchanged(online(), timer(name));
    expectUnchanged(online(), { kind: "opened", now: 9 });
    expectUnchanged(online(), { kind: "loginOk", epoch: "epoch 1" });
    expectUnchanged(online(), { kind: "notPrepared", now: 9 });
    expectUnchanged(start(), { kind: "loginOk", epoch: "epoch 1" });
    expectUnchanged(start(), { kind: "heartbeatReply" });
    expectUnchanged([{ kind: "start", address: HTTP_PAGE }], { kind: "reconnectNow" });
    expectUnchanged([...start(HTTP_PAGE), closed(1006)], { kind: "reconnectNow" });
    expectUnchanged([...online(), closed(1006)], timer("idle", NOW + 99_999));
  });

  test("C12 any frame shows that the connection is alive, also before the login", () => {
    const alive = play(...start(), { kind: "frame", now: NOW + 9 });
    expect(alive.state).toMatchObject({ kind: "opening", lastFrameAt: NOW + 9 });
    expect(alive.effects).toEqual([]);
    const silent = play(...online(), timer("idle", NOW + 59_999));
    expect(silent.effects).toEqual([{ kind: "setTimer", timer: "idle", ms: 1 }]);
    const idle = play(...online(), timer("idle", NOW + 60_000));
    expect(idle.effects.slice(1)).toEqual([
      ...CLEAR_ALL,
      { kind: "setTimer", timer: "retry", ms: 15_000 },
      { kind: "wentOffline" },
      { kind: "noticeLost" },
    ]);
  });

  test("C13 reconnectNow clears the retry timer and keeps the pending token refresh", () => {
    const waiting: SocketInput[] = [...online(), closed(4002), { kind: "notPrepared", now: NOW }];
    expect(play(...waiting, { kind: "reconnectNow" })).toEqual({
      state: { kind: "preparing", address: HTTPS_PAGE, hasReportedLoss: true, shouldRefresh: true },
      effects: [
        { kind: "clearTimer", timer: "retry" },
        { kind: "prepare", shouldRefresh: true },
      ],
    });
    expect(play(...waiting, timer("retry")).state).toMatchObject({
      hasReportedLoss: true,
      shouldRefresh: true,
    });
  });

  test("C16 the connection shows as connecting while it falls back to plain", () => {
    expect(shownConnection(play(...start(HTTP_PAGE), closed(1006)).state, true)).toEqual({
      kind: "connecting",
    });
  });

  test("C5 the plain attempt does not fall back again", () => {
    const plain = play(...start(HTTP_PAGE), closed(1006), timer("fallback", NOW + 5));
    expect(plain.state).toEqual({
      kind: "opening",
      address: HTTP_PAGE,
      hasReportedLoss: false,
      isRefreshed: false,
      scheme: "plain",
      isOpen: false,
      canFallBack: false,
      lastFrameAt: NOW + 5,
    });
  });
});
