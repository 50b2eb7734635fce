import { describe, expect, test } from "vitest";
import { connectionOf, type Link, type LinkEffect, type LinkInput, stepLink } from "./connection.ts";

const NOW = 1_000_000;
const HTTP_PAGE = { first: "secure", mayFallBack: true } as const;
const HTTPS_PAGE = { first: "secure", mayFallBack: false } as const;

/** Plays inputs one after another; answers the last state and what the last input made happen. */
function play(...inputs: LinkInput[]): { link: Link; effects: readonly LinkEffect[] } {
  let link: Link = { kind: "off" };
  let effects: readonly LinkEffect[] = [];
  for (const input of inputs) [link, effects] = stepLink(link, input);
  return { link, effects };
}

const start = (address: typeof HTTP_PAGE | typeof HTTPS_PAGE = HTTPS_PAGE): LinkInput[] => [
  { kind: "start", address },
  { kind: "prepared", now: NOW },
];
const open = (): LinkInput[] => [...start(), { kind: "opened", now: NOW }];
const online = (): LinkInput[] => [...open(), { kind: "loginOk" }];
const closed = (code: number, now = NOW): LinkInput => ({ kind: "closed", code, now });
const timer = (name: "retry" | "fallback" | "heartbeat" | "idle" | "resend", now = NOW): LinkInput => ({
  kind: "timer",
  timer: name,
  now,
});
const kinds = (effects: readonly LinkEffect[]) => effects.map((effect) => effect.kind);

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

  test("C12 a line without a frame for 60 s is given up, one with a frame is not", () => {
    const silent = play(...online(), timer("idle", NOW + 60_000));
    expect(silent.link.kind).toBe("waiting");
    expect(silent.effects[0]).toEqual({ kind: "close", code: 4000 });
    const heard = play(...online(), { kind: "frame", now: NOW + 20_000 }, timer("idle", NOW + 60_000));
    expect(heard.link.kind).toBe("online");
    expect(heard.effects).toEqual([{ kind: "setTimer", timer: "idle", ms: 20_000 }]);
  });

  test("C12 a socket that never opens is given up as well", () => {
    expect(play(...start(), timer("idle", NOW + 60_000)).link.kind).toBe("waiting");
  });

  test("C18 a clock that is set back does not put off giving up a silent line", () => {
    const back = NOW - 10 * 365 * 24 * 3_600_000;
    const first = play(...online(), timer("idle", back));
    expect(first.effects).toEqual([{ kind: "setTimer", timer: "idle", ms: 60_000 }]);
    const [silent] = stepLink(first.link, timer("idle", back + 60_000));
    expect(silent.kind).toBe("waiting");
  });

  test("C16 what screens see", () => {
    const shown = (...inputs: LinkInput[]) => connectionOf(play(...inputs).link, true);
    expect(shown()).toEqual({ kind: "off" });
    expect(shown({ kind: "start", address: HTTPS_PAGE })).toEqual({ kind: "connecting" });
    expect(shown(...open())).toEqual({ kind: "connecting" });
    expect(shown(...online())).toEqual({ kind: "online" });
    expect(shown(...online(), closed(1006))).toEqual({ kind: "waiting", retryAt: NOW + 15_000 });
    const offline = (...inputs: LinkInput[]) => connectionOf(play(...inputs).link, false);
    expect(offline()).toEqual({ kind: "off" });
    expect(offline(...online())).toEqual({ kind: "offline", retryAt: null });
    expect(offline(...online(), closed(1006))).toEqual({ kind: "offline", retryAt: NOW + 15_000 });
  });
});

describe("losing the line", () => {
  test.each([1006, 1012, 4001, 4003, 4008, 4009, 1000])(
    "C3 after close code %i the next try comes 15,000 ms later",
    (code) => {
      const { link, effects } = play(...online(), closed(code, NOW + 7));
      expect(link).toMatchObject({ kind: "waiting", retryAt: NOW + 15_007 });
      expect(effects).toContainEqual({ kind: "setTimer", timer: "retry", ms: 15_000 });
      expect(play(...online(), closed(code), timer("retry")).effects).toEqual([
        { kind: "prepare", renew: false },
      ]);
    },
  );

  test("C3 a token that could not be had counts as a close", () => {
    const { link } = play({ kind: "start", address: HTTPS_PAGE }, { kind: "notPrepared", now: NOW });
    expect(link).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000 });
  });

  test("C4 a loss is said once, not at every try", () => {
    expect(kinds(play(...online(), closed(1006)).effects)).toContain("noticeLost");
    const again = play(
      ...online(),
      closed(1006),
      timer("retry"),
      { kind: "prepared", now: NOW },
      closed(1006),
    );
    expect(again.link.kind).toBe("waiting");
    expect(kinds(again.effects)).not.toContain("noticeLost");
  });

  test("C4 after a success the next loss is said again", () => {
    const back = [...online(), closed(1006), timer("retry"), ...online().slice(1)];
    expect(kinds(play(...back, closed(1006)).effects)).toContain("noticeLost");
  });

  test("C9 a deliberate close has code 3000 and nothing reconnects", () => {
    const { link, effects } = play(...online(), { kind: "stop" });
    expect(link).toEqual({ kind: "off" });
    expect(effects).toContainEqual({ kind: "close", code: 3000 });
    expect(play(...online(), closed(3000)).link).toEqual({ kind: "off" });
  });

  test("C10 a forced logout closes with 3000, ends the session with its reason, and nothing reconnects", () => {
    const end: LinkInput = { kind: "forcedLogout", reason: "kicked", text: "elsewhere" };
    const { link, effects } = play(...online(), end);
    expect(link).toEqual({ kind: "off" });
    expect(effects).toContainEqual({ kind: "close", code: 3000 });
    expect(effects).toContainEqual({ kind: "endSession", reason: "kicked", text: "elsewhere" });
    expect(play(...online(), end, closed(4001), timer("retry")).link).toEqual({ kind: "off" });
  });

  test.each([["a login", open()] as const, ["a line", online()] as const])(
    "C11 after %s that was closed with 4002 the token is renewed at once, with no word said",
    (_what, before) => {
      const { link, effects } = play(...before, closed(4002));
      expect(link).toMatchObject({ kind: "preparing", renew: true });
      expect(effects.at(-1)).toEqual({ kind: "prepare", renew: true });
      expect(kinds(effects)).not.toContain("setTimer");
      expect(kinds(effects)).not.toContain("noticeLost");
      expect(kinds(effects).includes("wentOffline")).toBe(before.length > open().length);
    },
  );

  test("C11 a login that is refused with a token just renewed waits like any other, and so does one without an answer", () => {
    const renewed: LinkInput[] = [...open(), closed(4002), { kind: "prepared", now: NOW }];
    const again = play(...renewed, { kind: "opened", now: NOW }, closed(4002));
    expect(again.link).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000, renew: true });
    const unanswered = play(...online(), closed(4002), { kind: "notPrepared", now: NOW });
    expect(unanswered.link).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000, renew: true });
    expect(kinds(unanswered.effects)).toContain("noticeLost");
    const later: LinkInput[] = [...renewed, { kind: "opened", now: NOW }, { kind: "loginOk" }, closed(4002)];
    expect(play(...later).link.kind).toBe("preparing");
  });

  test("C13 a hurry does not wait, and tries a line that is open", () => {
    const { link, effects } = play(...online(), closed(1006), { kind: "hurry" });
    expect(link.kind).toBe("preparing");
    expect(kinds(effects)).toEqual(["clearTimer", "prepare"]);
    expect(play(...online(), { kind: "hurry" }).effects).toEqual([{ kind: "sendHeartbeat" }]);
  });

  test("C8 what is to be sent while connecting is tried again each second", () => {
    const waiting = play(...start(), { kind: "hurry" });
    expect(waiting.effects).toEqual([{ kind: "setTimer", timer: "resend", ms: 1_000 }]);
    expect(play(...start(), { kind: "hurry" }, timer("resend")).effects).toEqual(waiting.effects);
    expect(play(...online(), timer("resend")).effects).toEqual([{ kind: "sendHeartbeat" }]);
  });
});

describe("secure and plain", () => {
  test("C5 a secure address that fails is tried once in plain after 2 s, with no word said", () => {
    const failed = play(...start(HTTP_PAGE), closed(1006));
    expect(failed.link.kind).toBe("fallingBack");
    expect(failed.effects).toContainEqual({ kind: "setTimer", timer: "fallback", ms: 2_000 });
    expect(kinds(failed.effects)).not.toContain("noticeLost");
    const plain = play(...start(HTTP_PAGE), closed(1006), timer("fallback"));
    expect(plain.effects).toContainEqual({ kind: "open", scheme: "plain" });
    const both = play(...start(HTTP_PAGE), closed(1006), timer("fallback"), closed(1006));
    expect(both.link).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000 });
  });

  test("C5 a secure address that had opened does not fall back", () => {
    expect(play(...start(HTTP_PAGE), { kind: "opened", now: NOW }, closed(1006)).link.kind).toBe("waiting");
  });

  test("C6 without leave nothing falls back", () => {
    expect(play(...start(HTTPS_PAGE), closed(1006)).link.kind).toBe("waiting");
  });

  test("C7 the scheme that logged in is remembered and tried first", () => {
    const plain = [
      ...start(HTTP_PAGE),
      closed(1006),
      timer("fallback"),
      { kind: "opened", now: NOW } as const,
    ];
    const logged = play(...plain, { kind: "loginOk" });
    expect(logged.effects).toContainEqual({ kind: "rememberScheme", scheme: "plain" });
    const again = play(...plain, { kind: "loginOk" }, closed(1006), timer("retry"), {
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

  test("C1 C2 the first login, step by step", () => {
    expect(play({ kind: "start", address: HTTP_PAGE })).toEqual({
      link: { kind: "preparing", address: HTTP_PAGE, isLost: false, renew: false },
      effects: [{ kind: "prepare", renew: false }],
    });
    const opening = {
      kind: "opening",
      address: HTTP_PAGE,
      isLost: false,
      isRenewed: false,
      scheme: "secure",
    };
    expect(play(...start(HTTP_PAGE))).toEqual({
      link: { ...opening, isOpen: false, mayFallBack: true, heardAt: NOW },
      effects: [
        { kind: "setTimer", timer: "idle", ms: 60_000 },
        { kind: "open", scheme: "secure" },
      ],
    });
    const opened: LinkInput[] = [...start(HTTP_PAGE), { kind: "opened", now: NOW + 1 }];
    expect(play(...opened).link).toEqual({ ...opening, isOpen: true, mayFallBack: true, heardAt: NOW + 1 });
    expect(play(...opened, { kind: "loginOk" })).toEqual({
      link: { kind: "online", address: HTTP_PAGE, heardAt: NOW + 1 },
      effects: [
        { kind: "clearTimer", timer: "resend" },
        { kind: "rememberScheme", scheme: "secure" },
        { kind: "sendHeartbeat" },
        { kind: "wentOnline" },
      ],
    });
  });

  test("C3 C9 C10 what a loss, a stop and a forced end do, one after another", () => {
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
    const end: LinkInput = { kind: "forcedLogout", reason: "kicked", text: "x" };
    expect(play(...open(), end).effects).toEqual([
      ...CLEAR_ALL,
      close,
      { kind: "endSession", reason: "kicked", text: "x" },
    ]);
    expect(play(end)).toEqual({ link: { kind: "off" }, effects: [] });
    expect(play(...start(HTTP_PAGE), closed(1006))).toEqual({
      link: { kind: "fallingBack", address: HTTP_PAGE, isLost: false, isRenewed: false },
      effects: [...CLEAR_ALL, { kind: "setTimer", timer: "fallback", ms: 2_000 }],
    });
  });

  test("C14 what comes when nobody waits for it changes nothing", () => {
    const late: LinkInput[] = [
      { kind: "prepared", now: NOW },
      { kind: "notPrepared", now: NOW },
      { kind: "opened", now: NOW },
      { kind: "loginOk" },
      { kind: "heartbeatReply" },
      { kind: "frame", now: NOW + 9 },
      closed(1006),
      closed(4002),
      timer("retry"),
      timer("fallback"),
      timer("heartbeat"),
      timer("idle"),
      timer("resend"),
      { kind: "hurry" },
      { kind: "stop" },
    ];
    for (const input of late) expect(play(input)).toEqual({ link: { kind: "off" }, effects: [] });
    const unmoved = (before: LinkInput[], input: LinkInput) => {
      const { link } = play(...before);
      expect(play(...before, input)).toEqual({ link, effects: [] });
    };
    for (const input of [
      { kind: "start", address: HTTP_PAGE },
      { kind: "prepared", now: 9 },
    ] as const)
      unmoved(online(), input);
    for (const name of ["retry", "fallback"] as const) unmoved(online(), timer(name));
    unmoved(online(), { kind: "opened", now: 9 });
    unmoved(online(), { kind: "loginOk" });
    unmoved(online(), { kind: "notPrepared", now: 9 });
    unmoved(start(), { kind: "loginOk" });
    unmoved(start(), { kind: "heartbeatReply" });
    unmoved([{ kind: "start", address: HTTP_PAGE }], { kind: "hurry" });
    unmoved([...start(HTTP_PAGE), closed(1006)], { kind: "hurry" });
    unmoved([...online(), closed(1006)], timer("idle", NOW + 99_999));
  });

  test("C12 any frame, also one before the login, is a sign of life", () => {
    const heard = play(...start(), { kind: "frame", now: NOW + 9 });
    expect(heard.link).toMatchObject({ kind: "opening", heardAt: NOW + 9 });
    expect(heard.effects).toEqual([]);
    const silent = play(...online(), timer("idle", NOW + 59_999));
    expect(silent.effects).toEqual([{ kind: "setTimer", timer: "idle", ms: 1 }]);
    const given = play(...online(), timer("idle", NOW + 60_000));
    expect(given.effects.slice(1)).toEqual([
      ...CLEAR_ALL,
      { kind: "setTimer", timer: "retry", ms: 15_000 },
      { kind: "wentOffline" },
      { kind: "noticeLost" },
    ]);
  });

  test("C13 a hurry clears the wait and renews what was to be renewed", () => {
    const waiting: LinkInput[] = [...online(), closed(4002), { kind: "notPrepared", now: NOW }];
    expect(play(...waiting, { kind: "hurry" })).toEqual({
      link: { kind: "preparing", address: HTTPS_PAGE, isLost: true, renew: true },
      effects: [
        { kind: "clearTimer", timer: "retry" },
        { kind: "prepare", renew: true },
      ],
    });
    expect(play(...waiting, timer("retry")).link).toMatchObject({ isLost: true, renew: true });
  });

  test("C16 also while it falls back it connects", () => {
    expect(connectionOf(play(...start(HTTP_PAGE), closed(1006)).link, true)).toEqual({ kind: "connecting" });
  });

  test("C5 the plain try does not fall back again", () => {
    const plain = play(...start(HTTP_PAGE), closed(1006), timer("fallback", NOW + 5));
    expect(plain.link).toEqual({
      kind: "opening",
      address: HTTP_PAGE,
      isLost: false,
      isRenewed: false,
      scheme: "plain",
      isOpen: false,
      mayFallBack: false,
      heardAt: NOW + 5,
    });
  });
});
