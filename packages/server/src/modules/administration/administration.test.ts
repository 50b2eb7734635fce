import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { recordAct } from "../../access/administration.ts";
import { ADMIN_ENDPOINTS } from "../../runtime/admin-handlers.ts";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import type { ActTarget, AdminEndpointName, AdminInput } from "../../api/admin-act.ts";
import type { AuditRow } from "../../ports/admin-store.ts";
import { inputWith } from "../../testing/endpoint-input.ts";
import { idFieldsOf } from "../../testing/id-fields.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  PASSWORD,
  logIn,
  makeGroup,
  registerPerson,
  request,
} from "../../testing/test-person.ts";
import { targetOf as actTargetOf } from "./act-rules.ts";

let server: TestApp;
let admin: TestPerson;
let person: TestPerson;

beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  admin = await registerPerson(server.url);
  person = await registerPerson(server.url);
  await sendAdminCommand(server.dataDir, { name: "grantAdmin", userName: admin.userName });
});
afterAll(() => server[Symbol.asyncDispose]());
// A look is recorded once an hour.
beforeEach(() => server.clock.advance(3_600_000));
// An access token is valid for half an hour.
beforeEach(async () => {
  admin = await admin.elsewhere();
  person = await person.elsewhere();
});

interface Case<Name extends AdminEndpointName> {
  /** Left out: an example made of the definition, with a new person and a new group. */
  input?(): Promise<Partial<AdminInput<Name>>> | Partial<AdminInput<Name>>;
  /** What the audit log says; `id` "any" if the call makes it. Left out: the person or the group of the input. */
  target?(input: AdminInput<Name>): Pick<ActTarget, "kind"> & Partial<ActTarget>;
}

const newPerson = async () => (await registerPerson(server.url)).id;
const newGroup = async () => makeGroup(person, [], "Traders");
const callCommandLine = (call: string, query?: unknown, body?: unknown) =>
  sendAdminCommand(server.dataDir, { name: "call", call, query, body });
const newCode = async () => {
  const answer = await callCommandLine("createInviteCode", undefined, { uses: 1 });
  return (JSON.parse((answer as { text: string }).text) as { code: string }).code;
};
let nameCount = 0;

/** The calls whose example or target does not follow from the definition. */
const CASES: { readonly [Name in AdminEndpointName]?: Case<Name> } = {
  createPerson: {
    input: () => ({ body: { userName: `made${++nameCount}`, nickName: "Made" } }),
    target: ({ body }) => ({ kind: "person", name: body.userName }),
  },
  unbanPerson: {
    async input() {
      const userId = await newPerson();
      await callCommandLine("banPerson", undefined, { userId, reason: "spam" });
      return { body: { userId } };
    },
  },
  unbanGroup: {
    async input() {
      const groupId = await newGroup();
      await callCommandLine("banGroup", undefined, { groupId, reason: "spam" });
      return { body: { groupId } };
    },
  },
  createInviteCode: { target: () => ({ kind: "inviteCode" }) },
  deleteInviteCode: {
    input: async () => ({ body: { code: await newCode() } }),
    target: ({ body }) => ({ kind: "inviteCode", name: `${body.code.slice(0, 4)}…` }),
  },
  previewNotice: { input: () => ({ body: { title: "Hello", text: "a notice" } }) },
  publishNotice: {
    input: () => ({ body: { title: "Hello", text: "a notice", to: [person.userName] } }),
    target: () => ({ kind: "notice", name: "Hello" }),
  },
  saveSettings: {
    input: () => ({ body: { recallSeconds: 300 } }),
    target: () => ({ kind: "settings", name: "recallSeconds=300" }),
  },
  closeReport: {
    async input() {
      await person.ok("reportAbuse", { body: { userId: await newPerson(), reason: "spam", text: "" } });
      const { rows } = await server.app.store.listReports(true, { offset: 0, limit: 1 });
      return { body: { reportId: rows[0]?.id ?? 0, outcome: "dismissed" as const, note: "" } };
    },
    target: ({ body }) => ({ kind: "report", id: body.reportId }),
  },
};

const auditRows = async (): Promise<AuditRow[]> =>
  (await server.app.store.listAudit({}, { offset: 0, limit: 10_000 })).rows.toReversed();

/** The rows that are new after `work`; throws if one of those before has changed or is gone. */
async function newRows(work: () => Promise<unknown>): Promise<AuditRow[]> {
  const before = await auditRows();
  await work();
  const after = await auditRows();
  expect(after.slice(0, before.length)).toEqual(before);
  return after.slice(before.length);
}

type Input = AdminInput<AdminEndpointName>;
const caseOf = (name: AdminEndpointName): Case<AdminEndpointName> => ({ ...CASES[name] });
const exampleOf = (name: AdminEndpointName, person: number, group: number) => {
  const things = { privateMessage: 0, groupMessage: 0, notice: 0, groupRequest: 0, friendRequest: 0 };
  return inputWith(ENDPOINTS[name], {}, { ...things, person, group }) as Input;
};
const inputOf = async (name: AdminEndpointName) => {
  const given = await caseOf(name).input?.();
  return given === undefined ? exampleOf(name, await newPerson(), await newGroup()) : (given as Input);
};
const targetOf = (name: AdminEndpointName, input: Input): Partial<ActTarget> => {
  const target = caseOf(name).target?.(input);
  if (target !== undefined) return target;
  const { userId, groupId } = { ...input.query, ...input.body } as { userId?: number; groupId?: number };
  if (userId !== undefined) return { kind: "person", id: userId };
  return groupId === undefined ? {} : { kind: "group", id: groupId };
};
const rowOf = (name: AdminEndpointName, input: Input, by: Pick<AuditRow, "actorId" | "address">) => {
  const target = targetOf(name, input);
  return expect.objectContaining({
    ...by,
    at: server.clock.now(),
    action: name,
    outcome: "done",
    targetKind: target.kind ?? null,
    ...(target.id !== undefined && { targetId: target.id }),
    ...(target.name !== undefined && { targetName: target.name }),
  }) as AuditRow;
};
const send = (who: TestPerson, name: AdminEndpointName, input: Partial<Input>) => {
  const endpoint: Endpoint = ENDPOINTS[name];
  return who.send(endpoint, pathOf(endpoint, input), input.body);
};

test("every call for which one must be an administrator is below /admin, and all others but the setup are not", () => {
  const below = Object.entries<Endpoint>(ENDPOINTS).filter(([, { path }]) => path.startsWith("/admin/"));
  expect(below.filter(([, { auth }]) => auth !== "admin").map(([name]) => name)).toEqual(["setUpAdmin"]);
});

test("every call that takes an id is recorded with what it is aimed at", () => {
  const withId = ADMIN_ENDPOINTS.filter((name) => idFieldsOf(ENDPOINTS[name]).length > 0);
  expect(withId.length).toBeGreaterThan(10);
  expect(withId.filter((name) => actTargetOf(name, exampleOf(name, 1, 1)) === null)).toEqual([]);
});

describe("a call for administrators", () => {
  test.each(ADMIN_ENDPOINTS)(
    "%s is refused without a session or the role, and leaves no trace",
    async (name) => {
      const input = await inputOf(name);
      const { method, path }: Endpoint = ENDPOINTS[name];
      const rows = await newRows(async () => {
        expect((await request(server.url, path, { method })).envelope.code).toBe(400);
        const bad = await request(server.url, path, { method, headers: { accessToken: "bad" } });
        expect(bad.envelope.code).toBe(401);
        for (const given of [input, {}]) {
          const refused = await send(person, name, given);
          expect([refused.status, refused.envelope.key]).toEqual([403, "admin.required"]);
        }
      });
      expect(rows).toEqual([]);
    },
  );

  test.each(ADMIN_ENDPOINTS)("%s is allowed for an administrator and audited once", async (name) => {
    const input = await inputOf(name);
    const rows = await newRows(async () => {
      const { status, envelope } = await send(admin, name, input);
      expect([status, envelope.code, envelope.key]).toEqual([200, 200, undefined]);
      expect(ENDPOINTS[name].answer.safeParse(envelope.data).success).toBe(true);
    });
    expect(rows).toEqual([rowOf(name, input, { actorId: admin.id, address: "127.0.0.1" })]);
  });

  test.each(ADMIN_ENDPOINTS)("%s exists on the command line and is audited once", async (name) => {
    const input = await inputOf(name);
    const rows = await newRows(async () => {
      expect(await callCommandLine(name, input.query, input.body)).toHaveProperty("text");
    });
    expect(rows).toEqual([rowOf(name, input, { actorId: null, address: null })]);
  });
});

test("of two administrators who lift a ban at the same moment, one gets the error that there is none", async () => {
  for (let round = 0; round < 5; round++) {
    const userId = await newPerson();
    await admin.ok("banPerson", { body: { userId, reason: "spam" } });
    const unban = () => admin.ok("unbanPerson", { body: { userId } });
    const outcomes = await Promise.allSettled([unban(), unban()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  }
});

describe("the audit log", () => {
  test("has an act that was refused, with the reason", async () => {
    const rows = await newRows(async () => {
      expect(await admin.errorKeyOf("unbanPerson", { body: { userId: person.id } })).toBe("admin.notBanned");
    });
    expect(rows).toMatchObject([{ action: "unbanPerson", targetId: person.id, outcome: "admin.notBanned" }]);
  });

  test("has what was refused to the command line, whichever command it was", async () => {
    const notice = { name: "notice", title: "Hello", text: "x", html: null, link: null } as const;
    const rows = await newRows(async () => {
      for (const command of [
        { ...notice, to: ["ghost"] },
        { name: "setupLink", origin: "https://im.example" } as const,
      ])
        expect(await sendAdminCommand(server.dataDir, command)).toHaveProperty("error");
    });
    expect(rows).toMatchObject([
      { actorId: null, action: "publishNotice", outcome: "admin.noticeReceivers" },
      { actorId: null, action: "makeSetupLink", outcome: "admin.linkInvalid" },
    ]);
  });

  test("has that an administrator has closed the own account, but not that somebody else has", async () => {
    const [leaving, other] = [await registerPerson(server.url), await registerPerson(server.url)];
    await admin.ok("grantAdmin", { body: { userId: leaving.id } });
    const rows = await newRows(async () => {
      for (const who of [leaving, other]) await who.ok("unregister", { body: { password: PASSWORD } });
    });
    expect(rows).toMatchObject([
      {
        actorId: leaving.id,
        action: "unregister",
        targetKind: "person",
        targetId: leaving.id,
        address: "127.0.0.1",
        outcome: "done",
      },
    ]);
  });

  test("has the same look once in an hour", async () => {
    const rows = await newRows(async () => {
      await admin.ok("listPeople", { query: {} });
      await admin.ok("listPeople", { query: { page: 1 } });
    });
    expect(rows).toHaveLength(1);
  });

  test("lists acts with names, without looks unless asked for, of one actor or action", async () => {
    const banned = await registerPerson(server.url);
    await admin.ok("banPerson", { body: { userId: banned.id, reason: "spam" } });
    const [newest] = (await admin.ok("listAudit", { query: { size: 1 } })).rows;
    expect(newest).toMatchObject({
      actor: { id: admin.id, userName: admin.userName },
      action: "banPerson",
      target: { kind: "person", id: banned.id, name: banned.userName },
      address: "127.0.0.1",
      outcome: "done",
    });
    const actions = async (query: AdminInput<"listAudit">["query"]) =>
      new Set(
        (await admin.ok("listAudit", { query: { size: 100, ...query } })).rows.map((row) => row.action),
      );
    expect(await actions({ kind: "looks" })).toContain("listAudit");
    expect(await actions({})).not.toContain("listAudit");
    expect(await actions({ action: "banPerson" })).toEqual(new Set(["banPerson"]));
    const ofCommandLine = await admin.ok("listAudit", { query: { actor: "commandLine", size: 100 } });
    expect(new Set(ofCommandLine.rows.map(({ actor }) => actor))).toEqual(new Set([null]));
  });
});

test("a password that the server makes is answered once, works, and is in no log", async () => {
  const userName = `made${++nameCount}`;
  const made = await admin.ok("createPerson", { body: { userName, nickName: "Made" } });
  const reset = await admin.ok("resetPersonPassword", { body: { userId: made.userId } });
  for (const password of [made.password ?? "", reset.password]) {
    expect(password).toMatch(/^[a-km-z2-9]{16}$/);
    expect(JSON.stringify([await auditRows(), server.logs])).not.toContain(password);
  }
  const own = await admin.ok("createPerson", {
    body: { userName: `${userName}x`, nickName: "Made", password: "password-2" },
  });
  expect(own.password).toBeNull();
});

test("a person who loses the role may call nothing from then on, and the last administrator keeps it", async () => {
  await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const [one, two] = [await registerPerson(own.url), await registerPerson(own.url)];
  for (const { userName } of [one, two])
    await sendAdminCommand(own.dataDir, { name: "grantAdmin", userName });
  expect((await one.ok("self")).isAdmin).toBe(true);
  await one.ok("revokeAdmin", { body: { userId: two.id } });
  expect(await two.errorKeyOf("listPeople", { query: {} })).toBe("admin.required");
  expect((await two.ok("self")).isAdmin).toBe(false);
  const body = { userId: one.id };
  const last = "admin.lastStays";
  expect(await one.errorKeyOf("revokeAdmin", { body })).toBe(last);
  expect(await one.errorKeyOf("banPerson", { body: { ...body, reason: "spam" } })).toBe(last);
  expect(await one.errorKeyOf("unregisterPerson", { body })).toBe(last);
  expect(await one.errorKeyOf("unregister", { body: { password: "password-1" } })).toBe(last);
  expect(await sendAdminCommand(own.dataDir, { name: "revokeAdmin", userName: one.userName })).toEqual({
    error: `${one.userName} is the last administrator and has to stay.`,
  });
  // Of two, each may take the role of the other, but not both at once.
  await one.ok("grantAdmin", { body: { userId: two.id } });
  const both = await Promise.all([
    one.call("revokeAdmin", { body: { userId: two.id } }),
    two.call("revokeAdmin", { body: { userId: one.id } }),
  ]);
  expect(both.filter(({ envelope }) => envelope.code === 200)).toHaveLength(1);
});

test("an act of somebody who has lost the role since the call was let in changes nothing", async () => {
  const { store } = server.app;
  const late = await registerPerson(server.url);
  const by = { actorId: late.id, address: "192.0.2.1" };
  const act = { ...by, action: "banPerson", isLook: false, target: null, at: 0 } as const;
  const ban = () =>
    store.write(async (tx) => {
      await tx.setBanReason(person.id, "spam");
      await recordAct(tx, act);
    });
  const rows = await newRows(() => expect(ban()).rejects.toThrow("admin.required"));
  expect(rows).toEqual([]);
  expect((await store.findUser(person.id))?.banReason).toBeNull();
});

test("clients of a person who gets, loses or gives up the role load the own user info again", async () => {
  await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
  const [one, two] = [await registerPerson(own.url), await registerPerson(own.url)];
  await sendAdminCommand(own.dataDir, { name: "grantAdmin", userName: one.userName });
  const sockets = await Promise.all([one, two].map((person) => person.connect({ caps: ["changes"] })));
  const [first, second] = sockets;
  for (const call of ["grantAdmin", "revokeAdmin", "grantAdmin"] as const) {
    await one.ok(call, { body: { userId: two.id } });
    expect(await second?.nextOf(82)).toMatchObject({ data: { recvId: two.id, content: "people" } });
  }
  await one.ok("revokeAdmin", { body: { userId: one.id } });
  expect(await first?.nextOf(82)).toMatchObject({ data: { recvId: one.id, content: "people" } });
  for (const socket of sockets) socket.close();
});

test("a changed setting holds at once, is in what clients are told, and null returns to the environment", async () => {
  await using own = await createTestApp({ env: { RATE_LIMITS: "off", RECALL_SECONDS: "60" } });
  const [root, other] = [await registerPerson(own.url), await registerPerson(own.url)];
  await sendAdminCommand(own.dataDir, { name: "grantAdmin", userName: root.userName });
  const saved = await root.ok("saveSettings", {
    body: { isRegistrationOpen: false, recallSeconds: 0, uploadMaxMb: 1 },
  });
  expect(saved.recallSeconds).toEqual({ value: 0, fallback: 60, isSet: true });
  expect(saved.editSeconds).toMatchObject({ isSet: false });
  await expect(registerPerson(own.url)).rejects.toThrow("register.closed");
  const config = await other.ok("loadSystemConfig");
  expect(config).toMatchObject({ message: { recallSeconds: 0 }, upload: { fileMax: 1_048_576 } });
  const { id } = await other.ok("sendPrivateMessage", { body: { recvId: other.id, type: 0, content: "x" } });
  own.clock.advance(1_000);
  expect(await other.errorKeyOf("recallPrivateMessage", { params: { id } })).toBe("message.recallTooLate");
  const back = await root.ok("saveSettings", { body: { recallSeconds: null } });
  expect(back.recallSeconds).toEqual({ value: 60, fallback: 60, isSet: false });
  await other.ok("recallPrivateMessage", { params: { id } });
});

test("a stored setting that no call could have set does not hold, is told in the log, and stops no start", async () => {
  await using own = await createTestApp({ env: { RATE_LIMITS: "off", RECALL_SECONDS: "60" } });
  const root = await registerPerson(own.url);
  await sendAdminCommand(own.dataDir, { name: "grantAdmin", userName: root.userName });
  const stored = { recallSeconds: '"soon"', editSeconds: "-1", uploadMaxMb: "{", uploadDailyMb: "7" };
  await own.app.store.write(async (tx) => {
    for (const [name, json] of Object.entries(stored)) await tx.setSetting(name, json);
  });
  await own.app.stop();
  await own.app.start();
  const again = await logIn(`http://127.0.0.1:${own.app.port}`, root.userName);
  const settings = await again.ok("loadSettings");
  expect(settings.recallSeconds).toEqual({ value: 60, fallback: 60, isSet: false });
  expect(settings.editSeconds.isSet).toBe(false);
  expect(settings.uploadMaxMb.isSet).toBe(false);
  expect(settings.uploadDailyMb).toMatchObject({ value: 7, isSet: true });
  expect((await again.ok("loadSystemConfig")).message.recallSeconds).toBe(60);
  const lines = own.logs.filter((line) => line.includes("the stored value of a setting"));
  expect(lines).toHaveLength(3);
});
