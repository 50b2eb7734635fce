import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BODY_MAX_BYTES } from "@parley/protocol/limits";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { PASSWORD, type TestPerson, registerPerson } from "../../testing/test-person.ts";
import type { TestSocket } from "../../testing/test-socket.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
});
afterAll(() => server[Symbol.asyncDispose]());

interface NoticeInput {
  title?: string;
  text?: string | null;
  html?: string | null;
  link?: string | null;
  to?: string[];
}

const publishNotice = (input: NoticeInput) =>
  sendAdminCommand(server.dataDir, {
    name: "notice",
    title: input.title ?? "News",
    text: input.text ?? null,
    html: input.html ?? null,
    link: input.link ?? null,
    to: input.to ?? null,
  });

const content = async (person: TestPerson, socket: TestSocket) => {
  const { data } = await socket.nextOf(53);
  return person.ok("systemContent", { query: { id: data?.id ?? 0 } });
};

describe("a notice", () => {
  test("for some people is pushed to those online, stored for those offline, and sent to nobody else", async () => {
    const [a, b, c] = [
      await registerPerson(server.url),
      await registerPerson(server.url),
      await registerPerson(server.url),
    ];
    const [socket, stranger] = [await a.connect(), await c.connect()];
    expect(
      await publishNotice({ text: "Tea\n\nat <five>", to: [a.userName.toUpperCase(), b.userName] }),
    ).toEqual({
      text: "The notice went to 2 people.",
    });
    const { data } = await socket.nextOf(53);
    expect(data).toMatchObject({
      type: 53,
      seqNo: 1,
      title: "News",
      intro: "Tea at <five>",
      coverUrl: null,
      content: "",
      status: 1,
      isVerifyMessage: false,
    });
    expect(await a.ok("systemContent", { query: { id: data?.id ?? 0 } })).toEqual({
      id: data?.id,
      contentType: 0,
      richText: "<p>Tea</p><p>at &lt;five&gt;</p>",
      externLink: null,
    });
    const late = await b.connect();
    await b.ok("pullSystemMessages", { query: { minSeqNo: 0 } });
    expect((await late.nextOf(53)).data).toMatchObject({ title: "News", seqNo: 1 });
    await stranger.flush();
    expect(stranger.of(53)).toEqual([]);
    for (const one of [socket, stranger, late]) one.close();
  });

  test("can be read only by its receivers", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const socket = await a.connect();
    await publishNotice({ text: "x", to: [a.userName] });
    const { data } = await socket.nextOf(53);
    const query = { id: data?.id ?? 0 };
    expect(await b.errorKeyOf("systemContent", { query })).toBe("message.notFound");
    expect(await a.errorKeyOf("systemContent", { query: { id: query.id + 1_000 } })).toBe("message.notFound");
    socket.close();
  });

  test("about a friend request has no body", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const socket = await b.connect();
    await a.ok("applyFriend", { body: { friendId: b.id } });
    const { data } = await socket.nextOf(60);
    expect(await b.errorKeyOf("systemContent", { query: { id: data?.id ?? 0 } })).toBe("message.notFound");
    socket.close();
  });

  test("in HTML is sanitised before anybody gets it", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.connect();
    await publishNotice({ html: "<p onclick=x>Hi <script>alert(1)</script><b>you</b>", to: [a.userName] });
    expect(await content(a, socket)).toMatchObject({ contentType: 0, richText: "<p>Hi <b>you</b></p>" });
    socket.close();
  });

  test("may be a link", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.connect();
    await publishNotice({ link: "https://example.org/news", to: [a.userName] });
    expect(await content(a, socket)).toMatchObject({
      contentType: 1,
      richText: null,
      externLink: "https://example.org/news",
    });
    socket.close();
  });

  test("may have a title of 100 characters, and is as long as a request may be, in the browser as on the command line", async () => {
    const [a, admin] = [await registerPerson(server.url), await registerPerson(server.url)];
    await sendAdminCommand(server.dataDir, { name: "grantAdmin", userName: admin.userName });
    const socket = await a.connect();
    const [title, to] = ["😀".repeat(100), [a.userName]];
    const bare = { title, text: "", html: null, link: null, to };
    const text = "x".repeat(BODY_MAX_BYTES - Buffer.byteLength(JSON.stringify(bare)));
    const [fits, tooLong] = [
      { ...bare, text },
      { ...bare, text: `${text}x` },
    ];
    const call = (body: object) =>
      sendAdminCommand(server.dataDir, { name: "call", call: "publishNotice", body });
    const huge = { ...bare, text: "x".repeat(2_000_000) };
    for (const refused of [tooLong, huge]) {
      const error = { error: "The request is too large." };
      expect([await publishNotice(refused), await call(refused)]).toEqual([error, error]);
      expect(await admin.errorKeyOf("publishNotice", { body: refused })).toBe("request.tooLarge");
    }
    await publishNotice(fits);
    await call(fits);
    await admin.ok("publishNotice", { body: fits });
    for (let n = 0; n < 3; n++) expect((await content(a, socket)).richText).toBe(`<p>${text}</p>`);
    expect(socket.of(53).map(({ data }) => data?.["title"])).toEqual([title, title, title]);
    socket.close();
  });

  test("has an intro of at most 100 characters of its text", async () => {
    const a = await registerPerson(server.url);
    const socket = await a.connect();
    await publishNotice({ text: "😀".repeat(101), to: [a.userName] });
    expect((await socket.nextOf(53)).data?.["intro"]).toBe(`${"😀".repeat(100)}…`);
    socket.close();
  });

  test.each<[string, NoticeInput, string]>([
    ["no title", { title: " ", text: "x" }, "A notice needs a title."],
    [
      "a long title",
      { title: "x".repeat(101), text: "x" },
      "The title must not be longer than 100 characters.",
    ],
    ["no text", { text: " " }, "A notice needs a text or a link."],
    ["nothing left of its HTML", { html: "<script>x</script>" }, "A notice needs a text or a link."],
    [
      "a link that is not http or https",
      { text: "x", link: "javascript:alert(1)" },
      "javascript:alert(1) is no link that starts with http:// or https://.",
    ],
    [
      "names that nobody has",
      { text: "x", to: ["ghost1", "ghost2"] },
      "Nobody has the user name ghost1, ghost2.",
    ],
    ["no names", { text: "x", to: [] }, "The notice is for nobody."],
  ])("with %s is refused with an error message", async (_name, input, sentence) => {
    expect(await publishNotice(input)).toEqual({ error: sentence });
  });
});

describe("a notice to all", () => {
  test("reaches everybody once, in several commits, but nobody whose account is closed", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, closed] = [await registerPerson(own.url), await registerPerson(own.url)];
    await closed.ok("unregister", { body: { password: PASSWORD } });
    await own.app.store.write(async (tx) => {
      for (let n = 0; n < 250; n++) {
        await tx.insertUser({
          userName: `crowd${n}`,
          nickName: "n",
          passwordHash: "none",
          headImage: null,
          headImageThumb: null,
          registeredAt: 0,
          registerDevice: null,
        });
      }
    });
    const socket = await a.connect();
    const before = own.app.store.stats().commits;
    expect(
      await sendAdminCommand(own.dataDir, {
        name: "notice",
        title: "All",
        text: "x",
        html: null,
        link: null,
        to: null,
      }),
    ).toEqual({ text: "The notice went to 251 people." });
    expect(own.app.store.stats().commits - before).toBeGreaterThan(3);
    await socket.nextOf(53);
    for (let id = 1; id <= 252; id++) {
      const rows = await own.app.store.listSystem(id, 0, 10);
      expect([id, rows.length]).toEqual([id, id === closed.id ? 0 : 1]);
    }
    expect(await own.app.store.listUnfinishedNotices()).toEqual([]);
    expect((await own.app.store.findNotice(1))?.receivedCount).toBe(251);
    socket.close();
  });

  test("that a stop has interrupted reaches the remaining people after the next start, and nobody twice", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const people = [
      await registerPerson(own.url),
      await registerPerson(own.url),
      await registerPerson(own.url),
    ] as const;
    await own.app.store.write(async (tx) => {
      const notice = await tx.insertNotice({
        title: "All",
        intro: "",
        richText: "x",
        externLink: null,
        createdAt: 0,
        lastUserId: people[1].id,
        reachedUserId: people[0].id,
      });
      await tx.appendSystem({
        userId: people[0].id,
        type: 53,
        title: "All",
        intro: "",
        coverUrl: null,
        content: "",
        sendTime: 0,
        noticeId: notice.id,
      });
      await tx.addNoticeReceivers(notice.id, 1);
    });
    await own.app.stop();
    await own.app.start();
    await own.app.stop();
    await own.app.start();
    const counts = await Promise.all(
      people.map(async ({ id }) => (await own.app.store.listSystem(id, 0, 10)).length),
    );
    expect(counts).toEqual([1, 1, 0]);
    expect((await own.app.store.findNotice(1))?.receivedCount).toBe(2);
  });
});
