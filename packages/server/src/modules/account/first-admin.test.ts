import { afterEach, beforeEach, expect, test } from "vitest";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { registerPerson, request } from "../../testing/test-person.ts";

let server: TestApp;
beforeEach(async () => void (server = await createTestApp()));
afterEach(() => server[Symbol.asyncDispose]());

const tokenOf = (link: string | undefined) => link?.split("/admin/setup#")[1] ?? "";
const setUp = async (token: string, userName = "root") =>
  (
    await request(server.url, "/admin/setup", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ terminal: 2, token, userName, nickName: "Root", password: "a-long-password" }),
    })
  ).envelope;
const newLink = () => sendAdminCommand(server.dataDir, { name: "setupLink", origin: "https://im.example" });

test("the link makes one administrator, who is logged in; it works once, and there is none after that", async () => {
  const link = await server.app.makeFirstSetupLink();
  expect(link?.startsWith(`${server.app.url}/admin/setup#`)).toBe(true);
  // At least 128 random bits.
  expect(Buffer.from(tokenOf(link), "base64url").length).toBeGreaterThanOrEqual(16);
  expect(await server.app.makeFirstSetupLink()).toBeUndefined();
  const { data } = await setUp(tokenOf(link));
  const headers = { accessToken: (data as { accessToken: string }).accessToken };
  const self = await request(server.url, "/user/self", { headers });
  expect(self.envelope.data).toMatchObject({ userName: "root", isAdmin: true });
  expect(await setUp(tokenOf(link), "second")).toMatchObject({ key: "admin.linkInvalid" });
  expect(await server.app.makeFirstSetupLink()).toBeUndefined();
  expect(await newLink()).toEqual({ error: "There is an administrator already; use grant-admin." });
  const { rows } = await server.app.store.listAudit({ action: "setUpAdmin" }, { offset: 0, limit: 9 });
  expect(rows).toMatchObject([{ address: "127.0.0.1", targetName: "root", outcome: "done" }]);
  const everything = JSON.stringify([rows, server.logs, await server.app.store.findSetupHash()]);
  expect(everything).not.toContain(tokenOf(link));
});

test("of several uses at the same time exactly one wins", async () => {
  const token = tokenOf(await server.app.makeFirstSetupLink());
  const answers = await Promise.all(["a", "b", "c", "d"].map((name) => setUp(token, name)));
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  expect((await server.app.store.listPeoplePage("", "admin", { offset: 0, limit: 9 })).total).toBe(1);
  expect((await server.app.store.listPeoplePage("", "all", { offset: 0, limit: 9 })).total).toBe(1);
});

test("another token is refused, and after ten attempts from an address even the right one", async () => {
  const token = tokenOf(await server.app.makeFirstSetupLink());
  for (let attempt = 0; attempt < 10; attempt++)
    expect((await setUp(`${token.slice(0, -1)}${attempt}x`)).key).toBe("admin.linkInvalid");
  expect((await setUp(token)).key).toBe("request.tooMany");
});

test("a new link replaces the one before, and a grant on the command line ends both", async () => {
  const first = tokenOf(await server.app.makeFirstSetupLink());
  const answer = await newLink();
  const second = tokenOf((answer as { text: string }).text);
  expect((await setUp(first)).key).toBe("admin.linkInvalid");
  const { userName } = await registerPerson(server.url);
  await sendAdminCommand(server.dataDir, { name: "grantAdmin", userName });
  expect((await setUp(second)).key).toBe("admin.linkInvalid");
  expect(await server.app.store.findSetupHash()).toBeUndefined();
});
