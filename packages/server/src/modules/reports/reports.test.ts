import { afterAll, beforeAll, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { filesOf } from "@parley/protocol/message";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
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
import {
  type TestPerson,
  befriend,
  makeGroup,
  registerFriends,
  registerPerson,
} from "../../testing/test-person.ts";
import { uploadPicture } from "../../testing/upload.ts";

const DAY_MS = 86_400_000;
const { IMAGE, FILE, AUDIO, VIDEO } = MessageType;
const KINDS_WITH_FILES = [IMAGE, FILE, AUDIO, VIDEO];

let server: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  server = await createTestApp();
  admin = await registerPerson(server.url);
  await sendAdminCommand(server.dataDir, { name: "grantAdmin", userName: admin.userName });
});
afterAll(() => server[Symbol.asyncDispose]());

const why = { reason: "spam", text: "again and again" } as const;
const three = async () =>
  [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ] as const;
const newest = async () => (await admin.ok("listReports", { query: { size: 1 } })).rows[0];
const count = async () => (await admin.ok("listReports", { query: {} })).total;

test("an administrator sees the reported message as it was, and closes the report once", async () => {
  const [a, b, stranger] = await three();
  await befriend(a, b);
  const { id } = await a.ok("sendPrivateMessage", { body: { recvId: b.id, type: 0, content: "buy now" } });
  await b.ok("reportAbuse", { body: { privateMessageId: id, ...why } });
  await a.ok("recallPrivateMessage", { params: { id } });
  const report = await newest();
  expect(report).toMatchObject({
    reporter: { id: b.id },
    person: { id: a.id, userName: a.userName },
    message: { chatType: "PRIVATE", id, type: 0, content: "buy now" },
    ...why,
    closed: null,
  });
  // Nobody reports what they cannot see.
  const unseen = { body: { privateMessageId: id, ...why } };
  expect(await stranger.errorKeyOf("reportAbuse", unseen)).toBe("message.notFound");
  const closing = { body: { reportId: report?.id ?? 0, outcome: "acted", note: "warned" } } as const;
  await admin.ok("closeReport", closing);
  expect(await admin.errorKeyOf("closeReport", closing)).toBe("admin.reportClosed");
  expect((await newest())?.closed).toMatchObject({ by: { id: admin.id }, outcome: "acted", note: "warned" });
  expect((await admin.ok("listReports", { query: { state: "open" } })).rows).not.toContainEqual(
    expect.objectContaining({ id: report?.id }),
  );
});

test("L68 files of a reported message stay after its recall or removal and the sweep, until the report is closed", async () => {
  await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const chief = await registerPerson(own.url);
  await sendAdminCommand(own.dataDir, { name: "grantAdmin", userName: chief.userName });
  const [a, b] = await registerFriends(own.url);
  const groupId = await makeGroup(b, [a]);
  const files: string[] = [];
  for (const kind of KINDS_WITH_FILES) {
    const content = new Map(contentsOf(await uploadPicture(a))).get(kind) ?? {};
    const { id } = await a.ok("sendPrivateMessage", toPerson(b, kind, content));
    await b.ok("reportAbuse", { body: { privateMessageId: id, ...why } });
    await a.ok("recallPrivateMessage", { params: { id } });
    files.push(...filesOf(kind, JSON.stringify(content)));
  }
  const inGroup = await uploadPicture(a);
  const { id } = await a.ok("sendGroupMessage", toGroup(groupId, IMAGE, imageOf(inGroup)));
  await b.ok("reportAbuse", { body: { groupMessageId: id, ...why } });
  await b.ok("removeGroupMembers", { body: { groupId, userIds: [a.id], deleteMessages: true } });
  files.push(...urlsOf(inGroup));
  // A file that nobody reported shows when the sweep has run.
  const canary = await uploadPicture(a);
  own.clock.advance(DAY_MS + 1);
  own.app.sweep();
  await expectDeleted(urlsOf(canary), own);
  expect(await statusesOf(files, own)).toEqual(files.map(() => 200));
  // The day that passed has ended the access token.
  const later = await chief.elsewhere();
  const { rows } = await later.ok("listReports", { query: {} });
  expect(rows).toHaveLength(KINDS_WITH_FILES.length + 1);
  for (const report of rows)
    await later.ok("closeReport", { body: { reportId: report.id, outcome: "acted", note: "" } });
  await expectDeleted(files, own);
});

test("L68 a file of a reported message that is not recalled stays when the report is closed", async () => {
  const [a, b] = await three();
  await befriend(a, b);
  const [kept, canary] = [await uploadPicture(a), await uploadPicture(a)];
  const send = async (picture: typeof kept) =>
    (await a.ok("sendPrivateMessage", toPerson(b, IMAGE, imageOf(picture)))).id;
  const id = await send(kept);
  await b.ok("reportAbuse", { body: { privateMessageId: id, ...why } });
  await admin.ok("closeReport", {
    body: { reportId: (await newest())?.id ?? 0, outcome: "acted", note: "" },
  });
  await a.ok("recallPrivateMessage", { params: { id: await send(canary) } });
  await expectDeleted(urlsOf(canary), server);
  expect(await statusesOf(urlsOf(kept), server)).toEqual([200, 200]);
  await a.ok("recallPrivateMessage", { params: { id } });
  await expectDeleted(urlsOf(kept), server);
});

test("a message of a group is reported by its members only, and none of one's own", async () => {
  const [a, b, stranger] = await three();
  const groupId = await makeGroup(a, [b]);
  const { id } = await a.ok("sendGroupMessage", { body: { groupId, type: 0, content: "buy now" } });
  const body = { groupMessageId: id, ...why };
  expect(await stranger.errorKeyOf("reportAbuse", { body })).toBe("message.notFound");
  expect(await a.errorKeyOf("reportAbuse", { body })).toBe("report.self");
  await b.ok("reportAbuse", { body });
  expect(await newest()).toMatchObject({ message: { chatType: "GROUP", id, groupId }, person: { id: a.id } });
});

test("what the server wrote in the name of a person cannot be reported, such as the notice of a recall", async () => {
  const [a, b] = await three();
  const groupId = await makeGroup(a, [b]);
  const { id } = await a.ok("sendGroupMessage", { body: { groupId, type: 0, content: "gone soon" } });
  await a.ok("recallGroupMessage", { params: { id } });
  expect(await b.errorKeyOf("reportAbuse", { body: { groupMessageId: id, ...why } })).toBe(
    "message.notFound",
  );
});

test("a person is reported once as long as the report is open; oneself and nobody cannot be reported", async () => {
  const [a, b] = await three();
  const before = await count();
  const body = { userId: b.id, ...why };
  await a.ok("reportAbuse", { body });
  await a.ok("reportAbuse", { body });
  expect(await count()).toBe(before + 1);
  expect(await newest()).toMatchObject({ person: { id: b.id }, message: null });
  expect(await a.errorKeyOf("reportAbuse", { body: { ...body, userId: a.id } })).toBe("report.self");
  expect(await a.errorKeyOf("reportAbuse", { body: { ...body, userId: 999_999 } })).toBe("user.notFound");
  expect(await a.errorKeyOf("reportAbuse", { body: why })).toBe("request.malformed");
  expect(await a.errorKeyOf("reportAbuse", { body: { ...body, groupMessageId: 1 } })).toBe(
    "request.malformed",
  );
});

test("twenty reports an hour are taken of a person", async () => {
  const [a, b] = await three();
  for (let n = 0; n < 20; n++) await a.ok("reportAbuse", { body: { userId: b.id, ...why } });
  expect(await a.errorKeyOf("reportAbuse", { body: { userId: b.id, ...why } })).toBe("request.tooMany");
});
