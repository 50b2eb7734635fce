import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdminCommand, Print } from "../../runtime/admin-commands.ts";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { newUser } from "../../testing/contracts/store-fixtures.ts";
import { PASSWORD, logIn, request } from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off", INVITE_CODE_REQUIRED: "on" } });
});
afterAll(() => server[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;
let nameCount = 0;

const runCommand = async (command: AdminCommand, print?: Print): Promise<string> => {
  const answer = await sendAdminCommand(server.dataDir, command, print);
  if (answer === undefined || !("text" in answer))
    throw new Error(`the command failed: ${JSON.stringify(answer)}`);
  return answer.text;
};
const inviteCode = (uses: number, days: number | null = null) =>
  runCommand({ name: "createInviteCode", uses, days });
const register = async (spreadCode: string, more: object = {}) => {
  const userName = `admin${++nameCount}`;
  const { envelope } = await request(server.url, "/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ userName, nickName: "Nick", password: PASSWORD, spreadCode, ...more }),
  });
  return { userName, key: envelope.key };
};

describe("a password reset by an administrator", () => {
  test("the new password works, the old one does not, and every session has ended", async () => {
    const { userName } = await register(await inviteCode(1));
    const person = await logIn(server.url, userName);
    const socket = await person.connect();
    const text = await runCommand({ name: "resetPassword", userName });
    const [, password = ""] = /^New password of admin\d+: ([a-km-z2-9]{16})$/.exec(text) ?? [];
    expect(password).toHaveLength(16);
    expect(await socket.next()).toMatchObject({ cmd: 2, reason: "passwordChanged" });
    expect((await person.call("self")).envelope.code).toBe(401);
    const again = await logIn(server.url, userName, {}, password);
    expect((await again.ok("self")).userName).toBe(userName);
    await expect(logIn(server.url, userName)).rejects.toThrow("10001");
    socket.close();
  });
});

describe("an invite code", () => {
  test("without days never expires and works as often as it says", async () => {
    const code = await inviteCode(2);
    expect(code).toMatch(/^[a-km-z2-9]{12}$/);
    server.clock.advance(1_000 * DAY_MS);
    const answers = [await register(code), await register(code), await register(code)];
    expect(answers.map(({ key }) => key)).toEqual([undefined, undefined, "register.inviteCodeWrong"]);
  });

  test("with days works until the days are over", async () => {
    const code = await inviteCode(9, 3);
    server.clock.advance(3 * DAY_MS - 1);
    expect((await register(code)).key).toBeUndefined();
    server.clock.advance(2);
    expect((await register(code)).key).toBe("register.inviteCodeWrong");
  });
});

/** The lines of all accounts. */
const listUsers = async (): Promise<string[]> => {
  const lines: string[] = [];
  const text = await runCommand({ name: "users" }, async (page) => void lines.push(...page.split("\n")));
  expect(text).toBe(`${lines.length} users`);
  return lines;
};

test("the list of users has id, names, time and device of each person, in the order of registration", async () => {
  const code = await inviteCode(2);
  const before = (await listUsers()).length;
  const at = server.clock.now();
  const one = await register(code, { registerDevice: "Linux Chrome" });
  server.clock.advance(60_000);
  const two = await register(code, { nickName: "Two" });
  const lines = await listUsers();
  const time = (ms: number) => new Date(ms).toISOString();
  expect(lines.slice(before).map((line) => line.split("\t"))).toEqual([
    [expect.stringMatching(/^\d+$/), one.userName, "Nick", time(at), "Linux Chrome"],
    [expect.stringMatching(/^\d+$/), two.userName, "Two", time(at + 60_000)],
  ]);
});

test("the list of many users is printed page by page", async () => {
  const before = (await listUsers()).length;
  await server.app.store.write(async (tx) => {
    for (let n = 0; n < 1_500; n++) await tx.insertUser(newUser(`many${n}`));
  });
  const pages: string[] = [];
  const text = await runCommand({ name: "users" }, async (page) => void pages.push(page));
  expect(text).toBe(`${before + 1_500} users`);
  expect(pages.map((page) => page.split("\n").length)).toEqual([1_000, before + 500]);
  expect(pages.at(-1)).toMatch(/\tmany1499\t.*$/);
});
