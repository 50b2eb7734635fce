import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { ImageUpload } from "@parley/protocol/entities";
import { CONTENT_EXAMPLES } from "@parley/protocol/kind-examples";
import { KINDS, filesOf } from "@parley/protocol/message";
import {
  contentsOf,
  expectDeleted,
  imageOf,
  statusesOf,
  toGroup,
  toPerson,
  urlsOf,
} from "../../testing/file-messages.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, logIn, makeGroup, registerFriends, sendText } from "../../testing/test-person.ts";
import { uploadFile, uploadPicture } from "../../testing/upload.ts";
import { runDoctor } from "../../doctor/doctor.ts";

const { IMAGE, FILE, AUDIO, VIDEO } = MessageType;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

const sizeOf = async (url: string) => (await readFile(join(server.dataDir, url))).length;

describe("messages with files", () => {
  test("L50 pictures, files, voice messages and videos are sent in private chats and groups", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const socket = await b.connect();
    const picture = await uploadPicture(a);
    const size = await sizeOf(picture.originUrl);
    for (const [type, example] of contentsOf(picture)) {
      const content = type === FILE ? { ...example, size } : example;
      const sent = await a.ok("sendPrivateMessage", toPerson(b, type, content));
      const inGroup = await a.ok("sendGroupMessage", toGroup(groupId, type, content));
      for (const message of [sent, inGroup]) expect(JSON.parse(message.content)).toEqual(content);
      expect((await socket.nextOf(type)).data).toEqual(sent);
      expect((await socket.nextOf(type)).data).toMatchObject({ id: inGroup.id, content: inGroup.content });
    }
    const rows = await b.ok("privateHistory", { query: { friendId: a.id, minId: 0 } });
    expect(rows.slice(-4).map((row) => row.type)).toEqual([IMAGE, FILE, AUDIO, VIDEO]);
    socket.close();
  });

  test("L67 the size in a file message is that of the stored file, whatever its sender says", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const url = await uploadFile(a, Buffer.from("twelve bytes"));
    const claimed = { name: "huge.iso", size: 99_999_999_999, url };
    const sent = await a.ok("sendPrivateMessage", toPerson(b, FILE, claimed));
    const inGroup = await a.ok("sendGroupMessage", toGroup(groupId, FILE, { ...claimed, size: 0 }));
    for (const message of [sent, inGroup])
      expect(JSON.parse(message.content)).toEqual({ name: "huge.iso", size: 12, url });
  });

  test("a picture whose sender names only its two URLs is stored with sides of 0 pixels", async () => {
    const [a, b] = await registerFriends(server.url);
    const { originUrl, thumbUrl } = await uploadPicture(a);
    const { content } = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, { originUrl, thumbUrl }));
    expect(JSON.parse(content)).toEqual({ originUrl, thumbUrl, width: 0, height: 0 });
  });

  test("L51 a url that this server never issued is refused, and nothing is stored", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const picture = await uploadPicture(a);
    const never = "/files/0123456789abcdef0123456789abcdef/image.png";
    for (const content of [
      { ...imageOf(picture), thumbUrl: never },
      { ...imageOf(picture), originUrl: never },
      { ...imageOf(picture), originUrl: picture.originUrl.replace("image", "cover") },
    ]) {
      expect(await a.errorKeyOf("sendPrivateMessage", toPerson(b, IMAGE, content))).toBe("file.notIssued");
      expect(await a.errorKeyOf("sendGroupMessage", toGroup(groupId, IMAGE, content))).toBe("file.notIssued");
    }
    const rows = await a.ok("privateHistory", { query: { friendId: b.id, minId: 0 } });
    expect(rows.filter((row) => row.type === IMAGE)).toEqual([]);
    expect((await a.ok("groupHistory", { query: { groupId } })).filter((row) => row.type === IMAGE)).toEqual(
      [],
    );
  });

  test("L51 a picture must be one that this server has encoded, else nothing is stored", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const picture = await uploadPicture(a);
    // Uploaded as a file, a picture keeps its metadata, and all of its pixels if it is a bomb.
    const raw = await uploadFile(a, await readFile(join(server.dataDir, picture.originUrl)));
    expect(raw).toMatch(/\/file\.png$/);
    for (const [type, field] of [
      [IMAGE, "originUrl"],
      [IMAGE, "thumbUrl"],
      [VIDEO, "coverUrl"],
    ] as const) {
      const [, content] = contentsOf(picture).find(([known]) => known === type) ?? [];
      const broken = { ...content, [field]: raw };
      for (const { status, envelope } of [
        await a.call("sendPrivateMessage", toPerson(b, type, broken)),
        await a.call("sendGroupMessage", toGroup(groupId, type, broken)),
      ]) {
        expect([status, envelope.message]).toEqual([
          400,
          `content.${field}: must be a picture of this server`,
        ]);
      }
    }
    for (const field of ["headImage", "headImageThumb"]) {
      const { status, envelope } = await a.call("updateUser", { body: { id: a.id, [field]: raw } });
      expect([status, envelope.message]).toEqual([400, `${field}: must be a picture of this server`]);
      const ofGroup = { id: groupId, headImage: "", headImageThumb: "", [field]: raw };
      expect((await a.call("modifyGroup", { body: ofGroup })).status).toBe(400);
      expect((await a.call("createGroup", { body: { name: "g", [field]: raw } })).status).toBe(400);
    }
    const rows = await a.ok("privateHistory", { query: { friendId: b.id, minId: 0 } });
    expect(rows.filter((row) => row.type === IMAGE || row.type === VIDEO)).toEqual([]);
    expect((await a.ok("self")).headImage).toBeNull();
    const asFile = toPerson(b, FILE, { name: "a", size: 1, url: raw });
    expect(await a.ok("sendPrivateMessage", asFile)).toMatchObject({ type: FILE });
  });

  test.each([
    "http://evil.example/files/a/b.png",
    "https://evil.example/a.png",
    "//evil.example/files/a/b.png",
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
    "/api/user/self",
    "/files/a",
    "/files/a/b.png?x=1",
    "/files/a/b.png#x",
    "/files/a/b/c.png",
    "\\files\\a\\b.png",
    " /files/a/b.png",
    "",
  ])("L51 the url %j is malformed in every field that names a file", async (url) => {
    const [a, b] = await registerFriends(server.url);
    for (const [type, content] of contentsOf(await uploadPicture(a))) {
      const fields = KINDS[type as typeof IMAGE].fileFields;
      for (const field of fields) {
        const broken = { ...content, [field]: url };
        const { status, envelope } = await a.call("sendPrivateMessage", toPerson(b, type, broken));
        expect([status, envelope.key, envelope.message.split(":")[0]]).toEqual([
          400,
          "request.malformed",
          `content.${field}`,
        ]);
      }
    }
  });

  test("L52 a repeated send answers the first message, also when its files are gone", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const [one, two] = [await uploadPicture(a), await uploadPicture(a)];
    const first = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(one), { tmpId: "p" }));
    const inGroup = await a.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(two), { tmpId: "g" }));
    const repeat = async () => [
      await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(one), { tmpId: "p" })),
      await a.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(two), { tmpId: "g" })),
    ];
    expect(await repeat()).toEqual([first, inGroup]);
    await a.ok("recallPrivateMessage", { params: { id: first.id } });
    await a.ok("recallGroupMessage", { params: { id: inGroup.id } });
    await expectDeleted([...urlsOf(one), ...urlsOf(two)], server);
    expect((await repeat()).map(({ id, status }) => [id, status])).toEqual([
      [first.id, 2],
      [inGroup.id, 2],
    ]);
  });

  test("L53 a message with files may quote; a quote of what is unknown stores nothing", async () => {
    const [a, b] = await registerFriends(server.url);
    const asked = await sendText(b, a, "which one?");
    const picture = await uploadPicture(a);
    const content = imageOf(picture);
    const unknown = toPerson(b, IMAGE, content, { quoteMessageId: 999_999_999 });
    expect(await a.errorKeyOf("sendPrivateMessage", unknown)).toBe("message.quoteUnknown");
    const sent = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, content, { quoteMessageId: asked.id }));
    expect(sent.quoteMessage).toMatchObject({ id: asked.id, content: "which one?" });
    const quoting = await b.ok("sendPrivateMessage", toPerson(a, 0, "nice", { quoteMessageId: sent.id }));
    expect(quoting.quoteMessage).toMatchObject({ id: sent.id, type: IMAGE, content: sent.content });
  });

  test("L53 a person who was removed from the group sends no files there", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const content = imageOf(await uploadPicture(b));
    await b.ok("sendGroupMessage", toGroup(groupId, IMAGE, content));
    const [sent] = await Promise.all([
      b.call("sendGroupMessage", toGroup(groupId, IMAGE, content)),
      a.ok("removeGroupMembers", { body: { groupId, userIds: [b.id] } }),
    ]);
    const rows = await a.ok("groupHistory", { query: { groupId } });
    expect(rows.filter((row) => row.type === IMAGE)).toHaveLength(sent.envelope.code === 200 ? 2 : 1);
    expect(await b.errorKeyOf("sendGroupMessage", toGroup(groupId, IMAGE, content))).toBe(
      "message.notInGroup",
    );
  });

  test("L54 a file that a message names is kept; one that none names is deleted after a day", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, b] = await registerFriends(own.url);
    const [named, unnamed] = [await uploadPicture(a), await uploadPicture(a)];
    await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(named)));
    own.clock.advance(DAY_MS + HOUR_MS + 1);
    own.app.sweep();
    await expectDeleted(urlsOf(unnamed), own);
    expect(await statusesOf(urlsOf(named), own)).toEqual([200, 200]);
    const again = await logIn(own.url, a.userName);
    expect(await again.errorKeyOf("sendPrivateMessage", toPerson(b, IMAGE, imageOf(unnamed)))).toBe(
      "file.notIssued",
    );
  });
});

describe("messages that both people of a private chat have deleted", () => {
  test("L65 lose their files with the next sweep, unless a message that somebody sees still names or quotes them", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, b] = await registerFriends(own.url);
    const groupId = await makeGroup(a, [b]);
    const kinds = ["deleted", "by one", "cleared", "sent on", "quoted", "to oneself"] as const;
    const pictures: Record<string, ImageUpload> = {};
    const ids: Record<string, number> = {};
    for (const kind of kinds) {
      const picture = (pictures[kind] = await uploadPicture(a));
      const to = kind === "to oneself" ? a : b;
      ids[kind] = (await a.ok("sendPrivateMessage", toPerson(to, IMAGE, imageOf(picture)))).id;
    }
    const files = (...of: (typeof kinds)[number][]) =>
      of.flatMap((kind) => urlsOf(pictures[kind] as ImageUpload));
    const remove = (person: TestPerson, friendId: number, ...of: (typeof kinds)[number][]) =>
      person.ok("deletePrivateMessages", { body: { friendId, ids: of.map((kind) => ids[kind] ?? 0) } });
    await b.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(pictures["sent on"] as ImageUpload)));
    const quoting = await b.ok(
      "sendPrivateMessage",
      toPerson(a, 0, "this", { quoteMessageId: ids["quoted"] }),
    );
    await remove(a, b.id, "deleted", "by one", "sent on", "quoted");
    await remove(b, a.id, "deleted", "cleared", "sent on", "quoted");
    await remove(a, a.id, "to oneself");

    const sweep = () => {
      own.clock.advance(HOUR_MS + 1);
      own.app.sweep();
    };
    sweep();
    await expectDeleted(files("deleted", "to oneself"), own);
    expect(await statusesOf(files("by one", "cleared", "sent on", "quoted"), own)).toEqual(
      Array(8).fill(200),
    );

    for (const [person, friend] of [
      [a, b],
      [b, a],
    ] as const) {
      const again = await logIn(own.url, person.userName);
      await again.ok("deletePrivateMessages", { body: { friendId: friend.id, ids: [quoting.id] } });
    }
    await (await logIn(own.url, a.userName)).ok("flushAllMessages");
    sweep();
    await expectDeleted(files("cleared", "quoted"), own);
    expect(await statusesOf(files("by one", "sent on"), own)).toEqual([200, 200, 200, 200]);
    await own.app.stop();
    const problems = await runDoctor(own.config);
    // The PostgreSQL of tests does not sync.
    expect(problems.filter((text) => !text.startsWith("PostgreSQL runs with"))).toEqual([]);
  });

  test("L66 files of a group stay, whoever deletes the messages for themselves", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, b] = await registerFriends(own.url);
    const groupId = await makeGroup(a, [b]);
    const [picture, canary] = [await uploadPicture(a), await uploadPicture(a)];
    const { id } = await a.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(picture)));
    const deleted = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(canary)));
    for (const [person, friend] of [
      [a, b],
      [b, a],
    ] as const) {
      await person.ok("deleteGroupMessages", { body: { groupId, ids: [id] } });
      await person.ok("deletePrivateMessages", { body: { friendId: friend.id, ids: [deleted.id] } });
    }
    own.clock.advance(HOUR_MS + 1);
    own.app.sweep();
    await expectDeleted(urlsOf(canary), own);
    expect(await statusesOf(urlsOf(picture), own)).toEqual([200, 200]);
  });
});

describe("a foreign client", () => {
  test("L60 sends pictures and files exactly as the product says, and reads ours", async () => {
    const [a, b] = await registerFriends(server.url);
    const picture = await uploadPicture(a);
    // spec §7: for images, content is a JSON string of the image data; for files, of name, size and url.
    const image = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, JSON.stringify(picture)));
    const bytes = Buffer.from("%PDF-1.4 a report");
    const file = { name: "报告 (1).pdf", size: bytes.length, url: await uploadFile(a, bytes) };
    const sentFile = await a.ok("sendPrivateMessage", toPerson(b, FILE, JSON.stringify(file)));
    expect(JSON.parse(image.content)).toEqual(picture);
    expect(JSON.parse(sentFile.content)).toEqual(file);
    // The other side finds the bytes by the contents alone.
    const rows = await b.ok("loadPrivateMessages", { query: { minId: 0 } });
    const [readImage, readFileContent] = [IMAGE, FILE].map(
      (type) => JSON.parse(rows.find((row) => row.type === type)?.content ?? "{}") as Record<string, string>,
    );
    const served = async (url = "") => Buffer.from(await (await fetch(`${server.url}${url}`)).arrayBuffer());
    expect((await served(readFileContent?.["url"])).equals(bytes)).toBe(true);
    const stored = await readFile(join(server.dataDir, picture.originUrl));
    expect((await served(readImage?.["originUrl"])).equals(stored)).toBe(true);
    // What a foreign client adds to a content is dropped, and does not make it fail.
    const more = { ...imageOf(picture), md5: "x", isOrigin: true };
    const sent = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, more));
    expect(JSON.parse(sent.content)).toEqual(imageOf(picture));
  });
});

test("the fields of a kind that name files are those that its examples fill with files", () => {
  for (const [type, contents] of Object.entries(CONTENT_EXAMPLES)) {
    for (const content of contents) {
      const urls = Object.values(content).filter((value) => String(value).startsWith("/files/"));
      expect(filesOf(Number(type), JSON.stringify(content))).toEqual(urls);
    }
  }
  expect(filesOf(IMAGE, "no JSON")).toEqual([]);
  expect(filesOf(0, JSON.stringify({ url: "/files/a/b" }))).toEqual([]);
});
