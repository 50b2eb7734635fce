import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Code, MessageType } from "@parley/protocol/codes";
import { runAdmin } from "../../testing/admin-process.ts";
import { toPerson } from "../../testing/file-messages.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, befriend, makeGroup, registerPerson, sendText } from "../../testing/test-person.ts";
import { uploadFile } from "../../testing/upload.ts";

let server: TestApp;
let ann: TestPerson;
let bob: TestPerson;
let cat: TestPerson;
let groupId: number;
let url: string;
beforeAll(async () => {
  server = await createTestApp();
  [ann, bob, cat] = [
    await registerPerson(server.url),
    await registerPerson(server.url),
    await registerPerson(server.url),
  ];
  await befriend(ann, bob);
  await befriend(bob, cat);
  groupId = await makeGroup(ann, [bob]);
  await ann.ok("setChatPrefs", {
    body: { type: "PRIVATE", targetId: bob.id, set: { unreadMark: 7, archived: 9 } },
  });
  const saved = await sendText(ann, bob, "from Ann");
  await ann.ok("setSaved", { body: { id: saved.id, note: "to read", tags: ["later"] } });
  await sendText(bob, ann, "from Bob");
  await sendText(bob, cat, "not for Ann");
  const recalled = await sendText(ann, bob, "a mistake");
  await ann.ok("recallPrivateMessage", { params: { id: recalled.id } });
  const hidden = await sendText(bob, ann, "hidden from Ann");
  await ann.ok("deletePrivateMessages", { body: { friendId: bob.id, ids: [hidden.id] } });
  const edited = await sendText(ann, bob, "befor");
  const edit = { recvId: bob.id, type: MessageType.EDIT, content: "before", quoteMessageId: edited.id };
  await ann.ok("sendPrivateMessage", { body: edit });
  await bob.ok("sendGroupMessage", { body: { groupId, type: MessageType.TEXT, content: "in the group" } });
  url = await uploadFile(bob, Buffer.from("a file"));
  const file = { name: "Plan.bin", size: 6, url };
  await bob.ok("sendPrivateMessage", toPerson(ann, MessageType.FILE, file));
  await uploadFile(ann, Buffer.from("nobody names it"));
});
afterAll(() => server[Symbol.asyncDispose]());

function contentOf(archive: Uint8Array) {
  const files = unzipSync(archive);
  const read = (name: string): unknown => JSON.parse(Buffer.from(files[name] ?? []).toString());
  const contents = (name: string) => (read(name) as { content: string }[]).map(({ content }) => content);
  return { names: Object.keys(files).toSorted(), files, read, contents };
}

function expectDataOfAnn(archive: Uint8Array): void {
  const { names, files, read, contents } = contentOf(archive);
  expect(names).toEqual(
    [
      "about.json",
      "blocked-people.json",
      "chat-settings.json",
      url.slice(1),
      "friend-requests.json",
      "friends.json",
      "group-messages.json",
      "groups.json",
      "notices.json",
      "private-messages.json",
      "saved-messages.json",
      "profile.json",
      "sessions.json",
    ].toSorted(),
  );
  expect(Buffer.from(files[url.slice(1)] ?? []).toString()).toBe("a file");
  expect(read("profile.json")).toMatchObject({ id: ann.id, userName: ann.userName });
  expect(read("sessions.json")).toMatchObject([{ terminal: 2, address: "127.0.0.1" }]);
  expect(read("friends.json")).toMatchObject([{ id: bob.id }]);
  expect(read("groups.json")).toMatchObject([{ id: groupId }]);
  expect(read("chat-settings.json")).toEqual([
    { type: "PRIVATE", targetId: bob.id, prefs: { unreadMark: 7, archived: 9 } },
  ]);
  expect(read("saved-messages.json")).toEqual([
    expect.objectContaining({ type: "PRIVATE", targetId: bob.id, note: "to read", tags: ["later"] }),
  ]);
  const texts = contents("private-messages.json");
  expect(texts).toEqual(expect.arrayContaining(["from Ann", "from Bob", "before"]));
  for (const secret of ["not for Ann", "a mistake", "hidden from Ann", "befor"])
    expect(texts).not.toContain(secret);
  expect(contents("group-messages.json")).toContain("in the group");
  const everything = Object.values(files).map((data) => Buffer.from(data).toString());
  expect(everything.join()).not.toMatch(/\$argon2|eyJhbGciOiJIUzI1NiJ9/);
}

test("SV8 a person downloads their own data by a link that works once and for a minute", async () => {
  const link = await ann.ok("exportData");
  const answer = await fetch(server.url + link.url);
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
    200,
    "application/zip",
    "no-store",
  ]);
  expectDataOfAnn(new Uint8Array(await answer.arrayBuffer()));
  expect((await fetch(server.url + link.url)).status).toBe(404);

  const late = await ann.ok("exportData");
  server.clock.advance(60_000);
  expect((await fetch(server.url + late.url)).status).toBe(404);
  const path = "/api/user/export/download?token=";
  for (const token of ["", "x", encodeURIComponent(ann.tokens.accessToken)])
    expect((await fetch(server.url + path + token)).status).toBe(404);
});

test("without rate limits, a link still works only once", async () => {
  await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const person = await registerPerson(own.url);
  const useTwice = async () => {
    const link = await person.ok("exportData");
    const first = await fetch(own.url + link.url);
    await first.arrayBuffer();
    return [first.status, (await fetch(own.url + link.url)).status];
  };
  // More often than the limits would allow.
  for (let n = 0; n < 6; n++) expect(await useTwice()).toEqual([200, 404]);
});

test("a link is no access token, and ends with the session that made it", async () => {
  const other = await bob.elsewhere();
  const { url: link } = await other.ok("exportData");
  const token = new URL(link, server.url).searchParams.get("token") ?? "";
  const thief = await bob.elsewhere();
  thief.tokens = { ...thief.tokens, accessToken: token };
  expect((await thief.call("self")).envelope.code).toBe(Code.TOKEN_INVALID);
  await other.ok("logout");
  expect((await fetch(server.url + link)).status).toBe(404);
});

test("a person exports at most five times a day", async () => {
  for (let n = 0; n < 5; n++) await cat.ok("exportData");
  expect(await cat.errorKeyOf("exportData")).toBe("request.tooMany");
});

test("npm run admin -- export writes the same archive, which only its owner may read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-export-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "ann.zip");
  const env = { DATA_DIR: server.dataDir };
  const said = `The data of ${ann.userName} is in ${file}.`;
  expect(await runAdmin(env, "export", ann.userName, file)).toEqual({ code: 0, out: said, err: "" });
  expectDataOfAnn(await readFile(file));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const again = await runAdmin(env, "export", ann.userName, file);
  expect([again.code, again.err]).toEqual([1, `${file} exists already; give another name.`]);
  const unknown = await runAdmin(env, "export", "nobody", join(folder, "nobody.zip"));
  expect([unknown.code, unknown.err]).toEqual([1, "Nobody has the user name nobody."]);
});
