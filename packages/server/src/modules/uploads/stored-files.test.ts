import { createHash, randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import Database from "better-sqlite3";
import type { ImageUpload } from "@parley/protocol/entities";
import {
  type RawUpload,
  BODY_END,
  bodyOf,
  partHead,
  startUpload,
  uploadRaw,
} from "../../testing/raw-upload.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, registerPerson } from "../../testing/test-person.ts";
import { eventually } from "../../testing/eventually.ts";

const MIB = 1_048_576;
let server: TestApp;
let person: TestPerson;
beforeAll(async () => {
  server = await createTestApp({
    env: { RATE_LIMITS: "off", UPLOAD_MAX_MB: "30", UPLOAD_DAILY_MB: "100000" },
  });
  person = await registerPerson(server.url);
});
afterAll(() => server[Symbol.asyncDispose]());

interface FileRow {
  url: string;
  bytes: number;
  sha256: string | null;
  use: number;
}

/** The rows of files as the database has them. */
function rowsOf({ dataDir }: TestApp): FileRow[] {
  const db = new Database(join(dataDir, "parley.sqlite"), { readonly: true });
  try {
    return db.prepare("select url, bytes, sha256, use from file order by url").all() as FileRow[];
  } finally {
    db.close();
  }
}

/** Everything in the storage, also what is not complete. */
async function storedIn({ dataDir }: TestApp): Promise<string[]> {
  const entries = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

const UPLOADING = 3;
const isUploading = async (app: TestApp) =>
  eventually(() => expect(rowsOf(app).map(({ use }) => use)).toContain(UPLOADING));

async function sendInPieces(upload: RawUpload, data: Buffer, pieceBytes = 65_536): Promise<void> {
  for (let at = 0; at < data.length; at += pieceBytes) await upload.write(data.subarray(at, at + pieceBytes));
}

describe("a stored file", () => {
  test("L1 has its length and SHA-256 in its row, also the pictures that the server made", async () => {
    await using own = await createTestApp();
    const someone = await registerPerson(own.url);
    const data = randomBytes(300_000);
    await uploadRaw(someone, "/file/upload", bodyOf(data));
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const { envelope } = await uploadRaw(someone, "/image/upload", bodyOf(picture));
    const { originUrl, thumbUrl } = envelope.data as ImageUpload;
    const rows = rowsOf(own);
    expect(rows).toHaveLength(3);
    for (const { url, bytes, sha256, use } of rows) {
      const served = Buffer.from(await (await fetch(`${own.url}${url}`)).arrayBuffer());
      expect([bytes, sha256, use]).toEqual([
        served.length,
        createHash("sha256").update(served).digest("hex"),
        0,
      ]);
    }
    expect(rows.map(({ url }) => url)).toEqual(expect.arrayContaining([originUrl, thumbUrl]));
    expect(await storedIn(own)).toHaveLength(3);
  });

  test("L2 is announced before its bytes arrive, and cannot be used until all of them are stored", async () => {
    await using own = await createTestApp();
    const someone = await registerPerson(own.url);
    const upload = startUpload(someone, "/file/upload");
    await upload.write(partHead() + "x".repeat(100_000));
    await isUploading(own);
    const [row] = rowsOf(own);
    if (row === undefined) throw new Error("no file was announced");
    expect(row.sha256).toBeNull();
    expect(await someone.errorKeyOf("updateUser", { body: { id: someone.id, headImage: row.url } })).toBe(
      "file.notIssued",
    );
    await upload.write(BODY_END);
    upload.end();
    expect((await upload.answer).envelope.data).toBe(row.url);
    expect(rowsOf(own)).toMatchObject([{ bytes: 100_000, use: 0 }]);
  });

  test.each([10, 50, 99])(
    "L3 an upload that is cut at %i percent leaves nothing, and its bytes do not count",
    async (part) => {
      await using own = await createTestApp({ env: { UPLOAD_DAILY_MB: "1", RATE_LIMITS: "off" } });
      const someone = await registerPerson(own.url);
      const body = bodyOf(Buffer.alloc(1_000_000, 7));
      const upload = startUpload(someone, "/file/upload", { "content-length": String(body.length) });
      await sendInPieces(upload, body.subarray(0, (body.length * part) / 100));
      await isUploading(own);
      upload.request.destroy();
      await eventually(async () => expect([rowsOf(own), await storedIn(own)]).toEqual([[], []]));
      expect((await uploadRaw(someone, "/file/upload", body)).envelope.code).toBe(200);
      expect(own.logs).toEqual([]);
    },
  );

  test.each([
    ["ends in the middle of a part", `${partHead()}abc`],
    [
      "ends in the middle of its second part",
      `${partHead()}${"a".repeat(9_000)}\r\n${partHead("cover").slice(2)}abc`,
    ],
    ["has the same field twice", `${partHead()}one\r\n${partHead()}two${BODY_END}`],
  ])("L3 a body that %s is refused and leaves nothing", async (_name, body) => {
    const before = [rowsOf(server).length, (await storedIn(server)).length];
    const { status, envelope } = await uploadRaw(person, "/file/upload", Buffer.from(body));
    expect([status, envelope.key]).toEqual([400, "request.malformed"]);
    expect([rowsOf(server).length, (await storedIn(server)).length]).toEqual(before);
  });

  test("L10 gets its name from the server, whatever the sender calls it", async () => {
    const names = [
      "n".repeat(300),
      "../../../etc/passwd",
      "..\\..\\boot.ini",
      "a\u0000.html",
      "\u202Egpj.exe",
      "CON",
      ".",
      "",
      "'; drop table file; --",
      "page.svg",
    ];
    for (const name of names) {
      const { envelope } = await uploadRaw(person, "/file/upload", bodyOf(Buffer.from("hi"), "file", name));
      expect(envelope.data, name).toMatch(/^\/files\/[0-9a-f]{32}\/file\.bin$/);
    }
  });

  test("L9 a text with the name of a page or a picture is never served inline", async () => {
    const contents = [
      "<!doctype html><script>alert(1)</script>",
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
      "%PDF-1.4\n<script>",
    ];
    for (const content of contents) {
      const { envelope } = await uploadRaw(
        person,
        "/file/upload",
        bodyOf(Buffer.from(content), "file", "picture.png"),
      );
      const { headers } = await fetch(`${server.url}${String(envelope.data)}`);
      expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
        "application/octet-stream",
        expect.stringMatching(/^attachment/),
      ]);
    }
  });
});

test("L9 a picture that is a page as well is served as the picture that it begins like", async () => {
  const polyglot = Buffer.from("GIF89a/*<html><script>alert(1)</script>*/=1;");
  const { envelope } = await uploadRaw(person, "/file/upload", bodyOf(polyglot, "file", "page.html"));
  const { headers } = await fetch(`${server.url}${String(envelope.data)}`);
  const names = ["content-type", "x-content-type-options", "content-security-policy"];
  expect(names.map((name) => headers.get(name))).toEqual([
    "image/gif",
    "nosniff",
    "default-src 'none'; sandbox",
  ]);
});

describe("the limits", () => {
  test("L5 a file over UPLOAD_MAX_MB is refused while it arrives, with and without a declared length", async () => {
    const before = [rowsOf(server).length, (await storedIn(server)).length];
    const declared = await uploadRaw(person, "/file/upload", bodyOf(Buffer.alloc(30 * MIB + 1)));
    expect([declared.status, declared.envelope.key, declared.envelope.params]).toEqual([
      413,
      "upload.tooLarge",
      { max: 30 },
    ]);
    const chunked = startUpload(person, "/file/upload");
    await chunked.write(partHead());
    const piece = Buffer.alloc(MIB);
    for (let n = 0; n < 31; n++) await chunked.write(piece);
    // The body has not ended, and the answer is there.
    const { status, envelope } = await chunked.answer;
    expect([status, envelope.key]).toEqual([413, "upload.tooLarge"]);
    chunked.request.destroy();
    expect([rowsOf(server).length, (await storedIn(server)).length]).toEqual(before);
    expect((await uploadRaw(person, "/file/upload", bodyOf(Buffer.alloc(30 * MIB)))).envelope.code).toBe(200);
  });

  test("L6 what a person uploads at the same time never exceeds UPLOAD_DAILY_MB", async () => {
    await using own = await createTestApp({ env: { UPLOAD_DAILY_MB: "4", RATE_LIMITS: "off" } });
    const someone = await registerPerson(own.url);
    const body = bodyOf(Buffer.alloc(MIB - 1_000));
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        if (n % 2 === 0) return uploadRaw(someone, "/file/upload", body);
        const upload = startUpload(someone, "/file/upload");
        await upload.write(body);
        upload.end();
        return upload.answer;
      }),
    );
    const accepted = answers.filter(({ envelope }) => envelope.code === 200).length;
    const refused = answers.filter(({ envelope }) => envelope.key === "upload.dailyLimit").length;
    expect(accepted + refused).toBe(12);
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThanOrEqual(4);
    const rows = rowsOf(own);
    expect(rows).toHaveLength(accepted);
    expect(rows.every(({ use }) => use !== UPLOADING)).toBe(true);
    // The space that was reserved for the others is free again.
    for (let n = accepted; n < 4; n++) {
      expect((await uploadRaw(someone, "/file/upload", body)).envelope.code).toBe(200);
    }
    const last = await uploadRaw(someone, "/file/upload", body);
    expect(last.envelope.key).toBe("upload.dailyLimit");
    expect((await storedIn(own)).length).toBe(4);
  });

  test.each(["before", "behind"])(
    "L6 a video with a cover %s it needs no more of the day than both have",
    async (place) => {
      await using own = await createTestApp({ env: { UPLOAD_DAILY_MB: "3" } });
      const someone = await registerPerson(own.url);
      const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
      const cover = await sharp({
        create: { width: 500, height: 500, channels: 3, background: "red", noise },
      })
        .png()
        .toBuffer();
      expect(cover.length).toBeGreaterThan(500_000);
      const video = Buffer.alloc(1_800_000);
      video.write("00000018667479706d703432000000006d70343269736f6d", "hex");
      const parts = [
        { field: "file", data: video },
        { field: "cover", data: cover },
      ];
      const body = (place === "before" ? parts.toReversed() : parts).flatMap(({ field, data }) => [
        Buffer.from(partHead(field)),
        data,
        Buffer.from("\r\n"),
      ]);
      const whole = Buffer.concat([...body.slice(0, -1), Buffer.from(BODY_END)]);
      expect((await uploadRaw(someone, "/video/upload", whole)).envelope.code).toBe(200);
      const rows = rowsOf(own);
      expect(rows.map(({ use }) => use)).toEqual([0, 0]);
      expect((await uploadRaw(someone, "/video/upload", whole)).envelope.key).toBe("upload.dailyLimit");
      expect([rowsOf(own), (await storedIn(own)).length]).toEqual([rows, 2]);
    },
  );

  test("L6 a body without a length is cut when it reaches what is left of the day", async () => {
    await using own = await createTestApp({ env: { UPLOAD_DAILY_MB: "1" } });
    const someone = await registerPerson(own.url);
    const upload = startUpload(someone, "/file/upload");
    await upload.write(partHead());
    for (let n = 0; n < 20; n++) await upload.write(Buffer.alloc(100_000));
    expect((await upload.answer).envelope.key).toBe("upload.dailyLimit");
    upload.request.destroy();
    expect([rowsOf(own), await storedIn(own)]).toEqual([[], []]);
  });
});

test("L7 an upload that takes longer than a day is given up, and leaves nothing", async () => {
  await using own = await createTestApp();
  const someone = await registerPerson(own.url);
  const upload = startUpload(someone, "/file/upload");
  await upload.write(partHead() + "x".repeat(100_000));
  await isUploading(own);
  await eventually(async () => expect(await storedIn(own)).toHaveLength(1));
  own.clock.advance(25 * 3_600_000);
  own.app.sweep();
  await eventually(async () => expect([rowsOf(own), await storedIn(own)]).toEqual([[], []]));
  await upload.write(`y${BODY_END}`);
  upload.end();
  const { status, envelope } = await upload.answer;
  expect([status, envelope.key]).toEqual([200, "upload.broken"]);
  expect([rowsOf(own), await storedIn(own)]).toEqual([[], []]);
  expect(own.logs).toEqual([]);
});

test("L7 only an upload may take longer than the time limit of a request", async () => {
  await using own = await createTestApp({ wholeRequestMs: 1_000 });
  const someone = await registerPerson(own.url);
  const slow = async (path: string, type: string, begin: string, end: string) => {
    const upload = startUpload(someone, path, { "content-type": type });
    await upload.write(begin);
    for (let n = 0; n < 12; n++) {
      await delay(300);
      await upload.write(" ");
    }
    await upload.write(end);
    upload.end();
    return (await upload.answer).status;
  };
  const body = bodyOf(Buffer.alloc(0)).toString();
  const [head, tail] = [body.slice(0, -BODY_END.length), BODY_END];
  const type = /^--(.*)\r\n/.exec(head)?.[1] ?? "";
  const answers = await Promise.allSettled([
    slow("/file/upload", `multipart/form-data; boundary=${type}`, head, tail),
    slow("/login", "application/json", "{", "}"),
  ]);
  expect(answers).toEqual([
    { status: "fulfilled", value: 200 },
    { status: "fulfilled", value: 408 },
  ]);
  expect(rowsOf(own).map(({ bytes }) => bytes)).toEqual([12]);
});

describe("pictures", () => {
  test("L11 get a placeholder of at most 16 pixels and 400 characters", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 90 } as const;
    for (const [width, height] of [
      [900, 300],
      [16, 16],
      [1, 1],
    ] as const) {
      const picture = await sharp({ create: { width, height, channels: 4, background: "#f008", noise } })
        .png()
        .toBuffer();
      const { envelope } = await uploadRaw(person, "/image/upload", bodyOf(picture));
      const { placeholder = "" } = envelope.data as ImageUpload;
      expect(placeholder.length).toBeLessThanOrEqual(400);
      const { format, width: w, height: h } = await sharp(Buffer.from(placeholder, "base64")).metadata();
      expect(format).toBe("webp");
      expect(Math.max(w, h)).toBeLessThanOrEqual(16);
    }
  });

  test("L12 an animation of more than 1,000 frames is refused, however small", async () => {
    const frame = [0x21, 0xf9, 4, 0, 5, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
    const gif = (frames: number) =>
      Buffer.concat([
        Buffer.from("GIF89a"),
        Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
        Buffer.from(Array.from({ length: frames }, () => frame).flat()),
        Buffer.from([0x3b]),
      ]);
    const many = await uploadRaw(person, "/image/upload", bodyOf(gif(1_001)));
    expect(many.envelope.key).toBe("upload.tooManyPixels");
    expect((await uploadRaw(person, "/image/upload", bodyOf(gif(20)))).envelope.code).toBe(200);
  });

  test("L3 a picture that cannot be decoded leaves nothing", async () => {
    const before = [rowsOf(server).length, (await storedIn(server)).length];
    const jpeg = await sharp({ create: { width: 400, height: 400, channels: 3, background: "red" } })
      .jpeg()
      .toBuffer();
    const { envelope } = await uploadRaw(person, "/image/upload", bodyOf(jpeg.subarray(0, jpeg.length / 2)));
    expect(envelope.key).toBe("upload.broken");
    expect([rowsOf(server).length, (await storedIn(server)).length]).toEqual(before);
  });
});
