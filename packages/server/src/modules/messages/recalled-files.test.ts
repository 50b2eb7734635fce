import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { ImageUpload } from "@parley/protocol/entities";
import {
  expectDeleted,
  imageOf,
  statusesOf,
  toGroup,
  toPerson,
  urlsOf,
} from "../../testing/file-messages.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, makeGroup, registerFriends } from "../../testing/test-person.ts";
import { eventually } from "../../testing/eventually.ts";
import { uploadFile, uploadPicture } from "../../testing/upload.ts";

const { IMAGE, FILE } = MessageType;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

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
    expect(await statusesOf([one.thumbUrl], own)).toEqual([200]);

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
    await expectDeleted([picture.thumbUrl], server);
    expect(await statusesOf([picture.originUrl], server)).toEqual([200]);
    await b.ok("recallPrivateMessage", { params: { id: asFile.id } });
    await expectDeleted([picture.originUrl], server);
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
    await expectDeleted(urlsOf(canary), server);
    expect(await statusesOf([before, after, ofGroup].flatMap(urlsOf), server)).toEqual([
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
    await expectDeleted(urlsOf(gone), server);
    expect(await statusesOf([elsewhere, sentOn, ofOwner].flatMap(urlsOf), server)).toEqual(
      Array(6).fill(200),
    );
    const page = JSON.stringify(await a.ok("groupHistory", { query: { groupId: here } }));
    expect([page.includes(gone.originUrl), page.includes(ofOwner.originUrl)]).toEqual([false, true]);
  });

  test("L58 a member removed without their messages keeps their files", async () => {
    const [a, b] = await registerFriends(server.url);
    const groupId = await makeGroup(a, [b]);
    const picture = await uploadPicture(b);
    await b.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(picture)));
    await a.ok("removeGroupMembers", { body: { groupId, userIds: [b.id] } });
    expect(await statusesOf(urlsOf(picture), server)).toEqual([200, 200]);
  });

  test("L59 a file is neither served nor sent between the recall and its deletion, and a later sweep deletes it", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const [a, b] = await registerFriends(own.url);
    const picture = await uploadPicture(a);
    const sent = await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(picture)));
    // The store commits the recall, and the server ends before it deletes anything.
    await own.app.store.write((tx) =>
      tx.recallMessage({ id: sent.id, noticeId: sent.id, content: "", tip: { key: "recalled", params: {} } }),
    );
    expect(await statusesOf(urlsOf(picture), own)).toEqual([404, 404]);
    expect((await readFile(join(own.dataDir, picture.originUrl))).length).toBeGreaterThan(0);
    expect(await a.errorKeyOf("sendPrivateMessage", toPerson(b, IMAGE, imageOf(picture)))).toBe(
      "file.notIssued",
    );
    own.clock.advance(HOUR_MS + 1);
    own.app.sweep();
    await expectDeleted(urlsOf(picture), own);
    // The rows are the last to go, after the bytes.
    await eventually(async () => expect((await own.app.store.countFiles()).count).toBe(0));
  });
});
