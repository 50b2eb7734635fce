import { execFileSync } from "node:child_process";
import {
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { findingSentence } from "@parley/protocol/findings";
import { checkPostgres, postgresProblems } from "../adapters/store/check-postgres.ts";
import { lockFile } from "../adapters/store/sqlite-backup.ts";
import { loadConfig } from "../config/config.ts";
import { type AdminResult, runAdmin } from "../testing/admin-process.ts";
import { type PostgresCluster, startCluster } from "../testing/postgres-cluster.ts";
import { freePort } from "../testing/local-programs.ts";
import { isRedisMissing, startRedis } from "../testing/redis-server.ts";
import { runSql } from "../testing/run-sql.ts";
import { startS3Server } from "../testing/s3-server.ts";
import { startServer } from "../testing/server-process.ts";
import { registerPerson } from "../testing/test-person.ts";
import { isPostgresMissing } from "../testing/test-postgres.ts";
import { uploadFile, uploadPicture } from "../testing/upload.ts";
import { checkServices } from "./doctor.ts";
import { clockFindings } from "./check-clock.ts";
import { checkFolder, flushProblems } from "./check-folder.ts";
import { certificateProblems } from "./check-public-url.ts";

const DAY_MS = 24 * 3_600_000;
const isRoot = process.getuid?.() === 0;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-doctor-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const doctor = (env: Record<string, string> = {}, ...args: string[]): Promise<AdminResult> =>
  runAdmin({ DATA_DIR: dataDir, ...env }, "doctor", ...args);
const sentencesOf = async () =>
  (await checkFolder(loadConfig({ DATA_DIR: dataDir }))).map(({ sentence }) => sentence);

/** A data folder of a server that has stopped, with a file that the database knows. */
async function makeInstallation(): Promise<void> {
  const server = await startServer({ DATA_DIR: dataDir });
  const person = await registerPerson(server.url);
  await uploadFile(person, Buffer.from("known"));
  await uploadPicture(person);
  server.kill("SIGTERM");
  await server.exited;
}

test("M140 doctor names messages from the future, and correct-times brings them back while no server runs", async () => {
  await makeInstallation();
  const ahead = Date.now() + 3_600_000;
  const db = new Database(join(dataDir, "parley.sqlite"));
  db.exec(
    "insert into privateChat (ownerId, peerId, chatId, readId, changed) select id, id, -1, -1, 0 from user",
  );
  db.prepare(
    `insert into message (id, chatId, type, sendId, recvId, sendNickName, sendRole, content, sendTime, receipt)
      select 1, -1, 0, id, id, 'x', 0, 'x', ?, 0 from user`,
  ).run(ahead);
  db.close();
  expect((await doctor()).out).toMatch(/The newest message lies \d+ s in the future.+correct-times/);
  const running = await startServer({ DATA_DIR: dataDir });
  expect((await runAdmin({ DATA_DIR: dataDir }, "correct-times")).err).toContain("Stop the server");
  running.kill("SIGTERM");
  await running.exited;
  expect((await runAdmin({ DATA_DIR: dataDir }, "correct-times")).out).toContain(
    "1 message has the right time",
  );
  expect(await doctor()).toMatchObject({ out: "No problems found.", code: 0 });
});

test("doctor does not follow links in the folder of files, and --fix moves nothing through them", async () => {
  await makeInstallation();
  const outside = await mkdtemp(join(tmpdir(), "parley-outside-"));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  const name = `${"a".repeat(22)}.png`;
  await writeFile(join(outside, name), "not Parley's");
  await symlink(outside, join(dataDir, "files", "zz"));
  await doctor({}, "--fix");
  expect(await readdir(outside)).toEqual([name]);
  expect((await doctor()).out).not.toContain("/files/zz/");
});

test("doctor names rights that are too wide, leftovers and unknown files, --fix puts them right, and then all is well", async () => {
  await makeInstallation();
  const path = (...names: string[]) => join(dataDir, ...names);
  await chmod(dataDir, 0o755);
  await chmod(path("secret"), 0o644);
  const old = path("files", "~incoming", "left");
  await writeFile(old, "x");
  await utimes(old, new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - 2 * DAY_MS));
  await writeFile(path("files", "~incoming", "arriving"), "x");
  await mkdir(path("backup-work"));
  await utimes(path("backup-work"), new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - 2 * DAY_MS));
  await mkdir(path("files", "0123"));
  await writeFile(path("files", "0123", "stray.png"), "x");

  const found = await doctor();
  expect([found.code, found.out.split("\n")]).toEqual([
    1,
    [
      "The database does not know the file /files/0123/stray.png.",
      expect.stringContaining("restore a backup"),
      `Everybody on this machine may look into ${dataDir}: run chmod 750 on it.`,
      `Other accounts of this machine may read ${path("secret")}: run chmod 600 on it.`,
      `Left over: 1 unfinished upload in ${path("files", "~incoming")}, older than a day. Restart the server, which removes them.`,
      `Left over: ${path("backup-work")} of an interrupted backup, older than a day. The next backup removes it.`,
    ],
  ]);

  const fixed = await doctor({}, "--fix");
  expect([fixed.code, fixed.out.split("\n").length, fixed.out.split("\n").at(-1)]).toEqual([
    0,
    6,
    "No problems found.",
  ]);
  for (const line of fixed.out.split("\n").slice(0, -1)) expect(line).toMatch(/^Fixed: /);
  expect((await stat(path("secret"))).mode & 0o777).toBe(0o600);
  expect(await readdir(path("files", "~incoming"))).toEqual(["arriving"]);
  expect(await readFile(path("unknown-files", "0123", "stray.png"), "utf8")).toBe("x");
  expect(await doctor()).toEqual({ code: 0, out: "No problems found.", err: "" });
});

test("the folder of a backup that runs for more than a day is not called left over", async () => {
  const folder = join(dataDir, "backup-work");
  await mkdir(folder, { recursive: true });
  await utimes(folder, new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - 2 * DAY_MS));
  const lock = lockFile(join(dataDir, "backup.lock"));
  expect((await sentencesOf()).join()).not.toContain("interrupted backup");
  lock?.close();
  expect((await sentencesOf()).join()).toContain("interrupted backup");
});

test("doctor --fix moves nothing if the database knows no file, because it may be the wrong one", async () => {
  await makeInstallation();
  await rm(join(dataDir, "parley.sqlite"));
  const server = await startServer({ DATA_DIR: dataDir, NEW_DATABASE: "on" });
  server.kill("SIGTERM");
  await server.exited;
  const files = await readdir(join(dataDir, "files"));
  const { code, out } = await doctor({}, "--fix");
  expect([code, out.split("\n")[0]]).toEqual([
    1,
    "Not fixed: the database knows no file at all, so it may be the wrong one; nothing was moved.",
  ]);
  expect(await readdir(join(dataDir, "files"))).toEqual(files);
});

test("doctor --fix goes on and says so if it cannot move a file", async () => {
  await makeInstallation();
  await chmod(dataDir, 0o755);
  await mkdir(join(dataDir, "files", "0123"));
  await writeFile(join(dataDir, "files", "0123", "stray.png"), "x");
  await writeFile(join(dataDir, "unknown-files"), "");
  const { code, out } = await doctor({}, "--fix");
  expect([code, out.split("\n").slice(0, 3)]).toEqual([
    1,
    [
      expect.stringMatching(/^Fixed: .* has the mode 750 now\.$/),
      expect.stringMatching(
        /^Not fixed \(.*\): 1 file that the database does not know could not be moved to /,
      ),
      "The database does not know the file /files/0123/stray.png.",
    ],
  ]);
});

test.skipIf(!isRoot)(
  "what belongs to another account than the folder is named and given back, with all uploaded files and nothing behind a link",
  async () => {
    await makeInstallation();
    const files = join(dataDir, "files");
    const [restored = ""] = (await readdir(files)).filter((name) => !name.startsWith("~"));
    const foreign = ["parley.sqlite", "parley.lock", join("files", restored)];
    for (const name of ["", ...(await readdir(dataDir, { recursive: true }))])
      if (!foreign.some((start) => name.startsWith(start))) await lchown(join(dataDir, name), 4_711, 4_711);
    const elsewhere = await mkdtemp(join(tmpdir(), "parley-elsewhere-"));
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
    await mkdir(join(elsewhere, "of root"));
    await symlink(elsewhere, join(files, "link"));
    // With the folder and the link.
    const count = (await readdir(join(files, restored))).length + 2;
    expect(await sentencesOf()).toEqual([
      ...["sqlite", "lock"].map((name) =>
        expect.stringMatching(
          `parley\\.${name} belongs to another account than DATA_DIR.*: run chown 4711:4711 on it\\.$`,
        ),
      ),
      `${count} files and folders in ${files} belong to another account than DATA_DIR, so the server may be unable to delete what is there: run chown -R 4711:4711 on ${files}.`,
    ]);
    const { code, out } = await doctor({}, "--fix");
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        `Fixed: ${count} files and folders in ${files} belong to the account of DATA_DIR now.\n`,
      ),
    ]);
    const paths = [join(dataDir, "parley.sqlite"), join(files, restored), join(elsewhere, "of root")];
    const owners = paths.map(async (path) => (await stat(path)).uid);
    expect(await Promise.all(owners)).toEqual([4_711, 4_711, 0]);
    expect(await sentencesOf()).toEqual([]);
  },
);

test.skipIf(!isRoot || process.platform !== "linux")("a disk that is almost full is named", async () => {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m,nr_inodes=500,mode=700", "tmpfs", dataDir]);
  const sentences = await sentencesOf().finally(() => execFileSync("umount", [dataDir]));
  expect(sentences).toEqual([
    expect.stringMatching(/^The disk of DATA_DIR has 6\d MiB left: make room, /),
    expect.stringMatching(/^The disk of DATA_DIR takes only 4\d\d more files: /),
  ]);
});

test("a disk is slow if even its fastest flush is", () => {
  expect(flushProblems(9)).toEqual([]);
  expect(flushProblems(180)).toEqual([expect.stringContaining("takes 180 ms to store something for good")]);
});

test.each([
  ["valid for long", -10, 80, undefined, []],
  ["short and fresh, as those of six days", -1, 5, undefined, []],
  ["about to expire", -80, 9, undefined, ["is valid for 9 more days: see why it is not renewed."]],
  ["expired", -90, -3, "CERT_HAS_EXPIRED", ["has expired 3 days ago: renew it."]],
  ["of nobody", -1, 80, "SELF_SIGNED_CERT_IN_CHAIN", ["is not trusted (SELF_SIGNED_CERT_IN_CHAIN)"]],
])("a certificate that is %s", (_kind, from, to, trust, problems) => {
  const now = Date.now();
  const at = (days: number) => new Date(now + days * DAY_MS + 3_600_000).toUTCString();
  const names = { subject: {}, subjectaltname: "DNS:chat.example.org" };
  const certificate = { valid_from: at(from), valid_to: at(to), ...names } as Parameters<
    typeof certificateProblems
  >[0];
  const found = certificateProblems(certificate, "chat.example.org", trust, now);
  expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem)));
});

test("what PostgreSQL says of itself", () => {
  const healthy = { version: 17, isReplica: false, synchronousCommit: "on", connections: 97 };
  expect(postgresProblems(healthy)).toEqual([]);
  expect(
    postgresProblems({ version: 12, isReplica: true, synchronousCommit: "off", connections: 5 }),
  ).toEqual([
    "PostgreSQL has the version 12: update it to 13 or later.",
    expect.stringContaining("is a replica"),
    expect.stringContaining("synchronous_commit = off"),
    expect.stringMatching(/lets Parley have 5 connections, and each server may need 12: /),
  ]);
});

describe.skipIf(isPostgresMissing || isRedisMissing)(
  "an installation with PostgreSQL, Redis, S3 and a public address",
  () => {
    /** The variables of a healthy one. */
    async function start(): Promise<{ env: Record<string, string>; cluster: PostgresCluster }> {
      const cluster = await startCluster();
      onTestFinished(() => cluster.dispose());
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      const s3 = await startS3Server();
      onTestFinished(() => s3.stop());
      const port = await freePort();
      const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3.settings;
      const env = {
        DATABASE_URL: cluster.url("postgres"),
        REDIS_URL: redis.url,
        SECRET: "s".repeat(32),
        S3_ENDPOINT: endpoint,
        S3_BUCKET: bucket,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
      };
      return { env, cluster };
    }

    test("doctor finds nothing if all is well, and then a limit of connections, settings, a clock, and what is gone", async () => {
      const { env, cluster } = await start();
      const server = await startServer({ DATA_DIR: dataDir, ...env });
      onTestFinished(() => server.kill("SIGKILL"));
      expect(await doctor(env)).toEqual({ code: 0, out: "No problems found.", err: "" });

      const url = env["DATABASE_URL"] ?? "";
      await runSql(url, "alter system set synchronous_commit = off");
      await runSql(url, "alter database postgres connection limit 7");
      await runSql(url, "select pg_reload_conf()");
      server.kill("SIGKILL");
      await server.exited;
      const { out } = await doctor(env);
      expect(out.split("\n")).toEqual([
        expect.stringContaining("synchronous_commit = off"),
        expect.stringContaining("lets Parley have 7 connections"),
        expect.stringMatching(/^PUBLIC_URL .* cannot be reached from this machine \(.*ECONNREFUSED/),
      ]);
      const { clock } = await checkPostgres(url, () => Date.now() - 90_000);
      expect(clockFindings("PostgreSQL", clock).map(findingSentence)).toEqual([
        expect.stringMatching(/^The clock of PostgreSQL is \d+ s ahead of that of this machine: /),
      ]);
      await cluster.stop("fast");
      const services = await checkServices(loadConfig({ DATA_DIR: dataDir, ...env }));
      expect(services.filter((sentence) => !sentence.startsWith("PUBLIC_URL "))).toEqual([
        expect.stringMatching(
          /^PostgreSQL of DATABASE_URL postgres:\/\/127\.0\.0\.1:\d+\/postgres cannot be used \(.*ECONNREFUSED/,
        ),
      ]);
    });
  },
);
