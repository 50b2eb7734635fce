import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { ImageUpload } from "@parley/protocol/entities";
import { eventually } from "./testing/eventually.ts";
import { imageOf, toPerson, urlsOf } from "./testing/file-messages.ts";
import { BODY_END, type RawUpload, partHead, startUpload } from "./testing/raw-upload.ts";
import { type S3Server, startS3Server } from "./testing/s3-server.ts";
import { type ServerProcess, runServer, startServer } from "./testing/server-process.ts";
import { createTestApp } from "./testing/test-app.ts";
import { createTestCluster } from "./testing/test-cluster.ts";
import { type TestPerson, registerFriends, registerPerson, sendText } from "./testing/test-person.ts";
import { uploadFile, uploadPicture } from "./testing/upload.ts";

/** Several parts, the last one short. */
const LARGE = randomBytes(20_000_000);
/** More than one part. */
const LARGE_HALF = 10_000_000;
const HOUR_MS = 3_600_000;

let s3: S3Server;
let dataDir: string;
let env: Record<string, string>;
beforeEach(async () => {
  s3 = await startS3Server();
  dataDir = await mkdtemp(join(tmpdir(), "parley-main-s3-"));
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3.settings;
  env = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
});
afterEach(async () => {
  await s3.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const keyOf = (url: string) => url.replace("/files/", "");
const sha256Of = (data: Buffer) => createHash("sha256").update(data).digest("hex");
/** Files and parts of files on the disk. */
const localFiles = async () =>
  (await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );

async function start(): Promise<ServerProcess> {
  const server = await startServer({ DATA_DIR: dataDir, ...env });
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await server.exited;
    for (const secret of [s3.settings.secretAccessKey, s3.settings.accessKeyId, "Signature"])
      expect(server.output()).not.toContain(secret);
  });
  return server;
}

/** The lines of `npm run admin -- doctor`. */
async function doctor(more: Record<string, string> = {}): Promise<string[]> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("cli/admin.ts", import.meta.url)), "doctor"], {
    env: { DATA_DIR: dataDir, PASSWORD_COST: "low", ...env, ...more },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (output += data.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  const lines = output.trim().split("\n");
  if (code === 0) return lines;
  // The advice that ends every report of problems.
  expect(lines.pop()).toContain("restore a backup");
  return lines;
}

async function sendFile(
  from: TestPerson,
  to: TestPerson,
  data: Buffer,
): Promise<{ id: number; url: string }> {
  const url = await uploadFile(from, data);
  const content = { name: "Plan.bin", size: data.length, url };
  const { id } = await from.ok("sendPrivateMessage", toPerson(to, MessageType.FILE, content));
  return { id, url };
}

/** An upload that has not ended, and of which S3 has a part and the server some bytes more. */
async function startLargeUpload(person: TestPerson): Promise<RawUpload> {
  const upload = startUpload(person, "/file/upload");
  await upload.write(partHead());
  for (let at = 0; at < LARGE_HALF; at += 100_000) await upload.write(LARGE.subarray(at, at + 100_000));
  await eventually(() => expect(s3.contents()).toContainEqual(expect.stringContaining("(unfinished)")));
  return upload;
}

describe("a server with files in S3", () => {
  test("stores files and pictures in the bucket, serves them whole and in ranges, and deletes what is recalled", async () => {
    const server = await start();
    const [a, b] = await registerFriends(server.url);
    const file = await sendFile(a, b, LARGE);
    const image: ImageUpload = await uploadPicture(a);
    const picture = await a.ok("sendPrivateMessage", toPerson(b, MessageType.IMAGE, imageOf(image)));
    expect([...s3.objects.keys()].toSorted()).toEqual([file.url, ...urlsOf(image)].map(keyOf).toSorted());
    expect(await localFiles()).toEqual([]);

    const whole = await fetch(server.url + file.url);
    expect(sha256Of(Buffer.from(await whole.arrayBuffer()))).toBe(sha256Of(LARGE));
    const range = await fetch(server.url + file.url, { headers: { range: "bytes=8388600-12345678" } });
    expect([range.status, range.headers.get("content-range")]).toEqual([
      206,
      `bytes 8388600-12345678/${LARGE.length}`,
    ]);
    expect(LARGE.subarray(8_388_600, 12_345_679).equals(Buffer.from(await range.arrayBuffer()))).toBe(true);
    const head = await fetch(server.url + image.thumbUrl, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^image\//)]);
    expect(await doctor()).toEqual(["No problems found."]);

    await a.ok("recallPrivateMessage", { params: { id: file.id } });
    await eventually(() =>
      expect([...s3.objects.keys()].toSorted()).toEqual(urlsOf(image).map(keyOf).toSorted()),
    );
    expect((await fetch(server.url + file.url)).status).toBe(404);
    await a.ok("recallPrivateMessage", { params: { id: picture.id } });
    await eventually(() => expect(s3.contents()).toEqual([]));
  });

  test("an upload that is cut leaves nothing, in the bucket or on the disk", async () => {
    const server = await start();
    const person = await registerPerson(server.url);
    const upload = await startLargeUpload(person);
    upload.request.destroy();
    await expect(upload.answer).rejects.toThrow();
    await eventually(async () => expect([s3.contents(), await localFiles()]).toEqual([[], []]));
  });

  test("a server that died during an upload removes it after its next start", async () => {
    const server = await start();
    const person = await registerPerson(server.url);
    const upload = await startLargeUpload(person);
    server.kill("SIGKILL");
    await server.exited;
    await expect(upload.answer).rejects.toThrow();
    // Another server may be the one that removes it, and reaches no other disk.
    expect([s3.contents(), await localFiles()]).toEqual([[expect.stringContaining("(unfinished)")], []]);
    await start();
    await eventually(async () => expect([s3.contents(), await localFiles()]).toEqual([[], []]));
  });

  test("while S3 is away, files are refused and messages are not; afterwards everything works, and files of messages that were recalled in that time are deleted", async () => {
    const server = await start();
    const [a, b] = await registerFriends(server.url);
    const first = await sendFile(a, b, Buffer.from("first"));
    const second = await sendFile(a, b, Buffer.from("second"));
    const upload = startUpload(a, "/file/upload");
    await upload.write(partHead());
    for (let at = 0; at < 8_000_000; at += 100_000) await upload.write(LARGE.subarray(at, at + 100_000));
    await s3.stop();
    await upload.write(LARGE.subarray(8_000_000));
    await upload.write(BODY_END);
    upload.end();
    const { status, envelope } = await upload.answer;
    expect([status, envelope.key]).toEqual([503, "server.unavailable"]);
    await expect(uploadPicture(a)).rejects.toThrow("server.unavailable");
    expect((await fetch(server.url + first.url)).status).toBe(503);
    await sendText(a, b, "without files");
    await a.ok("recallPrivateMessage", { params: { id: first.id } });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(server.output()).toContain(
      "the storage of files cannot be used: no answer from S3 (ECONNREFUSED)",
    );
    expect(await doctor()).toEqual([
      expect.stringMatching(
        /^Files cannot be stored: .*no answer from S3 \(ECONNREFUSED\); check S3_ENDPOINT, /,
      ),
      expect.stringMatching(/^Files were not checked: .*no answer from S3 \(ECONNREFUSED\)\.$/),
    ]);

    await s3.start();
    expect(await (await fetch(server.url + second.url)).text()).toBe("second");
    const third = await sendFile(a, b, LARGE);
    await a.ok("recallPrivateMessage", { params: { id: third.id } });
    await eventually(() => expect(s3.contents()).toEqual([keyOf(second.url)]));
    expect(await localFiles()).toEqual([]);
  });

  test("a download goes on when its connection to S3 is cut", async () => {
    const server = await start();
    const [a, b] = await registerFriends(server.url);
    const { url } = await sendFile(a, b, LARGE);
    let cuts = 2;
    s3.fault = ({ kind }) => (kind === "GET" && cuts-- > 0 ? "cutAnswer" : undefined);
    const answer = await fetch(server.url + url);
    expect(LARGE.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect(cuts).toBeLessThan(0);
  });

  test("files that nobody uses are deleted from the bucket after a day", async () => {
    await using app = await createTestApp({ env });
    const person = await registerPerson(app.url);
    await uploadPicture(person);
    await uploadFile(person, Buffer.from("unused"));
    expect(s3.objects.size).toBe(3);
    app.clock.advance(25 * HOUR_MS);
    app.app.sweep();
    await eventually(() => expect(s3.contents()).toEqual([]));
  });

  test("the sweep of one server deletes unused files, and leaves alone an upload at another that began before its own start", async () => {
    await using cluster = await createTestCluster({
      env: { ...env, ROLES: "api,gateway" },
      envOfB: { ROLES: "jobs" },
    });
    const { a, b } = cluster;
    a.clock.advance(-25 * HOUR_MS);
    await uploadFile(await registerPerson(a.url), Buffer.from("unused"));
    const unused = s3.contents();
    a.clock.advance(24 * HOUR_MS);
    const upload = await startLargeUpload(await registerPerson(a.url));
    expect(s3.contents()).toEqual(expect.arrayContaining(unused));
    b.clock.advance(HOUR_MS);
    await eventually(() => {
      b.app.sweep();
      expect(s3.contents()).toEqual([expect.stringContaining("(unfinished)")]);
    });
    await upload.write(LARGE.subarray(LARGE_HALF));
    await upload.write(BODY_END);
    upload.end();
    expect((await upload.answer).envelope.code).toBe(200);
    expect([...s3.objects.values()].map(sha256Of)).toEqual([sha256Of(LARGE)]);
  });

  test("doctor names each object that is gone, cut, changed or unknown, and settings that S3 refuses", async () => {
    const server = await start();
    const [a, b] = await registerFriends(server.url);
    const urls: string[] = [];
    for (const text of ["gone", "cut", "changed", "kept"])
      urls.push((await sendFile(a, b, Buffer.from(text))).url);
    const [gone = "", cut = "", changed = ""] = urls;
    s3.objects.delete(keyOf(gone));
    s3.objects.set(keyOf(cut), Buffer.from("cu"));
    s3.objects.set(keyOf(changed), Buffer.from("CHANGED"));
    s3.objects.set("0123/stray.png", Buffer.from("x"));
    s3.objects.set("an-object-of-others", Buffer.from("x"));
    expect((await doctor()).toSorted()).toEqual(
      [
        `The file ${gone} is gone.`,
        `The file ${cut} has 2 of 3 bytes.`,
        `The file ${changed} was changed: its SHA-256 is another.`,
        "The database does not know the file /files/0123/stray.png.",
      ].toSorted(),
    );
    expect(await doctor({ S3_SECRET_ACCESS_KEY: "wrong" })).toEqual([
      expect.stringMatching(
        /^Files cannot be stored: .*S3 answered 403 \(SignatureDoesNotMatch\); check S3_ENDPOINT, /,
      ),
      expect.stringMatching(/^Files were not checked: /),
    ]);
    s3.fault = ({ kind }) => (kind === "PUT" ? "refuse" : undefined);
    expect(await doctor()).toContainEqual(
      "Files cannot be stored: the storage of files cannot be used: S3 answered 403 (AccessDenied); check S3_ENDPOINT, S3_BUCKET and the key.",
    );
  });

  test("does not start with settings that S3 refuses, and starts while S3 is away", async () => {
    for (const [name, value, said] of [
      ["S3_SECRET_ACCESS_KEY", "wrong", "403 (SignatureDoesNotMatch)"],
      ["S3_BUCKET", "another", "404 (NoSuchBucket)"],
    ] as const) {
      const { code, output } = await runServer({ DATA_DIR: dataDir, ...env, [name]: value });
      const bucket = name === "S3_BUCKET" ? value : s3.settings.bucket;
      expect([code, output.trim()]).toEqual([1, `S3_BUCKET ${bucket} cannot be used: S3 answered ${said}.`]);
    }
    await s3.stop();
    const server = await start();
    const person = await registerPerson(server.url);
    expect(server.output()).toContain("files cannot be stored or read yet");
    await s3.start();
    expect(await uploadFile(person, Buffer.from("later"))).toMatch(/^\/files\//);
  });
});
