import { describe, expect, test } from "vitest";
import { friendVO, groupVO, userInfo } from "../testing/builders.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFakePorts } from "../testing/fake-ports.ts";
import { createSolo, loggedIn, pass, pushed, TOKENS, type Solo } from "../testing/logged-in.ts";
import { settle } from "../testing/settle.ts";
import { createSocketLine } from "./link.ts";
import { createServer } from "./server.ts";
import { createStateStore } from "./store.ts";

const DISPLAY = { userRegisterInviteCode: false, updateAvatarAfterRegister: false };

const connection = (solo: Solo) => solo.client.getState().connection;
const urls = (solo: Solo) => solo.ports.sockets.wires.map((wire) => wire.url);
const sent = (solo: Solo) =>
  solo.ports.sockets.last().up.map((text) => JSON.parse(text) as { cmd: number; data: object });
const lost = (solo: Solo) => solo.notices.filter((notice) => notice.kind === "connectionLost").length;

async function signedIn(origin: string, socketSecure?: boolean | null): Promise<Solo> {
  const solo = createSolo({ origin });
  const form = { userName: "me", password: "p", rememberName: false, rememberPassword: false };
  const done = solo.client.session.login(form);
  await settle();
  if (socketSecure !== undefined) await solo.reply("/globalSetting/load", { ...DISPLAY, socketSecure });
  await solo.reply("/login", TOKENS);
  await solo.reply("/user/self", userInfo());
  await done;
  await settle();
  return solo;
}

describe("the line", () => {
  test("C19 a token that was asked for before the line was stopped says nothing about the one it waits for now", async () => {
    const ports = createFakePorts();
    const answers: ((outcome: "ok" | "failed") => void)[] = [];
    const line = createSocketLine({
      ports,
      store: createStateStore(),
      server: createServer(ports),
      deviceNo: "device",
      clientId: "client",
      accessToken: () => "hers",
      prepare: () => new Promise((resolve) => answers.push(resolve)),
      onOnline: () => undefined,
      onOffline: () => undefined,
      onFrame: () => undefined,
      onLost: () => undefined,
      onEnd: () => undefined,
    });
    line.start();
    line.stop();
    line.start();
    answers[0]?.("ok");
    await settle();
    expect(ports.sockets.wires).toHaveLength(0);
    answers[1]?.("ok");
    await settle();
    expect(ports.sockets.wires).toHaveLength(1);
  });

  test("C1 C2 logs in with token, device, client and caps, and heartbeats 5 s after each reply", async () => {
    const solo = await signedIn("https://im.example");
    await solo.goOnline();
    expect(sent(solo)[0]).toEqual({
      cmd: 0,
      data: { accessToken: "access 1", devId: "id-1", clientId: "id-2", caps: ["changes"] },
    });
    expect(sent(solo)[1]).toEqual({ cmd: 1, data: {} });
    await pass(solo, 5_000);
    expect(sent(solo)).toHaveLength(2);
    await solo.push({ cmd: 1, data: null });
    await pass(solo, 4_999);
    expect(sent(solo)).toHaveLength(2);
    await pass(solo, 1);
    expect(sent(solo)).toHaveLength(3);
  });

  test("C3 C4 comes back exactly 15 s after the close, and says so once", async () => {
    const solo = await loggedIn();
    solo.ports.sockets.last().close(1012);
    expect(connection(solo)).toMatchObject({ kind: "waiting", retryAt: solo.ports.clock.now() + 15_000 });
    await pass(solo, 14_999);
    expect(urls(solo)).toHaveLength(1);
    await pass(solo, 1);
    expect(urls(solo)).toHaveLength(2);
    solo.ports.sockets.last().close(1006);
    await pass(solo, 15_000);
    expect(urls(solo)).toHaveLength(3);
    expect(lost(solo)).toBe(1);
  });

  test("C17 a line that comes and goes is told of at most once a minute", async () => {
    const solo = await loggedIn();
    for (let flaps = 0; flaps < 8; flaps++) {
      solo.ports.sockets.last().close(1006);
      await pass(solo, 15_000);
      await solo.goOnline();
    }
    // At 0 s and at 60 s.
    expect(lost(solo)).toBe(2);
    await pass(solo, 60_000);
    solo.ports.sockets.last().close(1006);
    await settle();
    expect(lost(solo)).toBe(3);
  });

  test("C18 a clock that is set back does not put off asking again for a pull that stalls", async () => {
    const fake = createFakeClock();
    let setBack = 0;
    const clock = { ...fake, now: () => fake.now() - setBack };
    const solo = await loggedIn({ clock });
    solo.ports.sockets.last().close(1006);
    await pass(solo, 15_000);
    await solo.goOnline();
    await solo.reply("private/pull", null);
    setBack = 3_600_000;
    const asked = () => solo.waiting().filter((path) => path.startsWith("/message/private/pull")).length;
    for (let seconds = 0; seconds < 70; seconds += 5) {
      await pass(solo, 5_000);
      await solo.push({ cmd: 1, data: null });
    }
    expect(asked()).toBeGreaterThan(0);
  });

  test("C12 a silent line is given up after 60 s", async () => {
    const solo = await loggedIn();
    await pass(solo, 59_000);
    await solo.push({ cmd: 1, data: null });
    await pass(solo, 59_999);
    expect(connection(solo).kind).toBe("online");
    await pass(solo, 1);
    expect(connection(solo).kind).toBe("waiting");
    expect(solo.ports.sockets.last().closedByClient).toBe(4_000);
  });

  test("C13 a network that comes back does not wait", async () => {
    const solo = await loggedIn();
    solo.ports.environment.set({ hasNetwork: false });
    solo.ports.sockets.last().close(1006);
    expect(connection(solo)).toMatchObject({ kind: "offline" });
    solo.ports.environment.set({ hasNetwork: true });
    await settle();
    expect(connection(solo).kind).toBe("connecting");
  });

  test("C11 after 4002 the token is refreshed first", async () => {
    const solo = await loggedIn();
    solo.ports.http.waiting.splice(0);
    solo.ports.sockets.last().close(4_002);
    await settle();
    expect(solo.waiting()).toEqual(["/refreshToken"]);
    expect(lost(solo)).toBe(0);
    await solo.reply("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    await solo.goOnline();
    expect(sent(solo)[0]?.data).toMatchObject({ accessToken: "access 2" });
  });

  test("C11 a session that ended elsewhere leaves no old data on the screen after a login was refused", async () => {
    const solo = await loggedIn();
    solo.ports.http.waiting.splice(0);
    solo.ports.sockets.last().close(4_002);
    await settle();
    await solo.reply("/refreshToken", null, 500);
    expect(solo.client.getState().session).toEqual({
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

  test("S101 a ban of the first seconds, before the socket was there, tells its reason", async () => {
    const solo = await signedIn("https://im.example");
    solo.ports.sockets.last().accept();
    solo.ports.sockets.last().close(4_002);
    await settle();
    solo.ports.http.replyRaw("/refreshToken", refused({ reason: "banned", text: "spam" }));
    await settle();
    const ended = { reason: "banned", text: "spam" };
    expect(solo.client.getState().session).toEqual({ kind: "anonymous", ended });
    // As after a forced logout nothing logs in by itself.
    expect(solo.ports.storage.local.get("parley.loggedOut")).not.toBeNull();
  });

  test("S101 a kick while the login asks who it is tells its reason too; a reason that is none does not", async () => {
    for (const [params, ended] of [
      [{ reason: "kicked" }, { reason: "kicked", text: null }],
      [{ reason: "mood", text: 7 }, null],
    ] as const) {
      const solo = createSolo();
      const form = { userName: "me", password: "p", rememberName: false, rememberPassword: false };
      const done = solo.client.session.login(form);
      await settle();
      await solo.reply("/login", TOKENS);
      await solo.reply("/user/self", null, 401);
      solo.ports.http.replyRaw("/refreshToken", refused(params));
      expect((await done).ok).toBe(false);
      expect(solo.client.getState().session).toEqual({ kind: "anonymous", ended });
    }
  });

  test("C14 what a socket says after it was given up does no harm", async () => {
    const solo = await loggedIn();
    const old = solo.ports.sockets.last();
    await pass(solo, 60_000);
    old.state = "open";
    old.down.push(JSON.stringify(pushed(5)));
    old.deliver();
    old.close(1006);
    await settle();
    expect(solo.client.getState().chats.order).toEqual([]);
    await pass(solo, 15_000);
    expect(urls(solo)).toHaveLength(2);
  });

  test("C10 a frame that is none is left alone", async () => {
    const solo = await loggedIn();
    solo.ports.sockets.last().down.push("not json", '{"cmd":99}');
    solo.ports.sockets.last().deliverAll();
    expect(connection(solo).kind).toBe("online");
    expect(solo.ports.warnings).toHaveLength(2);
  });
});

describe("what is asked beside a socket that is slow", () => {
  const lists = (solo: Solo) =>
    solo.waiting().filter((path) => /^\/(friend\/list|group\/list|system\/config)/.test(path));

  test("C103 friends and groups are there before it logs in, and asked for again when it does", async () => {
    const solo = await signedIn("http://lan:8080");
    solo.ports.sockets.last().close(1006);
    expect(lists(solo)).toEqual([]);
    await pass(solo, 100);
    expect(lists(solo)).toHaveLength(3);
    await solo.reply("/friend/list", [friendVO({ id: 2 })]);
    await solo.reply("/request/list", []);
    await solo.reply("/blacklist/list", []);
    await solo.reply("/group/list", [groupVO({ id: 7 })]);
    expect(Object.keys(solo.client.getState().contacts.friends)).toEqual(["2"]);
    expect(Object.keys(solo.client.getState().groups.byId)).toEqual(["7"]);
    solo.ports.http.waiting.splice(0);
    await pass(solo, 2_000);
    await solo.goOnline();
    expect(lists(solo)).toHaveLength(3);
  });

  test("C103 with a socket that is there nothing is asked for twice, and nothing after a logout", async () => {
    const solo = await signedIn("https://im.example");
    await solo.goOnline();
    await pass(solo, 100);
    expect(lists(solo)).toHaveLength(3);
    const left = await signedIn("https://im.example");
    void left.client.session.logout();
    await pass(left, 100);
    expect(lists(left)).toEqual([]);
  });
});

describe("addresses", () => {
  test("C5 C7 from a plain page the plain address follows 2 s after the secure one, and is first from then on", async () => {
    const solo = await signedIn("http://lan:8080");
    expect(urls(solo)).toEqual(["wss://lan:8080/im"]);
    solo.ports.sockets.last().close(1006);
    await pass(solo, 2_000);
    expect(urls(solo).at(-1)).toBe("ws://lan:8080/im");
    expect(lost(solo)).toBe(0);
    await solo.goOnline();
    solo.ports.sockets.last().close(1006);
    await pass(solo, 15_000);
    expect(urls(solo).at(-1)).toBe("ws://lan:8080/im");
  });

  test("C102 a server that says it has no secure address is tried in plain at once", async () => {
    const solo = await signedIn("http://lan:8080", false);
    expect(urls(solo)).toEqual(["ws://lan:8080/im"]);
    await solo.goOnline();
    expect(connection(solo).kind).toBe("online");
  });

  test.each([true, null])(
    "C102 one that says %s is tried secure first, and plain 2 s later",
    async (said) => {
      const solo = await signedIn("http://lan:8080", said);
      solo.ports.sockets.last().close(1006);
      await pass(solo, 2_000);
      expect(urls(solo)).toEqual(["wss://lan:8080/im", "ws://lan:8080/im"]);
      expect(lost(solo)).toBe(0);
    },
  );

  test("C102 what is remembered is tried first, and an https page asks nothing and is never plain", async () => {
    const solo = await signedIn("http://lan:8080");
    await solo.goOnline();
    const again = createSolo({ storage: solo.ports.storage.tab(false), origin: "http://lan:8080" });
    void again.client.session.login({
      userName: "me",
      password: "p",
      rememberName: false,
      rememberPassword: false,
    });
    await settle();
    expect(again.waiting()).toEqual(["/login"]);
    const secure = await signedIn("https://im.example");
    void secure.client.session.loadDisplaySettings();
    await settle();
    await secure.reply("/globalSetting/load", { ...DISPLAY, socketSecure: false });
    secure.ports.sockets.last().close(1006);
    await pass(secure, 15_000);
    expect(urls(secure)).toEqual(["wss://im.example/im", "wss://im.example/im"]);
  });

  test("C6 neither an https page nor a custom address falls back", async () => {
    const secure = await signedIn("https://im.example");
    secure.ports.sockets.last().close(1006);
    await pass(secure, 2_000);
    expect(urls(secure)).toEqual(["wss://im.example/im"]);
    const solo = createSolo({ origin: "http://lan" });
    solo.ports.storage.local.set("parley.socket", "http://other:9000/im");
    const custom = await (async () => {
      const form = { userName: "me", password: "p", rememberName: false, rememberPassword: false };
      const done = solo.client.session.login(form);
      await settle();
      await solo.reply("/login", TOKENS);
      await solo.reply("/user/self", userInfo());
      await done;
      await settle();
      return solo;
    })();
    expect(urls(custom)).toEqual(["ws://other:9000/im"]);
    custom.ports.sockets.last().close(1006);
    await pass(custom, 2_000);
    expect(urls(custom)).toHaveLength(1);
  });
});
