import { describe, expect, test } from "vitest";
import { friendVO, groupVO, userInfo } from "../testing/builders.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFakePorts } from "../testing/fake-ports.ts";
import {
  createSingleClient,
  createLoggedInClient,
  advanceTime,
  pushedRow,
  TOKENS,
  type SingleClient,
} from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createSocketConnection } from "./socket-connection.ts";
import { createServerAddress } from "./server-address.ts";
import { createStateStore } from "../state-store.ts";

const DISPLAY = { userRegisterInviteCode: false, updateAvatarAfterRegister: false };

const connection = (single: SingleClient) => single.client.getState().connection;
const urls = (single: SingleClient) => single.ports.sockets.all.map((socket) => socket.url);
const sentFrames = (single: SingleClient) =>
  single.ports.sockets.last().up.map((text) => JSON.parse(text) as { cmd: number; data: object });
const lossNotices = (single: SingleClient) =>
  single.notices.filter((notice) => notice.kind === "connectionLost").length;

async function createConnectingClient(origin: string, socketSecure?: boolean | null): Promise<SingleClient> {
  const single = createSingleClient({ origin });
  const form = { userName: "me", password: "p", rememberName: false, rememberPassword: false };
  const done = single.client.session.login(form);
  await flushMicrotasks();
  if (socketSecure !== undefined) await single.respond("/globalSetting/load", { ...DISPLAY, socketSecure });
  await single.respond("/login", TOKENS);
  await single.respond("/user/self", userInfo());
  await done;
  await flushMicrotasks();
  return single;
}

describe("the socket connection", () => {
  test("C19 a token that was requested before a stop does not count for the next start", async () => {
    const ports = createFakePorts();
    const answers: ((outcome: "ok" | "failed") => void)[] = [];
    const socketConnection = createSocketConnection({
      ports,
      stateStore: createStateStore(),
      serverAddress: createServerAddress(ports),
      deviceNo: "device",
      clientId: "client",
      accessToken: () => "hers",
      ensureAccessToken: () => new Promise((resolve) => answers.push(resolve)),
      onOnline: () => undefined,
      onOffline: () => undefined,
      onFrame: () => undefined,
      onLost: () => undefined,
      onEnd: () => undefined,
    });
    socketConnection.start();
    socketConnection.stop();
    socketConnection.start();
    answers[0]?.("ok");
    await flushMicrotasks();
    expect(ports.sockets.all).toHaveLength(0);
    answers[1]?.("ok");
    await flushMicrotasks();
    expect(ports.sockets.all).toHaveLength(1);
  });

  test("C1 C2 the socket logs in with token, device, client and capabilities, and heartbeats 5 s after each reply", async () => {
    const single = await createConnectingClient("https://im.example");
    await single.goOnline();
    expect(sentFrames(single)[0]).toEqual({
      cmd: 0,
      data: {
        accessToken: "access 1",
        devId: "id-1",
        clientId: "id-2",
        caps: ["changes", "rtc110", "rtcEarlyOffer", "extras", "typing"],
      },
    });
    expect(sentFrames(single)[1]).toEqual({ cmd: 1, data: {} });
    await advanceTime(single, 5_000);
    expect(sentFrames(single)).toHaveLength(2);
    await single.push({ cmd: 1, data: null });
    await advanceTime(single, 4_999);
    expect(sentFrames(single)).toHaveLength(2);
    await advanceTime(single, 1);
    expect(sentFrames(single)).toHaveLength(3);
  });

  test("C3 C4 the socket reconnects exactly 15 s after a close, and the loss is reported once", async () => {
    const single = await createLoggedInClient();
    single.ports.sockets.last().close(1012);
    expect(connection(single)).toMatchObject({ kind: "waiting", retryAt: single.ports.clock.now() + 15_000 });
    await advanceTime(single, 14_999);
    expect(urls(single)).toHaveLength(1);
    await advanceTime(single, 1);
    expect(urls(single)).toHaveLength(2);
    single.ports.sockets.last().close(1006);
    await advanceTime(single, 15_000);
    expect(urls(single)).toHaveLength(3);
    expect(lossNotices(single)).toBe(1);
  });

  test("C17 an unstable connection is reported at most once a minute", async () => {
    const single = await createLoggedInClient();
    for (let losses = 0; losses < 8; losses++) {
      single.ports.sockets.last().close(1006);
      await advanceTime(single, 15_000);
      await single.goOnline();
    }
    // Reported at 0 s and at 60 s.
    expect(lossNotices(single)).toBe(2);
    await advanceTime(single, 60_000);
    single.ports.sockets.last().close(1006);
    await flushMicrotasks();
    expect(lossNotices(single)).toBe(3);
  });

  test("C18 a clock that is set back does not delay the retry of a stalled pull", async () => {
    const fake = createFakeClock();
    let setBack = 0;
    const clock = { ...fake, now: () => fake.now() - setBack };
    const single = await createLoggedInClient({ clock });
    single.ports.sockets.last().close(1006);
    await advanceTime(single, 15_000);
    await single.goOnline();
    await single.respond("private/pull", null);
    setBack = 3_600_000;
    const pullCount = () =>
      single.waiting().filter((path) => path.startsWith("/message/private/pull")).length;
    for (let seconds = 0; seconds < 70; seconds += 5) {
      await advanceTime(single, 5_000);
      await single.push({ cmd: 1, data: null });
    }
    expect(pullCount()).toBeGreaterThan(0);
  });

  test("C12 an idle connection is closed after 60 s", async () => {
    const single = await createLoggedInClient();
    await advanceTime(single, 59_000);
    await single.push({ cmd: 1, data: null });
    await advanceTime(single, 59_999);
    expect(connection(single).kind).toBe("online");
    await advanceTime(single, 1);
    expect(connection(single).kind).toBe("waiting");
    expect(single.ports.sockets.last().closedByClient).toBe(4_000);
  });

  test("C13 a returning network reconnects at once", async () => {
    const single = await createLoggedInClient();
    single.ports.environment.set({ hasNetwork: false });
    single.ports.sockets.last().close(1006);
    expect(connection(single)).toMatchObject({ kind: "offline" });
    single.ports.environment.set({ hasNetwork: true });
    await flushMicrotasks();
    expect(connection(single).kind).toBe("connecting");
  });

  test("C11 after 4002 the token is refreshed first", async () => {
    const single = await createLoggedInClient();
    single.ports.http.waiting.splice(0);
    single.ports.sockets.last().close(4_002);
    await flushMicrotasks();
    expect(single.waiting()).toEqual(["/refreshToken"]);
    expect(lossNotices(single)).toBe(0);
    await single.respond("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    await single.goOnline();
    expect(sentFrames(single)[0]?.data).toMatchObject({ accessToken: "access 2" });
  });

  test("C11 a token that a call has refreshed meanwhile is used, and not refreshed once more", async () => {
    const single = await createLoggedInClient();
    single.ports.http.waiting.splice(0);
    void single.client.account.sessions();
    await single.respond("/sessions", null, 401);
    await single.respond("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    single.ports.sockets.last().close(4_002);
    await flushMicrotasks();
    single.ports.sockets.last().accept();
    expect(single.waiting()).not.toContain("/refreshToken");
    expect(sentFrames(single)[0]?.data).toMatchObject({ accessToken: "access 2" });
    // If that one is refused as well, the session may have ended.
    single.ports.sockets.last().close(4_002);
    await flushMicrotasks();
    expect(single.waiting()).toContain("/refreshToken");
  });

  test("C11 a session that ended elsewhere is signed out when the refresh is refused", async () => {
    const single = await createLoggedInClient();
    single.ports.http.waiting.splice(0);
    single.ports.sockets.last().close(4_002);
    await flushMicrotasks();
    await single.respond("/refreshToken", null, 500);
    expect(single.client.getState().session).toEqual({
      kind: "anonymous",
      ended: { reason: "expired", text: null },
    });
  });

  const END = "auth.refreshExpired";
  const refused = (params: object) => ({
    kind: "answer" as const,
    status: 200,
    text: JSON.stringify({ code: 500, message: "", data: null, key: END, params }),
    retryAfterSeconds: null,
  });

  test("S101 a ban before the socket was logged in gives its reason", async () => {
    const single = await createConnectingClient("https://im.example");
    single.ports.sockets.last().accept();
    single.ports.sockets.last().close(4_002);
    await flushMicrotasks();
    single.ports.http.replyRaw("/refreshToken", refused({ reason: "banned", text: "spam" }));
    await flushMicrotasks();
    const ended = { reason: "banned", text: "spam" };
    expect(single.client.getState().session).toEqual({ kind: "anonymous", ended });
    // As after a forced logout, no automatic login follows.
    expect(single.ports.storage.local.get("parley.loggedOut")).not.toBeNull();
  });

  test("S101 a kick while the login loads its user gives its reason, and an unknown reason is dropped", async () => {
    for (const [params, ended] of [
      [{ reason: "kicked" }, { reason: "kicked", text: null }],
      [{ reason: "mood", text: 7 }, null],
    ] as const) {
      const single = createSingleClient();
      const form = { userName: "me", password: "p", rememberName: false, rememberPassword: false };
      const done = single.client.session.login(form);
      await flushMicrotasks();
      await single.respond("/login", TOKENS);
      await single.respond("/user/self", null, 401);
      single.ports.http.replyRaw("/refreshToken", refused(params));
      expect((await done).ok).toBe(false);
      expect(single.client.getState().session).toEqual({ kind: "anonymous", ended });
    }
  });

  test("C14 events of an abandoned socket are ignored", async () => {
    const single = await createLoggedInClient();
    const old = single.ports.sockets.last();
    await advanceTime(single, 60_000);
    old.state = "open";
    old.down.push(JSON.stringify(pushedRow(5)));
    old.deliver();
    old.close(1006);
    await flushMicrotasks();
    expect(single.client.getState().chats.order).toEqual([]);
    await advanceTime(single, 15_000);
    expect(urls(single)).toHaveLength(2);
  });

  test("C10 an invalid frame is ignored", async () => {
    const single = await createLoggedInClient();
    single.ports.sockets.last().down.push("not json", '{"cmd":99}');
    single.ports.sockets.last().deliverAll();
    expect(connection(single).kind).toBe("online");
    expect(single.ports.warnings).toHaveLength(2);
  });
});

describe("requests beside a slow socket", () => {
  const lists = (single: SingleClient) =>
    single.waiting().filter((path) => /^\/(friend\/list|group\/list|system\/config)/.test(path));

  test("C103 friends and groups are loaded before the socket logs in, and again when it does", async () => {
    const single = await createConnectingClient("http://lan:8080");
    single.ports.sockets.last().close(1006);
    expect(lists(single)).toEqual([]);
    await advanceTime(single, 500);
    expect(lists(single)).toHaveLength(3);
    await single.respond("/friend/list", [friendVO({ id: 2 })]);
    await single.respond("/request/list", []);
    await single.respond("/blacklist/list", []);
    await single.respond("/group/list", [groupVO({ id: 7 })]);
    expect(Object.keys(single.client.getState().contacts.friends)).toEqual(["2"]);
    expect(Object.keys(single.client.getState().groups.byId)).toEqual(["7"]);
    single.ports.http.waiting.splice(0);
    await advanceTime(single, 2_000);
    await single.goOnline();
    expect(lists(single)).toHaveLength(3);
  });

  test("C103 with a fast socket nothing is requested twice, and nothing after a logout", async () => {
    const single = await createConnectingClient("https://im.example");
    await single.goOnline();
    await advanceTime(single, 500);
    expect(lists(single)).toHaveLength(3);
    const loggedOut = await createConnectingClient("https://im.example");
    void loggedOut.client.session.logout();
    await advanceTime(loggedOut, 500);
    expect(lists(loggedOut)).toEqual([]);
  });
});

describe("addresses", () => {
  test("C5 C7 a plain page tries the plain address 2 s after the secure one, and first from then on", async () => {
    const single = await createConnectingClient("http://lan:8080");
    expect(urls(single)).toEqual(["wss://lan:8080/im"]);
    single.ports.sockets.last().close(1006);
    await advanceTime(single, 2_000);
    expect(urls(single).at(-1)).toBe("ws://lan:8080/im");
    expect(lossNotices(single)).toBe(0);
    await single.goOnline();
    single.ports.sockets.last().close(1006);
    await advanceTime(single, 15_000);
    expect(urls(single).at(-1)).toBe("ws://lan:8080/im");
  });

  test("C102 a server that says it has no secure address is tried in plain at once", async () => {
    const single = await createConnectingClient("http://lan:8080", false);
    expect(urls(single)).toEqual(["ws://lan:8080/im"]);
    await single.goOnline();
    expect(connection(single).kind).toBe("online");
  });

  test.each([true, null])(
    "C102 a server that says %s is tried secure first, and plain 2 s later",
    async (socketSecure) => {
      const single = await createConnectingClient("http://lan:8080", socketSecure);
      single.ports.sockets.last().close(1006);
      await advanceTime(single, 2_000);
      expect(urls(single)).toEqual(["wss://lan:8080/im", "ws://lan:8080/im"]);
      expect(lossNotices(single)).toBe(0);
    },
  );

  test("C102 a remembered scheme is tried first, and an https page asks nothing and is never plain", async () => {
    const single = await createConnectingClient("http://lan:8080");
    await single.goOnline();
    const again = createSingleClient({ storage: single.ports.storage.tab(false), origin: "http://lan:8080" });
    void again.client.session.login({
      userName: "me",
      password: "p",
      rememberName: false,
      rememberPassword: false,
    });
    await flushMicrotasks();
    expect(again.waiting()).toEqual(["/login"]);
    const secure = await createConnectingClient("https://im.example");
    void secure.client.session.loadDisplaySettings();
    await flushMicrotasks();
    await secure.respond("/globalSetting/load", { ...DISPLAY, socketSecure: false });
    secure.ports.sockets.last().close(1006);
    await advanceTime(secure, 15_000);
    expect(urls(secure)).toEqual(["wss://im.example/im", "wss://im.example/im"]);
  });

  test.each([
    ["https://im.example", "wss://im.example/im"],
    ["http://192.168.1.20:8080", "ws://192.168.1.20:8080/im"],
  ])(
    "the desktop application opens the socket of %s at %s and falls back to no other",
    async (server, url) => {
      const single = createSingleClient({ origin: "app://parley" });
      const set = single.client.session.setCustomServer(server);
      await single.respond("/globalSetting/load", DISPLAY);
      expect(await set).toEqual({ ok: true, value: null });
      const done = single.client.session.login({
        userName: "me",
        password: "p",
        rememberName: false,
        rememberPassword: false,
      });
      await flushMicrotasks();
      await single.respond("/login", TOKENS);
      await single.respond("/user/self", userInfo());
      await done;
      await flushMicrotasks();
      expect(urls(single)).toEqual([url]);
      single.ports.sockets.last().close(1006);
      await advanceTime(single, 2_000);
      expect(new Set(urls(single))).toEqual(new Set([url]));
    },
  );

  test("C6 neither an https page nor a custom address falls back", async () => {
    const secure = await createConnectingClient("https://im.example");
    secure.ports.sockets.last().close(1006);
    await advanceTime(secure, 2_000);
    expect(urls(secure)).toEqual(["wss://im.example/im"]);
    const single = createSingleClient({ origin: "http://lan" });
    single.ports.storage.local.set("parley.socket", "http://other:9000/im");
    const custom = await (async () => {
      const form = { userName: "me", password: "p", rememberName: false, rememberPassword: false };
      const done = single.client.session.login(form);
      await flushMicrotasks();
      await single.respond("/login", TOKENS);
      await single.respond("/user/self", userInfo());
      await done;
      await flushMicrotasks();
      return single;
    })();
    expect(urls(custom)).toEqual(["ws://other:9000/im"]);
    custom.ports.sockets.last().close(1006);
    await advanceTime(custom, 2_000);
    expect(urls(custom)).toHaveLength(1);
  });
});
