import Database from "better-sqlite3";
import { GroupRole } from "@parley/protocol/codes";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newUser } from "../../testing/contracts/store-fixtures.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { registerPerson, makeGroup } from "../../testing/test-person.ts";

/** The size of the group in which the writes of a message are counted. */
const MEMBERS = 500;

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

/** Records the statements that change data from now on, except those of the search index. */
function recordChanges(): { statements: string[]; stop(): void } {
  const database = new Database(":memory:");
  // The statements of all connections share this prototype.
  const prototype = Object.getPrototypeOf(database.prepare("select 1")) as Database.Statement;
  database.close();
  const statements: string[] = [];
  const spies = (["run", "all", "get"] as const).map((name) => {
    const original = prototype[name];
    return vi.spyOn(prototype, name).mockImplementation(function (this: Database.Statement, ...args) {
      const isChange = /^(insert|update|delete|replace)/i.test(this.source);
      if (isChange && !/"(messageSearch|meta)"/.test(this.source)) statements.push(this.source);
      return original.apply(this, args);
    });
  });
  return { statements, stop: () => spies.forEach((spy) => spy.mockRestore()) };
}

test("a message to 500 members is one insert, also when it mentions all or requests a receipt", async () => {
  const [owner, member] = [await registerPerson(server.url), await registerPerson(server.url)];
  const groupId = await makeGroup(owner, [member]);
  await server.app.store.write(async (tx) => {
    for (let n = 0; n < MEMBERS - 2; n++) {
      const user = await tx.insertUser(newUser(`crowd${n}`));
      if (user !== undefined) await tx.upsertGroupMember(groupId, user.id, GroupRole.MEMBER, 0);
    }
  });
  const socket = await member.connect();
  const send = (extra: object) =>
    owner.ok("sendGroupMessage", { body: { groupId, type: 0, content: "hello", ...extra } });
  for (const extra of [{}, { atUserIds: [-1] }, { receipt: true }]) {
    const recorded = recordChanges();
    try {
      const sent = await send(extra);
      expect((await socket.nextOf(0)).data).toEqual(sent);
    } finally {
      recorded.stop();
    }
    expect(recorded.statements).toEqual([expect.stringMatching(/^insert into "message"/)]);
  }
  // The recorder does record: storing a read position needs several statements.
  const recorded = recordChanges();
  await member.ok("readGroupMessages", { query: { groupId } });
  recorded.stop();
  expect(recorded.statements.length).toBeGreaterThan(1);
  socket.close();
});
