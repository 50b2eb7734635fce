/** Uploads that want to exhaust, stall or confuse the server. Each must be refused with an answer that can be read, and harm nobody. */
import { openAsBlob } from "node:fs";
import { mkdtemp, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Envelope } from "@parley/protocol/envelope";
import { blackPicture } from "@parley/server/testing/pictures";
import { BODY_END, bodyOf, partHead, startUpload, uploadRaw } from "@parley/server/testing/raw-upload";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import { type TestPerson, logIn, registerPerson } from "@parley/server/testing/test-person";
import { eventually } from "@parley/server/testing/eventually";

const MIB = 1_048_576;
const ENV = { RATE_LIMITS: "off", UPLOAD_MAX_MB: "100", UPLOAD_DAILY_MB: "100000" };
let dataDir: string;
let server: ServerProcess;
let person: TestPerson;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-hostile-"));
  server = await startServer({ DATA_DIR: dataDir, ...ENV });
  person = await registerPerson(server.url);
});
afterAll(async () => {
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});

/** Bytes in memory, now and at most until now. */
async function memoryOf({ pid }: ServerProcess): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** The longest time that a small request of another person takes while the work runs. */
async function slowestMeanwhile(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = work.finally(() => (isOver = true));
  let slowest = 0;
  do {
    const start = performance.now();
    await (await fetch(`${server.url}/healthz`)).text();
    slowest = Math.max(slowest, performance.now() - start);
    await sleep(20);
  } while (!isOver);
  await end;
  return slowest;
}

async function storedFiles(folder = dataDir): Promise<string[]> {
  const entries = await readdir(join(folder, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** Sends these bytes and returns all that came back before the connection ended. */
function sendBytes(head: string, rest: Buffer = Buffer.alloc(0)): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
      socket.write(head);
      socket.write(rest);
    });
    socket.on("data", (data: Buffer) => (answer += data.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
  });
}

/** Sends the whole body before it reads anything, as browsers do, and returns the answer. */
async function sendAsBrowser(path: string, bytes: number, headers: Readonly<Record<string, string>>) {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1").pause();
  let failure: Error | undefined;
  socket.on("error", (error) => (failure ??= error));
  const write = (data: Buffer | string) =>
    new Promise<void>((resolve) => void socket.write(data, () => resolve()));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  await write(`POST /api${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n${lines.join("")}\r\n`);
  const start = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  await write(start);
  const piece = Buffer.alloc(65_536, 65);
  for (let sent = start.length; sent < bytes && failure === undefined; sent += piece.length)
    await write(piece.subarray(0, Math.min(piece.length, bytes - sent)));
  if (failure !== undefined) throw failure;
  let text = "";
  for await (const data of socket.resume()) text += (data as Buffer).toString("utf8");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), envelope: JSON.parse(body) as Envelope };
}

describe("L14 the answer to a refused upload can be read", () => {
  const LARGE = 60_000_000;
  test.each([
    ["no token", "/file/upload", {}, 200, 400],
    ["a bad token", "/file/upload", { accessToken: "bad" }, 200, 401],
    ["an unknown path", "/file/uploads", {}, 404, 500],
    ["a call that takes no file", "/login", {}, 415, 500],
    [
      "a body that is not multipart",
      "/file/upload",
      { "content-type": "application/json", token: "yes" },
      415,
      500,
    ],
    ["a picture that is none", "/image/upload", { token: "yes" }, 413, 500],
    ["a video that is none", "/video/upload", { token: "yes" }, 200, 500],
  ])("%s: after 60 MB", async (_name, path, { token, ...headers }: Record<string, string>, status, code) => {
    const before = (await storedFiles()).length;
    const answer = await sendAsBrowser(path, LARGE, {
      "content-type": "multipart/form-data; boundary=b",
      ...(token !== undefined && { accessToken: person.tokens.accessToken }),
      ...headers,
    });
    expect([answer.status, answer.envelope.code]).toEqual([status, code]);
    expect((await storedFiles()).length).toBe(before);
  });

  test("the answer comes before the rest of the body", async () => {
    const upload = startUpload(server.url, "/file/upload", { "content-length": String(LARGE) });
    await upload.write(partHead());
    const { envelope, headers } = await upload.answer;
    upload.request.destroy();
    expect([envelope.code, headers.connection]).toEqual([400, "close"]);
  });

  test("a small refused body keeps the connection", async () => {
    const text = await sendBytes(
      "POST /api/nothing HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 5\r\n\r\nhello" +
        "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    );
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(["404", "200"]);
  });
});

const uploadHead = (headers: string) =>
  `POST /api/file/upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n${headers}\r\n`;
const token = () => `accessToken: ${person.tokens.accessToken}\r\n`;

test("L14 L15 a client that uploads more than the server would drop reads why it is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-sparse-"));
  try {
    // A file with nothing in it but its length. `fetch` reads it ahead of what is sent, so a larger one would fill the memory of the test.
    const path = join(folder, "large.bin");
    await writeFile(path, "");
    await truncate(path, 300_000_000);
    for (const [headers, status, key] of [
      [{ accessToken: person.tokens.accessToken }, 413, "upload.tooLarge"],
      [{}, 200, "auth.notLoggedIn"],
    ] as const) {
      const body = new FormData();
      body.set("file", await openAsBlob(path), "large.bin");
      const answer = await fetch(`${server.url}/api/file/upload`, { method: "POST", body, headers });
      const envelope = (await answer.json()) as Envelope;
      expect([answer.status, envelope.key]).toEqual([status, key]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("L15 5 GB declared are refused at once", async () => {
  const upload = startUpload(person, "/file/upload", { "content-length": "5000000000" });
  await upload.write(partHead());
  const { status, envelope, headers } = await upload.answer;
  upload.request.destroy();
  expect([status, envelope.key, headers.connection]).toEqual([413, "upload.tooLarge", "close"]);
});

describe("L16 a client that waits with its body", () => {
  const EXPECT = "expect: 100-continue\r\n";
  test("is told to send it if it will be read", async () => {
    const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${"x".repeat(70_000)}\r\n--b--\r\n`;
    const text = await sendBytes(
      `${uploadHead(`${token()}${EXPECT}connection: close\r\ncontent-length: ${body.length}\r\n`)}${body}`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  test.each([
    ["without a token", () => "content-length: 900000\r\n", /^HTTP\/1\.1 200 .*"code":400,/s],
    ["too large", () => `${token()}content-length: 900000000\r\n`, /^HTTP\/1\.1 413 /],
  ])("is answered without reading it: %s", async (_name, headers, expected) => {
    expect(await sendBytes(uploadHead(`${EXPECT}${headers()}`))).toMatch(expected);
  });
});

test("L17 endless bodies end, whatever they repeat", async () => {
  const before = (await storedFiles()).length;
  const parts: Readonly<Record<string, string>> = {
    "one file": "x".repeat(65_536),
    "files in unknown fields": `\r\n${partHead("other")}${"x".repeat(60_000)}`,
    "empty parts": `\r\n${partHead("other")}`.repeat(300),
    "plain fields": `\r\n${partHead("f").replace(/; filename="[^"]*"/, "")}${"x".repeat(60_000)}`,
    "part headers": `x-header: ${"x".repeat(1_000)}\r\n`.repeat(60),
    "an epilogue": `${BODY_END}${"x".repeat(60_000)}`,
    "no boundary": "x".repeat(65_536),
  };
  const peakBefore = (await memoryOf(server)).peak;
  const endings = await Promise.all(
    Object.entries(parts).map(async ([name, repeated]) => {
      const upload = startUpload(person, "/file/upload");
      if (name === "part headers") await upload.write(partHead().trimEnd() + "\r\n");
      else if (name !== "no boundary") await upload.write(partHead() + "x");
      let sent = 0;
      let isAnswered = false;
      const answer = upload.answer.finally(() => (isAnswered = true));
      while (!isAnswered && sent < 400 * MIB) {
        await upload.write(repeated);
        sent += repeated.length;
        await sleep(0);
      }
      const { status } = await answer;
      upload.request.destroy();
      return [name, [400, 413].includes(status)];
    }),
  );
  expect(endings).toEqual(Object.keys(parts).map((name) => [name, true]));
  expect((await storedFiles()).length).toBe(before);
  expect((await memoryOf(server)).peak - peakBefore).toBeLessThan(100 * MIB);
}, 120_000);

describe("pictures", () => {
  test("L12 bombs are refused at once, and others do not wait", async () => {
    const small = await uploadRaw(person, "/image/upload", bodyOf(await blackPicture(3_000)));
    expect(small.envelope.data).toMatchObject({ width: 3_000, height: 3_000 });
    const before = await memoryOf(server);
    const stored = (await storedFiles()).length;
    for (const side of [16_000, 50_000]) {
      const picture = await blackPicture(side);
      expect(picture.length).toBeLessThan(20 * MIB);
      const video = Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex");
      const asCover = Buffer.concat([
        Buffer.from(partHead()),
        video,
        Buffer.from(`\r\n${partHead("cover")}`),
        picture,
        Buffer.from(BODY_END),
      ]);
      for (const [path, body] of [
        ["/image/upload", bodyOf(picture)],
        ["/video/upload", asCover],
      ] as const) {
        const refuse = async () => {
          const start = performance.now();
          const upload = uploadRaw(person, path, body);
          const slowest = await slowestMeanwhile(upload);
          expect((await upload).envelope.key).toBe("upload.tooManyPixels");
          return slowest < 1_000 && performance.now() - start < 5_000;
        };
        // Again if the machine was busy with something else. A server that decodes them is slow each time.
        expect((await refuse()) || (await refuse()) || (await refuse())).toBe(true);
      }
    }
    expect((await storedFiles()).length).toBe(stored);
    expect((await memoryOf(server)).peak - before.peak).toBeLessThan(100 * MIB);
  }, 120_000);

  test("L13 60 pictures of 20 MiB at once do not fill the memory", async () => {
    // A picture with much behind its end: only what is decoded counts.
    const small = await sharp({ create: { width: 64, height: 64, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const body = bodyOf(Buffer.concat([small, Buffer.alloc(20 * MIB - small.length)]));
    const before = await memoryOf(server);
    let peak = 0;
    const watch = setInterval(
      () => void memoryOf(server).then(({ now }) => (peak = Math.max(peak, now))),
      50,
    );
    const uploads = Promise.all(Array.from({ length: 60 }, () => uploadRaw(person, "/image/upload", body)));
    const slowest = await slowestMeanwhile(uploads).finally(() => clearInterval(watch));
    const keys = (await uploads).map(({ envelope }) => envelope.code);
    process.stdout.write(
      `L13: ${Math.round((peak - before.now) / MIB)} MiB more at most, ${Math.round(slowest)} ms for a small request\n`,
    );
    expect(new Set(keys)).toEqual(new Set([200]));
    expect(peak - before.now).toBeLessThan(350 * MIB);
  }, 180_000);
});

test("L20 a file of 512 MiB leaves the memory as it was", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-large-"));
  const own = await startServer({ DATA_DIR: folder, ...ENV, UPLOAD_MAX_MB: "1024" });
  try {
    const someone = await registerPerson(own.url);
    // The code and the buffers of a first upload are there for good.
    await uploadRaw(someone, "/file/upload", bodyOf(Buffer.alloc(20 * MIB)));
    const before = await memoryOf(own);
    const upload = startUpload(someone, "/file/upload");
    await upload.write(partHead());
    const piece = Buffer.alloc(MIB, 1);
    for (let n = 0; n < 512; n++) await upload.write(piece);
    await upload.write(BODY_END);
    upload.end();
    const { envelope } = await upload.answer;
    expect(envelope.code).toBe(200);
    const { now, peak } = await memoryOf(own);
    process.stdout.write(`L20: ${((now - before.now) / MIB).toFixed(1)} MiB more\n`);
    expect(Math.max(now, peak) - before.peak).toBeLessThan(50 * MIB);
  } finally {
    own.kill("SIGKILL");
    await own.exited;
    await rm(folder, { recursive: true, force: true });
  }
}, 180_000);

test("L4 what was arriving when the server was killed is gone after the next start, and counts no more", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-killed-"));
  const env = { DATA_DIR: folder, ...ENV, UPLOAD_DAILY_MB: "10" };
  let own = await startServer(env);
  try {
    const { url, userName } = await registerPerson(own.url);
    const someone = await logIn(url, userName);
    const body = bodyOf(Buffer.alloc(9 * MIB));
    const upload = startUpload(someone, "/file/upload", { "content-length": String(body.length) });
    await upload.write(body.subarray(0, 5 * MIB));
    await eventually(async () => expect(await storedFiles(folder)).toHaveLength(1));
    own.kill("SIGKILL");
    await own.exited;
    expect(await storedFiles(folder)).toHaveLength(1);
    own = await startServer(env);
    await eventually(async () => expect(await storedFiles(folder)).toEqual([]));
    await eventually(async () => {
      const { envelope } = await uploadRaw(await logIn(own.url, userName), "/file/upload", body);
      expect(envelope.code).toBe(200);
    });
  } finally {
    own.kill("SIGKILL");
    await own.exited;
    await rm(folder, { recursive: true, force: true });
  }
});

test("L7 an upload ends after 30 s without progress, and not while it makes any", async () => {
  const before = (await storedFiles()).length;
  const stall = async (): Promise<number> => {
    const stalled = startUpload(person, "/file/upload");
    await stalled.write(partHead() + "x".repeat(10_000));
    const start = performance.now();
    return stalled.answer.then(
      () => 0,
      () => (performance.now() - start) / 1_000,
    );
  };
  const ends = Promise.all([stall(), stall(), stall()]);
  const slow = startUpload(person, "/file/upload");
  await slow.write(partHead());
  for (let n = 0; n < 9; n++) {
    await slow.write("x");
    await sleep(5_000);
  }
  await slow.write(BODY_END);
  slow.end();
  expect((await slow.answer).envelope.code).toBe(200);
  const seconds = await ends;
  for (const each of seconds) expect(each).toBeGreaterThan(25);
  // A busy machine notices some ends late.
  expect(Math.min(...seconds)).toBeLessThan(45);
  expect((await storedFiles()).length).toBe(before + 1);
});
