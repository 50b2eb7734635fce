import { afterAll, beforeAll, expect, test } from "vitest";
import { sendAdminCommand } from "../../admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, makeGroup, registerPerson } from "../../testing/test-person.ts";

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
