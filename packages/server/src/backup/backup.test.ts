import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { loadConfig } from "../config/config.ts";
import { runRestore } from "./restore.ts";
import { type AdminResult, runAdmin, startAdmin } from "../testing/admin-process.ts";
import { eventually } from "../testing/eventually.ts";
import { toPerson } from "../testing/file-messages.ts";
import { findPostgres } from "../testing/postgres-cluster.ts";
import { startS3Server, type S3Server } from "../testing/s3-server.ts";
import { type ServerProcess, runServer, startServer } from "../testing/server-process.ts";
import { TestPerson, registerFriends, sendText } from "../testing/test-person.ts";
import { createTestDatabase, isPostgresMissing } from "../testing/test-postgres.ts";
import { uploadFile, uploadPicture } from "../testing/upload.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "parley-backup-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

type Env = Record<string, string> & { DATA_DIR: string };

const onDisk = (name: string): Env => ({ DATA_DIR: join(root, name), RATE_LIMITS: "off" });

function inBucket(name: string, { settings }: S3Server): Env {
  return {
    ...onDisk(name),
    S3_ENDPOINT: settings.endpoint,
    S3_BUCKET: settings.bucket,
    S3_REGION: settings.region,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
}

async function startS3(): Promise<S3Server> {
  const s3 = await startS3Server();
  onTestFinished(() => s3.stop());
  return s3;
}

async function start(env: Env): Promise<ServerProcess> {
  const server = await startServer(env);
  onTestFinished(() => server.kill("SIGKILL"));
  return server;
}

async function stop(server: ServerProcess): Promise<void> {
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
}

/** Restores in this process, because starting another takes a second. */
const restore = (env: Env, file: string) =>
  runRestore(loadConfig({ ...env, PASSWORD_COST: "low" }), file, () => undefined);

const succeeded = (result: AdminResult) => expect([result.code, result.err]).toEqual([0, ""]);

/** The same person, session and tokens at another server. */
const at = ({ url }: ServerProcess, person: TestPerson) =>
  new TestPerson(url, person.id, person.userName, person.tokens, person.device);

async function epochOf(person: TestPerson): Promise<string | undefined> {
  const socket = await person.connect();
  const login = socket.frames.find(({ cmd }) => cmd === 0);
  socket.close();
  await socket.closed;
  return login?.data?.epoch;
}

async function sendFile(from: TestPerson, to: TestPerson, data: Buffer): Promise<string> {
  const url = await uploadFile(from, data);
  const content = { name: "Plan.bin", size: data.length, url };
  await from.ok("sendPrivateMessage", toPerson(to, MessageType.FILE, content));
  return url;
}

/** Sends until it is told to stop. Returns what was acknowledged so far. */
function sendConstantly(from: TestPerson, to: TestPerson) {
  const acknowledged: string[] = [];
  let isOn = true;
  const ended = (async () => {
    for (let n = 0; isOn; n++) {
      const content = `message ${n}`;
      await sendText(from, to, content);
      acknowledged.push(content);
    }
  })();
  return {
    acknowledged,
    async stop() {
      isOn = false;
      await ended;
    },
  };
}

async function textsOf(person: TestPerson): Promise<string[]> {
  const rows = await person.ok("loadPrivateMessages", { query: { minId: 0 } });
  return rows.map(({ content }) => content ?? "");
}

/** An installation with two people, a message and a file, which no server uses. */
async function makeInstallation(env: Env): Promise<{ people: [TestPerson, TestPerson]; url: string }> {
  const server = await start(env);
  const people = await registerFriends(server.url);
  await sendText(...people, "before the backup");
  const url = await sendFile(...people, Buffer.from("a file"));
  await stop(server);
  return { people, url };
}

describe.each(["on the disk", "in S3"])("files %s", (place) => {
  test("a backup under load, restored elsewhere, has everything that was acknowledged before, and clients load anew", async () => {
    const isInBucket = place === "in S3";
    const source = isInBucket ? inBucket("source", await startS3()) : onDisk("source");
    const server = await start(source);
    const [ann, bob] = await registerFriends(server.url);
    const large = randomBytes(9_000_000);
    const files = new Map([[await sendFile(ann, bob, large), large]]);
    const { originUrl } = await uploadPicture(ann);
    files.set(originUrl, Buffer.from(await (await fetch(server.url + originUrl)).arrayBuffer()));
    const epoch = await epochOf(ann);
    const load = sendConstantly(ann, bob);
    await eventually(() => expect(load.acknowledged.length).toBeGreaterThan(20));

    const archive = join(root, "backup.tar");
    const before = [...load.acknowledged];
    const made = await runAdmin(source, "backup", archive);
    const during = load.acknowledged.length;
    await load.stop();
    succeeded(made);
    expect(made.out).toMatch(/is complete: 2 people, \d+ messages, 3 files, [\d.]+ MiB, not encrypted\.$/);
    expect(during).toBeGreaterThan(before.length);
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    expect((await readdir(root)).toSorted()).toEqual(["backup.tar", "source"]);
    expect(await readdir(source.DATA_DIR)).not.toContain("backup-work");
    server.kill("SIGKILL");

    const target = isInBucket ? inBucket("target", await startS3()) : onDisk("target");
    succeeded(await runAdmin(target, "restore", archive));
    expect(await runAdmin(target, "doctor")).toEqual({ code: 0, out: "No problems found.", err: "" });
    const restored = await start(target);
    // The sessions go on, because the secret was restored too.
    const again = at(restored, bob);
    expect(await textsOf(again)).toEqual(expect.arrayContaining(before));
    for (const [url, data] of files) {
      const answer = await fetch(restored.url + url);
      expect(data.equals(Buffer.from(await answer.arrayBuffer())), url).toBe(true);
    }
    const renewed = await epochOf(again);
    expect(renewed).toEqual(expect.any(String));
    expect(renewed).not.toBe(epoch);
    expect(await sendText(at(restored, ann), bob, "after it")).toMatchObject({ content: "after it" });
  });
});

test("an encrypted backup is restored with its passphrase, and refused without it, with a wrong one, cut or changed", async () => {
  const source = onDisk("source");
  const { people } = await makeInstallation(source);
  const archive = join(root, "backup.tar.age");
  const passphraseFile = join(root, "passphrase");
  await writeFile(passphraseFile, "correct horse\n");
  const made = await runAdmin(source, "backup", archive, "--passphrase-file", passphraseFile);
  succeeded(made);
  expect(made.out).toMatch(/, encrypted\.$/);
  const bytes = await readFile(archive);
  expect(bytes.includes("manifest.json")).toBe(false);

  const target = { ...onDisk("target"), BACKUP_PASSPHRASE: "correct horse" };
  const refusals: [data: Buffer, env: Env, reason: string][] = [
    [bytes, onDisk("target"), "is encrypted; give its passphrase"],
    [bytes, { ...target, BACKUP_PASSPHRASE: "wrong" }, "The passphrase of "],
    [bytes.subarray(0, -1), target, "is no complete backup"],
    // At the end of a chunk of age.
    [bytes.subarray(0, bytes.length - (bytes.length % 65_536)), target, "is no complete backup"],
    [flipped(bytes, bytes.length - 100), target, "is no complete backup"],
    [flipped(bytes, Math.floor(bytes.length / 2)), target, "is no complete backup"],
  ];
  for (const [data, env, reason] of refusals) {
    await writeFile(join(root, "changed"), data);
    await expect(restore(env, join(root, "changed"))).rejects.toThrow(reason);
    expect(await readdir(target.DATA_DIR)).toEqual(["parley.lock"]);
  }
  const wrong = await runAdmin({ ...target, BACKUP_PASSPHRASE: "wrong" }, "restore", archive);
  const sentence = `The passphrase of ${archive} is wrong, or its beginning is damaged.`;
  expect(wrong).toEqual({ code: 1, out: `Verifying ${archive} ...`, err: sentence });
  succeeded(await runAdmin(target, "restore", archive));
  const restored = await start(onDisk("target"));
  expect(await textsOf(at(restored, people[1]))).toContain("before the backup");
});

test("an archive that is not encrypted is refused where an encrypted one is expected", async () => {
  const source = onDisk("source");
  await makeInstallation(source);
  const archive = join(root, "backup.tar");
  succeeded(await runAdmin(source, "backup", archive));
  const target = onDisk("target");
  const withPassphrase = restore({ ...target, BACKUP_PASSPHRASE: "correct horse" }, archive);
  await expect(withPassphrase).rejects.toThrow("is not encrypted, although a passphrase is given");
  await rename(archive, `${archive}.age`);
  await expect(restore(target, `${archive}.age`)).rejects.toThrow(
    "is not encrypted, although its name says so",
  );
  expect(await readdir(target.DATA_DIR)).toEqual(["parley.lock"]);
});

test("a backup without encryption is refused when a byte of it was changed, or when it was cut", async () => {
  const source = onDisk("source");
  const { url } = await makeInstallation(source);
  const archive = join(root, "backup.tar");
  succeeded(await runAdmin(source, "backup", archive));
  const bytes = await readFile(archive);
  const place = (text: string) => {
    const found = bytes.indexOf(text);
    expect(found).toBeGreaterThan(0);
    return found;
  };
  const changed = [
    flipped(bytes, place("a file")),
    flipped(bytes, place(url.slice(1))),
    flipped(bytes, place("SQLite format 3") + 5_000),
    flipped(bytes, place("  secret\n") - 1),
    bytes.subarray(0, place("SHA256SUMS")),
    bytes.subarray(0, place("a file")),
    bytes.subarray(0, 700),
    Buffer.from("no backup at all"),
    Buffer.alloc(0),
  ];
  for (const [at, data] of changed.entries()) {
    await writeFile(join(root, "changed"), data);
    const refusal = restore(onDisk("target"), join(root, "changed"));
    await expect(refusal, String(at)).rejects.toThrow("is no complete backup of Parley");
    expect(await readdir(join(root, "target"))).toEqual(["parley.lock"]);
  }
});

function flipped(data: Buffer, position: number): Buffer {
  const copy = Buffer.from(data);
  copy[position] = (copy[position] ?? 0) ^ 1;
  return copy;
}

test("a backup that is killed leaves no file with its name, and a repetition works", async () => {
  const s3 = await startS3();
  const source = inBucket("source", s3);
  await makeInstallation(source);
  s3.fault = ({ kind }) => (kind === "GET" ? "silent" : undefined);
  const archive = join(root, "backup.tar");
  const { child, ended } = startAdmin(source, "backup", archive);
  await eventually(() => expect(s3.requests.some(({ kind }) => kind === "GET")).toBe(true));
  const second = await runAdmin(source, "backup", join(root, "second.tar"));
  expect([second.code, second.err]).toEqual([1, "Another backup is running; wait until it has ended."]);
  child.kill("SIGKILL");
  await ended;
  expect((await readdir(root)).toSorted()).toEqual(["backup.tar.part", "source"]);
  const refused = await runAdmin(onDisk("target"), "restore", `${archive}.part`);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is no complete backup")]);

  s3.fault = () => undefined;
  succeeded(await runAdmin(source, "backup", archive));
  expect((await readdir(root)).toSorted()).toEqual(["backup.tar", "source", "target"]);
  expect(await readdir(source.DATA_DIR)).not.toContain("backup-work");
  const again = await runAdmin(source, "backup", archive);
  expect([again.code, again.err]).toEqual([1, `${archive} exists already; give another name.`]);
});

test("a backup of files that cannot be read is refused with a sentence, and leaves nothing", async () => {
  const s3 = await startS3();
  const source = inBucket("source", s3);
  await makeInstallation(source);
  s3.fault = ({ kind }) => (kind === "GET" ? "refuse" : undefined);
  const { code, err } = await runAdmin(source, "backup", join(root, "backup.tar"));
  expect([code, err]).toEqual([1, expect.stringMatching(/^There is no backup, because .*AccessDenied.*\.$/)]);
  expect(await readdir(root)).toEqual(["source"]);
});

test("files that were gone before the backup are named, and the rest is archived", async () => {
  const source = onDisk("source");
  const { url } = await makeInstallation(source);
  await rm(join(source.DATA_DIR, url.slice(1)));
  const { code, out } = await runAdmin(source, "backup", join(root, "backup.tar"));
  expect([code, out.split("\n")]).toEqual([
    0,
    [
      `The file ${url} is gone.`,
      expect.stringContaining("1 files were already gone or changed"),
      expect.stringContaining("is complete: 2 people, "),
    ],
  ]);
});

test("a restore that is killed lets no server start, and a repetition works", async () => {
  const source = onDisk("source");
  const { people, url } = await makeInstallation(source);
  const archive = join(root, "backup.tar");
  succeeded(await runAdmin(source, "backup", archive));
  const s3 = await startS3();
  const target = inBucket("target", s3);
  s3.fault = ({ kind }) => (kind === "PUT" ? "silent" : undefined);
  const { child, ended } = startAdmin(target, "restore", archive);
  await eventually(() => expect(s3.requests.some(({ kind }) => kind === "PUT")).toBe(true));
  expect((await runServer(target)).output).toContain("A backup is being restored into ");
  child.kill("SIGKILL");
  await ended;
  const interrupted = "npm run admin -- restore <file>` again";
  expect(await runServer(target)).toMatchObject({ code: 1, output: expect.stringContaining(interrupted) });
  expect((await runAdmin(target, "users")).err).toContain(interrupted);
  expect(await readdir(target.DATA_DIR)).not.toContain("parley.sqlite");

  s3.fault = () => undefined;
  succeeded(await runAdmin(target, "restore", archive));
  // Killed while everything was moved to its place.
  await mkdir(join(target.DATA_DIR, "restoring"));
  await writeFile(join(target.DATA_DIR, "restoring", "verified"), "");
  await rename(join(target.DATA_DIR, "parley.sqlite"), join(target.DATA_DIR, "restoring", "database.sqlite"));
  expect((await runServer(target)).output).toContain(interrupted);
  succeeded(await runAdmin(target, "restore", archive));
  expect((await readdir(target.DATA_DIR)).filter((name) => name.startsWith("restoring"))).toEqual([]);
  const restored = await start(target);
  expect(await textsOf(at(restored, people[1]))).toContain("before the backup");
  expect(await (await fetch(restored.url + url)).text()).toBe("a file");
});

test("a restore is refused where a server runs, or where data is", async () => {
  const source = onDisk("source");
  await makeInstallation(source);
  const archive = join(root, "backup.tar");
  succeeded(await runAdmin(source, "backup", archive));
  const before = await readFile(join(source.DATA_DIR, "parley.sqlite"));
  const used = await runAdmin(source, "restore", archive);
  expect([used.code, used.err]).toEqual([1, expect.stringContaining("only into an empty DATA_DIR")]);
  // The log would be written into the restored database.
  const target = onDisk("log of another database");
  await mkdir(target.DATA_DIR);
  await writeFile(join(target.DATA_DIR, "parley.sqlite-wal"), "pages of another database");
  const besideLog = await runAdmin(target, "restore", archive);
  expect([besideLog.code, besideLog.err]).toEqual([
    1,
    expect.stringMatching(/parley\.sqlite-wal exists: .* only into an empty DATA_DIR/),
  ]);
  await symlink(root, join(target.DATA_DIR, "files"));
  await rm(join(target.DATA_DIR, "parley.sqlite-wal"));
  const besideLink = await runAdmin(target, "restore", archive);
  expect([besideLink.code, besideLink.err]).toEqual([1, expect.stringContaining("is a link")]);
  expect(await readdir(target.DATA_DIR)).not.toContain("restoring");
  const server = await start(source);
  const running = await runAdmin(source, "restore", archive);
  expect([running.code, running.err]).toEqual([
    1,
    expect.stringContaining("is in use by another Parley server"),
  ]);
  await stop(server);
  expect((await readFile(join(source.DATA_DIR, "parley.sqlite"))).length).toBe(before.length);
});

/** The commands of the part of docs/backup.md about PostgreSQL: those that back up, and those that restore. */
async function documentedCommands(folder: string): Promise<string[][]> {
  const document = await readFile(new URL("../../../../docs/backup.md", import.meta.url), "utf8");
  const part = document.slice(document.indexOf("\n## PostgreSQL"), document.indexOf("\n## The data of"));
  const blocks = [...part.matchAll(/```sh\n(.*?)```/gs)].map(([, text = ""]) => text);
  return blocks.map((text) => text.trim().replaceAll("/mnt/backup", folder).split("\n"));
}

async function runDocumented(
  env: Env & { DATABASE_URL: string },
  commands: readonly string[],
): Promise<void> {
  const path = `${findPostgres()}:${process.env["PATH"]}`;
  for (const command of commands) {
    const [npm, args = ""] = command.split("npm run admin -- ");
    if (npm === "") succeeded(await runAdmin(env, ...args.split(" ")));
    else await promisify(execFile)("sh", ["-c", command], { env: { ...env, PATH: path } });
  }
}

test.skipIf(isPostgresMissing)(
  "the documented commands for PostgreSQL bring everything to another database, where clients load it anew",
  async () => {
    const databases = [await createTestDatabase(), await createTestDatabase()];
    onTestFinished(async () => void (await Promise.all(databases.map((database) => database.drop()))));
    const [from, to] = databases.map(({ url }) => url) as [string, string];
    const source = { ...onDisk("source"), DATABASE_URL: from };
    const { people, url } = await makeInstallation(source);
    const [backup, restoring] = (await documentedCommands(root)) as [string[], string[]];
    await runDocumented(source, backup);
    const target = { ...onDisk("target"), DATABASE_URL: to };
    await runDocumented(target, restoring);
    const restored = await start(target);
    const [ann, bob] = [at(restored, people[0]), at(restored, people[1])];
    expect(await textsOf(bob)).toContain("before the backup");
    expect(await (await fetch(restored.url + url)).text()).toBe("a file");
    expect(await sendText(ann, bob, "after it")).toMatchObject({ content: "after it" });
    const epochs = await Promise.all(
      databases.map(({ query }) => query("select value from meta where key = 'epoch'")),
    );
    expect(epochs[1]).toEqual([{ value: expect.any(String) }]);
    expect(epochs[1]).not.toEqual(epochs[0]);
    // Its clients know the epoch with which it started.
    const elsewhere = await runAdmin({ ...onDisk("elsewhere"), DATABASE_URL: to }, "restored");
    expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining("; stop that one first.") });
    expect(await databases[1]?.query("select value from meta where key = 'epoch'")).toEqual(epochs[1]);
  },
);

test("with PostgreSQL, files and keys are archived and restored, and the database is left to pg_dump", async () => {
  const source = onDisk("source");
  const { url } = await makeInstallation(source);
  // Nobody connects to it: the files are those that are stored.
  const DATABASE_URL = "postgres://nobody@127.0.0.1:1/parley";
  const archive = join(root, "backup.tar");
  const whole = await runAdmin({ ...source, DATABASE_URL }, "backup", archive);
  expect([whole.code, whole.err]).toEqual([1, expect.stringContaining("back it up with pg_dump first")]);
  succeeded(await runAdmin({ ...source, DATABASE_URL }, "backup", archive, "--files-only"));
  const target = { ...onDisk("target"), DATABASE_URL };
  await expect(restore(onDisk("target"), archive)).rejects.toThrow(
    "holds only the files of an installation with",
  );
  await restore(target, archive);
  expect(await readFile(join(target.DATA_DIR, url.slice(1)), "utf8")).toBe("a file");
  const secrets = [source, target].map(({ DATA_DIR }) => readFile(join(DATA_DIR, "secret"), "utf8"));
  const [before, after] = await Promise.all(secrets);
  expect(after).toBe(before);
  expect(await readdir(target.DATA_DIR)).not.toContain("parley.sqlite");
});
