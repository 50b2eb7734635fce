import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { MessageType, FindableBy } from "@parley/protocol/codes";
import { type AdminResult, runAdmin, startAdmin } from "../testing/admin-process.ts";
import { eventually } from "../testing/eventually.ts";
import { plantTrigger } from "../testing/planted-trigger.ts";
import { createPushService } from "../testing/push-service.ts";
import { type ServerProcess, startServer } from "../testing/server-process.ts";
import {
  befriend,
  makeGroup,
  registerFriends,
  registerPerson,
  sendText,
  TestPerson,
} from "../testing/test-person.ts";
import {
  createTestDatabase,
  isPostgresMissing,
  POSTGRES,
  type TestDatabase,
} from "../testing/test-postgres.ts";
import { uploadFile, uploadPicture } from "../testing/upload.ts";

let dataDir: string;
let target: TestDatabase;

const copy = (): Promise<AdminResult> => runAdmin({ DATA_DIR: dataDir }, "copy", "--to", target.url);
const relations = () =>
  target.query("select relname from pg_class where relnamespace = 'public'::regnamespace");

async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({
    DATA_DIR: dataDir,
    RATE_LIMITS: "off",
    WEB_PUSH: "private",
    ...env,
  });
  onTestFinished(() => server.kill("SIGKILL"));
  return server;
}

async function stop(server: ServerProcess): Promise<void> {
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
}

async function epochOf(person: TestPerson): Promise<string | undefined> {
  const socket = await person.connect();
  const login = socket.frames.find(({ cmd }) => cmd === 0);
  socket.close();
  await socket.closed;
  return login?.data?.epoch;
}

/** The same person, session and tokens at another server. */
const at = (url: string, person: TestPerson) =>
  new TestPerson(url, person.id, person.userName, person.tokens, person.device);

const sendToGroup = (from: TestPerson, groupId: number, content: string, more: object = {}) =>
  from.ok("sendGroupMessage", { body: { groupId, type: MessageType.TEXT, content, ...more } });

/** People who have used everything that leaves rows behind. */
interface Installation {
  ann: TestPerson;
  bob: TestPerson;
  cat: TestPerson;
  groupId: number;
  picture: string;
}

async function useEverything(url: string): Promise<Installation> {
  const [ann, bob] = await registerFriends(url);
  const cat = await registerPerson(url);
  const groupId = await makeGroup(ann, [bob, cat]);
  await ann.ok("updateFriendRemark", { body: { friendId: bob.id, remarkNickName: "Bobby 🦊" } });
  const first = await sendText(ann, bob, "今天下午三点");
  const quoting = await bob.ok("sendPrivateMessage", {
    body: {
      recvId: ann.id,
      type: MessageType.TEXT,
      content: "好的",
      quoteMessageId: first.id,
      tmpId: "bob-1",
    },
  });
  await bob.ok("sendPrivateMessage", {
    body: { recvId: ann.id, type: MessageType.EDIT, content: "好的，四点", quoteMessageId: quoting.id },
  });
  const recalled = await sendText(ann, bob, "a mistake");
  await ann.ok("recallPrivateMessage", { params: { id: recalled.id } });
  const hidden = await sendText(ann, bob, "hidden from Bob");
  await bob.ok("deletePrivateMessages", { body: { friendId: ann.id, ids: [hidden.id] } });
  const { originUrl, thumbUrl, width, height } = await uploadPicture(ann);
  const picture = JSON.stringify({ originUrl, thumbUrl, width, height });
  await ann.ok("sendPrivateMessage", { body: { recvId: bob.id, type: MessageType.IMAGE, content: picture } });
  const deleted = await uploadPicture(ann, "red");
  const withPicture = await ann.ok("sendPrivateMessage", {
    body: { recvId: bob.id, type: MessageType.IMAGE, content: JSON.stringify({ ...deleted }) },
  });
  await ann.ok("recallPrivateMessage", { params: { id: withPicture.id } });
  await uploadFile(bob, Buffer.from("nobody names it"));
  await bob.ok("readPrivateMessages", { query: { friendId: ann.id } });
  await bob.ok("setReaction", { body: { id: first.id, key: "👍", on: true } });
  await ann.ok("setPin", { body: { id: first.id, on: true } });
  const poll = {
    options: ["a", "b"],
    max: 1,
    secret: false,
    hidden: true,
    closesAt: Date.now() + 86_400_000,
  };
  await ann.ok("sendPrivateMessage", { body: { recvId: bob.id, type: 0, content: "聚餐?", poll } });
  await bob.ok("setSaved", { body: { id: first.id, note: "三点 🦊", tags: ["工作"] } });
  await bob.ok("setChatPrefs", {
    body: { type: "PRIVATE", targetId: ann.id, set: { unreadMark: first.id } },
  });

  const asked = await sendToGroup(ann, groupId, "谁来吃饭？", { receipt: true, atUserIds: [bob.id] });
  await bob.ok("readGroupMessages", { query: { groupId } });
  await sendToGroup(bob, groupId, "\\ \" {} NULL '' \t 👩‍🚀", { quoteMessageId: asked.id });
  await sendToGroup(cat, groupId, "advertising");
  await ann.ok("removeGroupMembers", { body: { groupId, userIds: [cat.id], deleteMessages: true } });
  // Cat, who has left, keeps the first text.
  await sendToGroup(ann, groupId, "谁来吃晚饭？", { type: MessageType.EDIT, quoteMessageId: asked.id });
  await ann.ok("deleteGroupMessages", { body: { groupId, ids: [asked.id] } });
  await cat.ok("applyGroup", { body: { groupId, remark: "let me in again" } });
  await ann.ok("createGroup", { body: { name: "made once", tmpId: "group-1" } });

  const dan = await registerPerson(url);
  await dan.ok("setManualApprove", { query: { enabled: true } });
  // Only the whole user name finds them, which the server remembers for whoever has typed it.
  await dan.ok("setFindableBy", { query: { by: FindableBy.USER_NAME } });
  await ann.ok("findUsersByName", { query: { name: dan.userName } });
  await ann.ok("applyFriend", { body: { friendId: dan.id } });
  await ann.ok("addToBlacklist", { query: { userId: cat.id } });
  await runAdmin({ DATA_DIR: dataDir }, "notice", "--title", "Welcome", "--html-file", "/dev/null");
  await runAdmin({ DATA_DIR: dataDir }, "notice", "--title", "Welcome", "--text", "停机通知");
  await runAdmin({ DATA_DIR: dataDir }, "invite-code", "create", "--uses", "3", "--days", "30");
  await ann.ok("reportAbuse", { body: { userId: dan.id, reason: "spam", text: "again" } });
  await runAdmin({ DATA_DIR: dataDir }, "ban", dan.userName, "--reason", "spam");
  await runAdmin({ DATA_DIR: dataDir }, "call", "saveSettings", "--body", '{"recallSeconds":299}');
  return { ann, bob, cat, groupId, picture: originUrl };
}

describe.skipIf(isPostgresMissing)(`npm run admin -- copy, to ${POSTGRES}`, () => {
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "parley-copy-"));
    target = await createTestDatabase();
    onTestFinished(async () => {
      await target.drop();
      await rm(dataDir, { recursive: true, force: true });
    });
  });

  test("a stopped installation goes on in PostgreSQL: same sessions, epoch and cursors, nothing lost or doubled, all is found", async () => {
    await using pushService = await createPushService();
    const { subscription } = pushService.device();
    const before = await start();
    const { ann, bob, groupId, picture } = await useEverything(before.url);
    await bob.ok("subscribeWebPush", { body: { ...subscription, preview: true } });
    const epoch = await epochOf(bob);
    // What Bob's client has got so far: its cursors are the newest ids, and the token of the change feed.
    const known = await bob.ok("loadPrivateMessages", { query: { minId: 0 } });
    const knownInGroups = await bob.ok("loadGroupMessages", { query: { minId: 0 } });
    const { next } = await bob.ok("loadChanges", { query: {} });
    const minId = Math.max(...known.map(({ id }) => id));
    const minIdInGroups = Math.max(...knownInGroups.map(({ id }) => id));
    // Messages that are new for him when he comes back.
    const missed = await sendText(ann, bob, "missed 午饭");
    const missedInGroup = await sendToGroup(ann, groupId, "missed 晚饭");
    await ann.ok("readPrivateMessages", { query: { friendId: bob.id } });
    const everything = async (person: TestPerson) => ({
      private: await person.ok("loadPrivateMessages", { query: { minId: 0 } }),
      groups: await person.ok("loadGroupMessages", { query: { minId: 0 } }),
      changes: await person.ok("loadChanges", { query: {} }),
      friends: await person.ok("listFriends"),
      requests: await person.ok("listFriendRequests"),
      ownGroups: await person.ok("listGroups"),
      members: await person.ok("listGroupMembers", { params: { id: groupId } }),
      blacklist: await person.ok("listBlacklist"),
      sessions: (await person.ok("listSessions")).length,
      self: await person.ok("self"),
    });
    const wanted = { ann: await everything(ann), bob: await everything(bob) };
    const missedChanges = await bob.ok("loadChanges", { query: { since: next } });
    await stop(before);

    const result = await copy();
    expect(result).toMatchObject({ code: 0, err: "" });
    const lines = result.out.split("\n");
    expect(lines[0]).toMatch(
      /^Copying \d+ tables of .*parley\.sqlite, which no server uses, to postgres:\/\//,
    );
    expect(lines.at(-1)).toMatch(
      /^The copy is complete: \d+ tables, \d+ rows, no difference\. It has the same epoch/,
    );
    const db = new Database(join(dataDir, "parley.sqlite"), { readonly: true });
    const countOf = (table: string) => db.prepare(`select count(*) from "${table}"`).pluck().get() as number;
    const counts = new Map(
      lines.flatMap((line) => {
        const [, name = "", rows = ""] = /^(\w+)\t(\d+) rows\t[0-9a-f]{32}\tsame$/.exec(line) ?? [];
        return name === "" ? [] : [[name, Number(rows)] as const];
      }),
    );
    for (const [name, rows] of counts)
      if (name !== "meta") expect([name, rows]).toEqual([name, countOf(name)]);
    db.close();
    // Nobody is in a call, and a server on SQLite is the only one.
    const empty = [...counts].filter(([, rows]) => rows === 0).map(([name]) => name);
    expect(empty.toSorted()).toEqual(["call", "callFrame", "callMember", "node"]);

    const after = await start({ DATABASE_URL: target.url });
    const [annNow, bobNow] = [at(after.url, ann), at(after.url, bob)];
    expect(await epochOf(bobNow)).toBe(epoch);
    expect({ ann: await everything(annNow), bob: await everything(bobNow) }).toEqual(wanted);
    // The old cursors bring what is new. A pull begins a little before its cursor, so what is older is known.
    const idsAfter = async (cursor: number) =>
      (await bobNow.ok("loadPrivateMessages", { query: { minId: cursor } })).map(({ id }) => id);
    const idsInGroupsAfter = async (cursor: number) =>
      (await bobNow.ok("loadGroupMessages", { query: { minId: cursor } })).map(({ id }) => id);
    expect((await idsAfter(minId)).filter((id) => id > minId)).toEqual([missed.id]);
    expect((await idsInGroupsAfter(minIdInGroups)).filter((id) => id > minIdInGroups)).toEqual([
      missedInGroup.id,
    ]);
    expect(await bobNow.ok("loadChanges", { query: { since: next } })).toEqual(missedChanges);
    expect(missedChanges.read).not.toEqual([]);

    const find = async (q: string) =>
      (await bobNow.ok("searchMessages", { query: { q } })).hits
        .map(({ message }) => message.content)
        .toSorted();
    expect(await find("午")).toEqual(["missed 午饭", "今天下午三点"].toSorted());
    expect(await find("晚饭")).toEqual(["missed 晚饭", "谁来吃晚饭？"].toSorted());
    expect(await find("mistake")).toEqual([]);

    // New ids follow the old ones, and a send whose answer was lost before the copy is not stored twice.
    const newer = await sendText(annNow, bobNow, "in PostgreSQL");
    expect(newer.id).toBe(Math.max(missed.id, missedInGroup.id) + 1);
    expect((await sendToGroup(annNow, groupId, "in PostgreSQL")).id).toBe(newer.id + 1);
    const repeated = { recvId: ann.id, type: MessageType.TEXT, content: "好的", tmpId: "bob-1" };
    const { id: repeatedId } = await bobNow.ok("sendPrivateMessage", { body: repeated });
    expect(known.map(({ id }) => id)).toContain(repeatedId);
    const { id: madeOnce } = await annNow.ok("createGroup", {
      body: { name: "made once", tmpId: "group-1" },
    });
    expect(wanted.ann.ownGroups.map(({ id }) => id)).toContain(madeOnce);
    const carl = await registerPerson(after.url);
    await befriend(annNow, carl);
    expect((await fetch(after.url + picture)).status).toBe(200);
    expect(await runAdmin({ DATA_DIR: dataDir, DATABASE_URL: target.url }, "doctor")).toMatchObject({
      err: "",
      out: expect.not.stringMatching(/gone|unknown|changed/),
    });
    await pushService.requests(1);
    await stop(after);
  });

  test("no server starts on the source of a move until it is told to go back, which clients notice", async () => {
    const before = await start();
    const [ann, bob] = await registerFriends(before.url);
    const epoch = await epochOf(bob);
    await stop(before);
    const isMarked = () => {
      const db = new Database(join(dataDir, "parley.sqlite"), { readonly: true });
      const mark = db.prepare("select value from meta where key = 'movedTo'").pluck().get();
      db.close();
      return mark !== undefined;
    };
    expect((await copy()).code).toBe(0);
    expect(isMarked()).toBe(true);
    await expect(start()).rejects.toThrow(
      /it was copied to postgres:\/\/.*; set DATABASE_URL, or run `npm run/,
    );
    expect(await runAdmin({ DATA_DIR: dataDir }, "invite-code", "create")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("it was copied to postgres://"),
    });
    // The mark is of the source: a copy of it can be used.
    await target.query("drop schema public cascade; create schema public");
    expect((await copy()).code).toBe(0);
    const moved = await start({ DATABASE_URL: target.url });
    expect(await epochOf(at(moved.url, bob))).toBe(epoch);
    await stop(moved);
    expect((await runAdmin({ DATA_DIR: dataDir }, "restored")).code).toBe(0);
    expect(isMarked()).toBe(false);
    const back = await start();
    expect(await epochOf(at(back.url, bob))).not.toBe(epoch);
    await sendText(at(back.url, ann), bob, "on SQLite again");
  });

  test("a source that cannot be marked is named, with what must not be done", async () => {
    await stop(await start());
    const db = new Database(join(dataDir, "parley.sqlite"));
    db.exec(
      "create trigger refuse before insert on meta when new.key = 'movedTo' begin select raise(abort, 'no'); end",
    );
    db.close();
    const { code, err } = await copy();
    expect(code).toBe(1);
    expect(err).toMatch(
      /^The copy is complete, but .*parley\.sqlite cannot be marked as moved \(no\); start no server/,
    );
    expect(await relations()).not.toEqual([]);
  });

  test("a call that rings when the server stops rings on", async () => {
    const before = await start();
    const [ann, bob] = await registerFriends(before.url);
    const [host, callee] = [ann.tab("host"), bob.tab("callee")];
    await host.connect({ caps: ["rtc110"] });
    await callee.connect({ caps: ["rtc110"] });
    await host.ok("setupPrivateCall", { query: { uid: bob.id, mode: "voice" } });
    await stop(before);
    expect((await copy()).code).toBe(0);
    const after = await start({ DATABASE_URL: target.url });
    const hostSocket = await at(after.url, host).connect({ caps: ["rtc110"] });
    await at(after.url, callee).connect({ caps: ["rtc110"] });
    await at(after.url, callee).ok("acceptPrivateCall", { query: { uid: ann.id } });
    await hostSocket.nextOf(MessageType.RTC_ACCEPT);
  });

  test("a running server goes on, and the copy has all that was acknowledged before it and another epoch", async () => {
    const server = await start();
    const [ann, bob] = await registerFriends(server.url);
    const acknowledged: number[] = [];
    let isDone = false;
    const sending = (async () => {
      while (!isDone) acknowledged.push((await sendText(ann, bob, `${acknowledged.length}`)).id);
    })();
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(20));
    const newestBefore = Math.max(...acknowledged);
    const result = await copy();
    isDone = true;
    await sending;
    expect(result).toMatchObject({ code: 0, err: "" });
    expect(result.out).toContain("which a running server uses");
    expect(result.out.split("\n").at(-1)).toContain("it has a new epoch: clients load everything again");
    expect(Math.max(...acknowledged)).toBeGreaterThan(newestBefore);
    const rows = await target.query(`select id::int as id from "message" order by id`);
    const ids = rows.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    expect(ids.length).toBeGreaterThanOrEqual(newestBefore);
    const epoch = await epochOf(bob);
    expect(await epochOf(bob)).toBe(epoch);
    // A server that runs beside the first one needs a folder of its own.
    const trialDir = await mkdtemp(join(tmpdir(), "parley-copy-trial-"));
    onTestFinished(() => rm(trialDir, { recursive: true, force: true }));
    await cp(join(dataDir, "secret"), join(trialDir, "secret"));
    const trial = await start({ DATA_DIR: trialDir, DATABASE_URL: target.url });
    expect(await epochOf(at(trial.url, bob))).not.toBe(epoch);
    // Only a move ends the source.
    await stop(server);
    await start();
  });

  test("a copy that is killed in the middle leaves nothing, and can be repeated", async () => {
    const server = await start();
    const [ann, bob] = await registerFriends(server.url);
    await sendText(ann, bob, "kept");
    await stop(server);
    const trigger = await plantTrigger(target, "message", "perform pg_advisory_xact_lock(1); return new");
    await target.query("select pg_advisory_lock(1)");
    const { child, ended } = startAdmin({ DATA_DIR: dataDir }, "copy", "--to", target.url);
    await trigger.waitUntilBlocked();
    child.kill("SIGKILL");
    expect((await ended).code).toBeNull();
    await target.query("select pg_advisory_unlock(1)");
    await trigger.remove();
    // Until PostgreSQL has noticed, the tables are there for nobody but the killed program.
    expect(await relations()).toEqual([]);
    let result = await copy();
    while (result.err.includes("is in use by a server or another copy")) {
      await sleep(20);
      result = await copy();
    }
    expect(result).toMatchObject({ code: 0, err: "" });
    expect(await target.query(`select content from "message" where type = 0`)).toEqual([{ content: "kept" }]);
  });

  test("a difference is reported in the line of its table and in the last one, and ends the command with 1", async () => {
    const server = await start();
    const [ann, bob] = await registerFriends(server.url);
    await sendText(ann, bob, "right");
    await stop(server);
    await plantTrigger(
      target,
      "message",
      "new.content := replace(new.content, 'right', 'wrong'); return new",
    );
    const { code, out, err } = await copy();
    expect([code, err]).toEqual([1, ""]);
    const lines = out.split("\n");
    const different = lines.filter((line) => line.includes("DIFFERENT"));
    expect(different).toEqual([
      expect.stringMatching(/^message\t2 rows\t[0-9a-f]{32}\tDIFFERENT: 2 rows, [0-9a-f]{32}$/),
    ]);
    expect(lines.at(-1)).toBe("The copy was not kept, because it differs in message.");
    expect(out).not.toMatch(/right|wrong/);
    expect(await relations()).toEqual([]);
  });

  test("refusals are one sentence without the password", async () => {
    await stop(await start());
    const refusal = async (to: string, env = {}) => {
      const { code, out, err } = await runAdmin({ DATA_DIR: dataDir, ...env }, "copy", "--to", to);
      expect([code, out, err.split("\n").length]).toEqual([1, "", 1]);
      expect(err).not.toContain("hunter2");
      return err;
    };
    expect(await refusal("mysql://parley:hunter2@127.0.0.1/parley")).toMatch(/^--to must be a URL such as/);
    expect(await refusal("postgres://parley:hunter2#@127.0.0.1/parley")).toMatch(
      /at this URL cannot be opened/,
    );
    expect(await refusal("postgres://parley:hunter2@127.0.0.1:1/parley")).toMatch(
      /^The database postgres:\/\/127\.0\.0\.1:1\/parley cannot be opened: .*ECONNREFUSED/,
    );
    expect(await refusal(target.url, { DATABASE_URL: target.url })).toMatch(/^DATABASE_URL must not be set/);
    await target.query("create table other (id int)");
    expect(await refusal(target.url)).toMatch(/is not empty, it has other; nothing was changed/);
  });
});
