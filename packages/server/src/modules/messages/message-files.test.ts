import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ChatType, MessageType } from "@parley/protocol/codes";
import type { ImageUpload } from "@parley/protocol/entities";
import { CONTENT_EXAMPLES, KINDS, filesOf } from "@parley/protocol/message";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  logIn,
  makeGroup,
  registerFriends,
  registerPerson,
  sendText,
} from "../../testing/test-person.ts";
import { uploadFile, uploadPicture } from "../../testing/upload.ts";

const { IMAGE, FILE, AUDIO, VIDEO } = MessageType;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

type Content = object | string;
const json = (content: Content) => (typeof content === "string" ? content : JSON.stringify(content));
const toPerson = (to: TestPerson, type: number, content: Content, more: object = {}) => ({
  body: { recvId: to.id, type, content: json(content), ...more },
});
const toGroup = (groupId: number, type: number, content: Content, more: object = {}) => ({
  body: { groupId, type, content: json(content), ...more },
});
const imageOf = ({ originUrl, thumbUrl, width, height }: ImageUpload) => ({
  originUrl,
  thumbUrl,
  width,
  height,
});
const statusOf = async (url: string, at = server) => (await fetch(`${at.url}${url}`)).status;
const statusesOf = (files: readonly string[], at = server) =>
  Promise.all(files.map((url) => statusOf(url, at)));
const urlsOf = (image: ImageUpload) => [image.originUrl, image.thumbUrl];
/** Waits until the bytes and rows of the files are deleted. */
const expectDeleted = (files: readonly string[], at = server) =>
  vi.waitFor(async () => {
    for (const url of files) expect([url, await at.app.store.isIssuedFile(url)]).toEqual([url, false]);
    for (const url of files) {
      await expect(readFile(join(at.dataDir, url))).rejects.toThrow("ENOENT");
    }
  });

/** Contents of every kind with files, of the same picture. */
const contentsOf = ({ originUrl, thumbUrl }: ImageUpload): readonly (readonly [number, object])[] => [
  [IMAGE, { originUrl, thumbUrl, width: 30, height: 20 }],
  [FILE, { name: "Plan.pdf", size: 20_480, url: originUrl }],
  [AUDIO, { duration: 12, url: originUrl }],
  [VIDEO, { videoUrl: originUrl, coverUrl: thumbUrl, width: 30, height: 20 }],
];

describe("messages with files", () => {
  test("L50 pictures, files, voice messages and videos are sent in private chats and groups", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const socket = await b.connect();
    for (const [type, content] of contentsOf(await uploadPicture(a))) {
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

  test("L51 a url that this server never issued is refused, and nothing is stored", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const picture = await uploadPicture(a);
    const never = "/files/0123456789abcdef0123456789abcdef/image.png";
    for (const content of [
      { ...imageOf(picture), thumbUrl: never },
      { ...imageOf(picture), originUrl: never },
      { ...imageOf(picture), originUrl: picture.originUrl.replace("image", "..") },
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
    await expectDeleted([...urlsOf(one), ...urlsOf(two)]);
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

describe("a recall", () => {
  test("L21 gives nothing back of what the sender may upload that day", async () => {
    await using own = await createTestApp({ env: { UPLOAD_DAILY_MB: "1", RATE_LIMITS: "off" } });
    const [a, b] = await registerFriends(own.url);
    const file = Buffer.alloc(700_000, "a");
    const url = await uploadFile(a, file);
    const sent = await a.ok("sendPrivateMessage", toPerson(b, FILE, { name: "a", size: file.length, url }));
    await a.ok("recallPrivateMessage", { params: { id: sent.id } });
    await expectDeleted([url], own);
    await expect(uploadFile(a, file)).rejects.toThrow("upload.dailyLimit");
    own.clock.advance(DAY_MS + 1);
    expect(await uploadFile(await a.elsewhere(), file)).toMatch("/files/");
  });

  test("L55 deletes the files of the message, and no answer names them any more", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, b] = await registerFriends(own.url);
    const groupId = await makeGroup(a, [b]);
    const [one, two] = [await uploadPicture(a), await uploadPicture(a)];
    const sent = await a.ok(
      "sendPrivateMessage",
      toPerson(b, FILE, { name: "needle.pdf", size: 1, url: one.originUrl }),
    );
    const inGroup = await a.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(two)));
    await b.ok("sendPrivateMessage", toPerson(a, 0, "quoting", { quoteMessageId: sent.id }));
    await b.ok("sendGroupMessage", toGroup(groupId, 0, "quoting", { quoteMessageId: inGroup.id }));
    expect((await a.ok("searchMessages", { query: { q: "needle" } })).total).toBe(1);
    const socket = await b.connect();
    await a.ok("recallPrivateMessage", { params: { id: sent.id } });
    await a.ok("recallGroupMessage", { params: { id: inGroup.id } });
    await socket.flush();
    expect(socket.of(10)).toHaveLength(2);
    expect(JSON.stringify(socket.frames)).not.toContain("/files/");
    socket.close();
    await expectDeleted([one.originUrl, ...urlsOf(two)], own);
    expect(await statusesOf([one.originUrl, ...urlsOf(two)], own)).toEqual([404, 404, 404]);
    // The thumbnail was never named by a message.
    expect(await statusOf(one.thumbUrl, own)).toBe(200);

    const later = await registerReader(b);
    const quotes: string[] = [];
    for (const reader of [a, b, later]) {
      const answers = [
        await reader.ok("privateHistory", { query: { friendId: reader.id === a.id ? b.id : a.id } }),
        await reader.ok("groupHistory", { query: { groupId } }),
        await reader.ok("loadPrivateMessages", { query: { minId: 0 } }),
        await reader.ok("loadGroupMessages", { query: { minId: 0 } }),
        await reader.ok("loadChanges", { query: {} }),
        await reader.ok("searchMessages", { query: { q: "quoting" } }),
        await reader.ok("searchMessages", { query: { q: "needle" } }),
        await reader.ok("searchMessages", { query: { q: "", types: [IMAGE, FILE] } }),
      ];
      const text = JSON.stringify(answers);
      expect(text).not.toContain("/files/");
      expect(text).not.toContain("needle");
      quotes.push(...[...text.matchAll(/引用内容已撤回/g)].map(String));
      const pulling = await reader.connect();
      await reader.ok("pullPrivateMessages", { query: { minId: 0 } });
      await pulling.next((frame) => frame.data?.type === 30 && frame.data.content === "false");
      await reader.ok("pullGroupMessages", { query: { minId: 0 } });
      await pulling.next(
        (frame) => frame.cmd === 4 && frame.data?.type === 30 && frame.data.content === "false",
      );
      expect(JSON.stringify(pulling.frames)).not.toContain("/files/");
      pulling.close();
    }
    expect(quotes.length).toBeGreaterThan(6);
    await own.app.stop();
    const database = await readFile(join(own.dataDir, "parley.sqlite"));
    expect([one.thumbUrl, one.originUrl, two.originUrl].map((url) => database.includes(url))).toEqual([
      true,
      false,
      false,
    ]);
  });

  /** Another session of a person, which has received nothing yet. */
  async function registerReader(person: TestPerson): Promise<TestPerson> {
    return person.elsewhere({ deviceNo: "later", terminal: 0 });
  }

  test("L56 a file that was sent on is kept until the last message that names it is recalled", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const picture = await uploadPicture(a);
    const sent = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(picture)));
    const forwarded = await b.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(picture)));
    const asFile = await b.ok(
      "sendPrivateMessage",
      toPerson(a, FILE, { name: "a", size: 1, url: picture.originUrl }),
    );
    await a.ok("recallPrivateMessage", { params: { id: sent.id } });
    await b.ok("recallGroupMessage", { params: { id: forwarded.id } });
    await expectDeleted([picture.thumbUrl]);
    expect(await statusOf(picture.originUrl)).toBe(200);
    await b.ok("recallPrivateMessage", { params: { id: asFile.id } });
    await expectDeleted([picture.originUrl]);
    expect(await b.errorKeyOf("sendPrivateMessage", toPerson(a, IMAGE, imageOf(picture)))).toBe(
      "file.notIssued",
    );
  });

  test("L57 a picture that an account or a group uses or has used is kept", async () => {
    const [a, b] = await registerFriends(server.url);
    const [before, after, ofGroup] = [await uploadPicture(a), await uploadPicture(a), await uploadPicture(a)];
    const avatar = ({ originUrl, thumbUrl }: ImageUpload) =>
      a.ok("updateUser", { body: { id: a.id, headImage: originUrl, headImageThumb: thumbUrl } });
    await avatar(before);
    const groupId = await makeGroup(a, [b]);
    const sent = [];
    for (const picture of [before, after, ofGroup])
      sent.push(await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(picture))));
    await avatar(after);
    const [headImage, headImageThumb] = urlsOf(ofGroup);
    await a.ok("modifyGroup", {
      body: { id: groupId, headImage: headImage ?? "", headImageThumb: headImageThumb ?? "" },
    });
    const canary = await uploadPicture(a);
    sent.push(await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(canary))));
    for (const { id } of sent) await a.ok("recallPrivateMessage", { params: { id } });
    await expectDeleted(urlsOf(canary));
    expect(await statusesOf([before, after, ofGroup].flatMap(urlsOf))).toEqual([
      200, 200, 200, 200, 200, 200,
    ]);
  });

  test("L58 a member removed with all messages loses their files in this group only", async () => {
    const [a, b] = await registerFriends(server.url);
    const [here, there] = [await makeGroup(a, [b]), await makeGroup(a, [b])];
    const [gone, elsewhere, sentOn, ofOwner] = [
      await uploadPicture(b),
      await uploadPicture(b),
      await uploadPicture(b),
      await uploadPicture(a),
    ];
    for (const picture of [gone, sentOn])
      await b.ok("sendGroupMessage", toGroup(here, IMAGE, imageOf(picture)));
    await b.ok("sendGroupMessage", toGroup(there, IMAGE, imageOf(elsewhere)));
    await b.ok("sendPrivateMessage", toPerson(a, IMAGE, imageOf(elsewhere)));
    await a.ok("sendGroupMessage", toGroup(here, IMAGE, imageOf(ofOwner)));
    await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(sentOn)));
    await a.ok("removeGroupMembers", { body: { groupId: here, userIds: [b.id], deleteMessages: true } });
    await expectDeleted(urlsOf(gone));
    expect(await statusesOf([elsewhere, sentOn, ofOwner].flatMap(urlsOf))).toEqual(Array(6).fill(200));
    const page = JSON.stringify(await a.ok("groupHistory", { query: { groupId: here } }));
    expect([page.includes(gone.originUrl), page.includes(ofOwner.originUrl)]).toEqual([false, true]);
  });

  test("L58 a member removed without their messages keeps their files", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const picture = await uploadPicture(b);
    await b.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(picture)));
    await a.ok("removeGroupMembers", { body: { groupId, userIds: [b.id] } });
    expect(await statusesOf(urlsOf(picture))).toEqual([200, 200]);
  });

  test("L59 a file is neither served nor sent between the recall and its deletion, and a later sweep deletes it", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, b] = await registerFriends(own.url);
    const picture = await uploadPicture(a);
    const sent = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(picture)));
    // The store commits the recall, and the server ends before it deletes anything.
    await own.app.store.write((tx) =>
      tx.recallPrivate({ id: sent.id, noticeId: sent.id, content: "", tip: { key: "recalled", params: {} } }),
    );
    expect(await statusesOf(urlsOf(picture), own)).toEqual([404, 404]);
    expect((await readFile(join(own.dataDir, picture.originUrl))).length).toBeGreaterThan(0);
    expect(await a.errorKeyOf("sendPrivateMessage", toPerson(b, IMAGE, imageOf(picture)))).toBe(
      "file.notIssued",
    );
    own.clock.advance(HOUR_MS + 1);
    own.app.sweep();
    await expectDeleted(urlsOf(picture), own);
    expect((await own.app.store.countFiles()).count).toBe(0);
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

describe("listing messages with files", () => {
  const list = (person: TestPerson, types: number[], more: object = {}) =>
    person.ok("searchMessages", { query: { q: "", types, ...more } });
  const idsOf = async (person: TestPerson, types: number[], more: object = {}) =>
    (await list(person, types, more)).hits.map((hit) => hit.message.id);

  test("L61 an empty search lists the messages of the wanted kinds, newest first, in one chat or all", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const contents = contentsOf(await uploadPicture(a));
    const sent: number[] = [];
    const inGroup: number[] = [];
    for (const [type, content] of contents) {
      server.clock.advance(10);
      await sendText(a, b, "between");
      sent.push((await a.ok("sendPrivateMessage", toPerson(b, type, content))).id);
      server.clock.advance(10);
      inGroup.push((await b.ok("sendGroupMessage", toGroup(groupId, type, content))).id);
    }
    const inChat = { chatType: ChatType.PRIVATE, targetId: a.id };
    const [image, file, audio, video] = sent;
    expect(await idsOf(b, [IMAGE, VIDEO], inChat)).toEqual([video, image]);
    expect(await idsOf(b, [FILE], inChat)).toEqual([file]);
    expect(await idsOf(b, [AUDIO], inChat)).toEqual([audio]);
    expect(await idsOf(b, [IMAGE, VIDEO], { chatType: ChatType.GROUP, targetId: groupId })).toEqual([
      inGroup[3],
      inGroup[0],
    ]);
    const all = await list(b, [IMAGE, FILE, AUDIO, VIDEO]);
    expect(all.total).toBe(8);
    expect(all.hits.map((hit) => [hit.chatType, hit.message.id])).toEqual(
      sent
        .flatMap((id, n) => [
          ["PRIVATE", id],
          ["GROUP", inGroup[n]],
        ])
        .toReversed(),
    );
    expect(await idsOf(b, [IMAGE, VIDEO], { ...inChat, sendId: b.id })).toEqual([]);
    expect(await idsOf(await registerPerson(server.url), [IMAGE, FILE, AUDIO, VIDEO])).toEqual([]);
  });

  test("L61 times limit the list, pages continue it, and hidden and recalled messages are not in it", async () => {
    const [a, b] = await registerFriends(server.url);
    const content = imageOf(await uploadPicture(a));
    const sent: { id: number; sendTime: number }[] = [];
    for (let n = 0; n < 60; n++) {
      server.clock.advance(1_000);
      sent.push(await a.ok("sendPrivateMessage", toPerson(b, IMAGE, content)));
    }
    const ids = sent.map(({ id }) => id).toReversed();
    const first = await list(a, [IMAGE]);
    expect([first.hits.length, first.total]).toEqual([50, 60]);
    const second = await list(a, [IMAGE], { next: first.next });
    expect([...first.hits, ...second.hits].map((hit) => hit.message.id)).toEqual(ids);
    expect(second.next).toBeNull();
    expect(await idsOf(a, [IMAGE], { from: sent[10]?.sendTime, to: sent[12]?.sendTime })).toEqual(
      [sent[12], sent[11], sent[10]].map((row) => row?.id),
    );
    await a.ok("recallPrivateMessage", { params: { id: ids[0] ?? 0 } });
    await a.ok("deletePrivateMessages", { body: { friendId: b.id, ids: [ids[1] ?? 0] } });
    expect((await idsOf(a, [IMAGE]))[0]).toBe(ids[2]);
    expect((await idsOf(b, [IMAGE]))[0]).toBe(ids[1]);
  });

  test("L61 without a word and without kinds that have files, a search is malformed", async () => {
    const [a] = await registerFriends(server.url);
    for (const types of [undefined, [], [0], [IMAGE, 0], [999], [88]]) {
      const query = { q: "", ...(types !== undefined && { types }) };
      const { status, envelope } = await a.call("searchMessages", { query });
      expect([status, envelope.key, envelope.message.split(":")[0]]).toEqual([400, "request.malformed", "q"]);
    }
  });

  test("L62 among 100,000 messages of a chat, the list reads only those that it answers", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, b] = await registerFriends(own.url);
    const part = { sendId: a.id, recvId: b.id, sendNickName: "N", tmpId: null, sendTime: own.clock.now() };
    const [example] = CONTENT_EXAMPLES[IMAGE];
    const content = JSON.stringify(example);
    for (let batch = 0; batch < 100; batch++) {
      await own.app.store.write(async (tx) => {
        for (let n = 0; n < 1_000; n++) {
          await tx.appendPrivate({ ...part, type: 0, content: `word ${n}` });
        }
        await tx.appendPrivate({ ...part, type: IMAGE, content });
      });
    }
    const search = (text: string, types: number[]) =>
      own.app.store.searchPrivate(a.id, { text, types, friendId: b.id, size: 50, totalMax: 1_000 });
    await vi.waitFor(async () => expect((await search("", [IMAGE])).total).toBe(100), 120_000);
    const found = await search("", [IMAGE]);
    expect([found.rows.length, found.scannedRows]).toEqual([50, 100]);
    const start = performance.now();
    for (let n = 0; n < 10; n++) await search("", [IMAGE]);
    expect((performance.now() - start) / 10).toBeLessThan(100);
  }, 240_000);

  test("L63 a file is found by its name", async () => {
    const [a, b] = await registerFriends(server.url);
    const { originUrl } = await uploadPicture(a);
    const sent = await a.ok(
      "sendPrivateMessage",
      toPerson(b, FILE, { name: "Quartalsbericht 季度报告.pdf", size: 1, url: originUrl }),
    );
    for (const q of ["quartals", "季度", "pdf"]) {
      const { hits } = await b.ok("searchMessages", { query: { q, types: [FILE] } });
      expect(hits.map((hit) => hit.message.id)).toEqual([sent.id]);
    }
    expect((await b.ok("searchMessages", { query: { q: "files" } })).total).toBe(0);
  });

  test("L64 the word http lists the messages with links, whatever stands before them", async () => {
    const [a, b] = await registerFriends(server.url);
    const texts = [
      "https://example.org/a?b=c",
      "看这个https://example.org",
      "see (http://example.org), please",
      "HTTPS://EXAMPLE.ORG",
    ];
    const sent: number[] = [];
    for (const text of texts) sent.push((await sendText(a, b, text)).id);
    await sendText(a, b, "shttp is no word with this beginning");
    const { hits } = await b.ok("searchMessages", {
      query: { q: "http", chatType: ChatType.PRIVATE, targetId: a.id, types: [0] },
    });
    expect(hits.map((hit) => hit.message.id)).toEqual(sent.toReversed());
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
