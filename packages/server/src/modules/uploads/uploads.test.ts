import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ImageUpload, VideoUpload } from "@parley/protocol/entities";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { animatedPicture, plainPicture } from "../../testing/pictures.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type Answer, type TestPerson, registerPerson, request } from "../../testing/test-person.ts";
import { eventually } from "../../testing/eventually.ts";

let server: TestApp;
let person: TestPerson;
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  person = await registerPerson(server.url);
});
afterAll(() => server[Symbol.asyncDispose]());

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "teal" } });

/** A PNG that claims a size without containing the pixels. */
function pngHead(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const [none, end] = [Buffer.alloc(0), Buffer.alloc(16)];
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", end), chunk("IEND", none)]);
}

/** The beginning of a file of the ISO base media format with this brand. */
function isoHead(brand: string): Buffer {
  return Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\x02\0${brand}isom`, "latin1");
}

/** Bytes that begin like a PNG. */
function likePng(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  pngHead(8, 8).copy(bytes);
  return bytes;
}

/** An animation that claims a size: each frame contains a single pixel. */
function gifOf(side: number, frames: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(side);
  size.writeUInt16LE(side, 2);
  const colours = [0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  const pixel = [0x21, 0xf9, 4, 0, 5, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const drawn = Array.from({ length: frames }, () => pixel).flat();
  return Buffer.concat([Buffer.from("GIF89a"), size, Buffer.from([...colours, ...drawn, 0x3b])]);
}

async function upload(
  data: Buffer,
  {
    as = person,
    field = "file",
    name = "a.png",
    url = server.url,
  }: { as?: TestPerson | null; field?: string; name?: string; url?: string } = {},
): Promise<Answer<ImageUpload>> {
  const body = new FormData();
  body.set(field, new Blob([new Uint8Array(data)]), name);
  const headers: Record<string, string> = as === null ? {} : { accessToken: as.tokens.accessToken };
  return (await request(url, "/image/upload", { method: "POST", body, headers })) as Answer<ImageUpload>;
}

async function uploadOk(data: Buffer, name?: string): Promise<ImageUpload> {
  const { envelope } = await upload(data, name === undefined ? {} : { name });
  if (envelope.code !== 200) throw new Error(JSON.stringify(envelope));
  return envelope.data;
}

const fetchFile = async (path: string) =>
  Buffer.from(await (await fetch(`${server.url}${path}`)).arrayBuffer());

describe("POST /image/upload", () => {
  test.each(["jpeg", "png", "webp", "gif"] as const)(
    "%s: the type is detected by content, not by name",
    async (format) => {
      const answer = await uploadOk(await blank(600, 300).toFormat(format).toBuffer(), "notes.txt");
      const extension = format === "jpeg" ? "jpg" : format;
      expect(answer).toEqual({
        originUrl: expect.stringMatching(new RegExp(`^/files/[0-9a-f]{32}/image\\.${extension}$`)),
        thumbUrl: expect.stringMatching(/^\/files\/[0-9a-f]{32}\/thumb\.webp$/),
        width: 600,
        height: 300,
        placeholder: expect.any(String),
      });
      expect((await sharp(await fetchFile(answer.originUrl)).metadata()).format).toBe(format);
      const thumb = await sharp(await fetchFile(answer.thumbUrl)).metadata();
      expect([thumb.format, thumb.width, thumb.height]).toEqual(["webp", 400, 200]);
    },
  );

  test("L26 AVIF becomes WebP, which every client shows", async () => {
    const answer = await uploadOk(await blank(30, 20).avif().toBuffer(), "a.avif");
    expect(answer).toMatchObject({ originUrl: expect.stringMatching(/image\.webp$/), width: 30, height: 20 });
    expect((await sharp(await fetchFile(answer.originUrl)).metadata()).format).toBe("webp");
  });

  test("the thumbnail of a small picture is not enlarged", async () => {
    const { thumbUrl } = await uploadOk(await blank(30, 20).png().toBuffer());
    const thumb = await sharp(await fetchFile(thumbUrl)).metadata();
    expect([thumb.width, thumb.height]).toEqual([30, 20]);
  });

  test("metadata is removed after the picture was turned upright", async () => {
    const turned = await blank(40, 20)
      .jpeg()
      .withExif({ IFD0: { Copyright: "canary" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(turned).metadata()).exif).toBeDefined();
    const answer = await uploadOk(turned);
    expect([answer.width, answer.height]).toEqual([20, 40]);
    const stored = await sharp(await fetchFile(answer.originUrl)).metadata();
    expect([stored.exif, stored.icc, stored.xmp, stored.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("a GIF stays animated; its size is that of a frame", async () => {
    const answer = await uploadOk(await animatedPicture("gif", 16, 16));
    expect([answer.width, answer.height]).toEqual([16, 16]);
    expect((await sharp(await fetchFile(answer.originUrl), { animated: true }).metadata()).pages).toBe(2);
  });

  test.each([
    ["text", Buffer.from("hello")],
    ["an empty file", Buffer.alloc(0)],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["PDF", Buffer.from("%PDF-1.7\n")],
    ["HEIC", isoHead("heic")],
    ["HEIF", isoHead("mif1")],
    ["TIFF", Buffer.from("49492a000800000000000000", "hex")],
    ["BMP", Buffer.from("424d3e000000000000003e00000028000000", "hex")],
  ])("%s is refused by its content", async (_name, data) => {
    const { status, envelope } = await upload(data, { name: "a.jpg" });
    expect([status, envelope.code, envelope.key]).toEqual([200, 500, "upload.type"]);
    expect(envelope.params).toEqual({ types: "jpg, png, webp, gif, avif" });
  });

  test.each([
    ["a truncated PNG", async () => (await blank(200, 200).png().toBuffer()).subarray(0, 120)],
    ["a text that begins like a GIF", async () => Buffer.from("GIF89a/*alert(1)*/=1")],
    ["a truncated JPEG", async () => (await blank(200, 200).jpeg().toBuffer()).subarray(0, 300)],
  ])("%s is refused as broken", async (_name, make) => {
    const { envelope } = await upload(await make());
    expect(envelope.key).toBe("upload.broken");
  });

  test.each([
    [50_000_000, 1],
    [1, 30_001],
  ])("a picture of %d x %d is refused, however few pixels it has", async (width, height) => {
    const { envelope } = await upload(pngHead(width, height));
    expect(envelope.key).toBe("upload.tooManyPixels");
  });

  test("more than 50 megapixels are refused before they are decoded", async () => {
    const bomb = await blank(7_100, 7_100).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    const { envelope } = await upload(bomb);
    expect(envelope.key).toBe("upload.tooManyPixels");
  });

  test("the pixels of all frames of an animation count", async () => {
    expect((await upload(gifOf(2_000, 13))).envelope.key).toBe("upload.tooManyPixels");
    expect((await upload(gifOf(200, 13))).envelope.code).toBe(200);
  });

  test("a file over 20 MiB is 413", async () => {
    const { status, envelope } = await upload(likePng(20_971_521));
    expect([status, envelope.code]).toEqual([413, 500]);
  });

  test("a file over UPLOAD_MAX_MB is 413, and the configuration names the smaller of both limits", async () => {
    await using own = await createTestApp({ env: { UPLOAD_MAX_MB: "1" } });
    const someone = await registerPerson(own.url);
    const { upload: limits } = await someone.ok("loadSystemConfig");
    expect(limits).toEqual({ imageMax: 1_048_576, fileMax: 1_048_576 });
    const { status, envelope } = await upload(likePng(1_048_577), { as: someone, url: own.url });
    expect([status, envelope.key, envelope.params]).toEqual([413, "upload.tooLarge", { max: 1 }]);
    // A file of exactly the maximum is read, and then refused because it is not a whole picture.
    const exact = await upload(likePng(1_048_576), { as: someone, url: own.url });
    expect(exact.envelope.key).toBe("upload.broken");
    const small = await upload(await blank(8, 8).png().toBuffer(), { as: someone, url: own.url });
    expect(small.envelope.code).toBe(200);
  });

  test("the file must be in the field `file`", async () => {
    const { status, envelope } = await upload(await blank(8, 8).png().toBuffer(), { field: "picture" });
    expect([status, envelope.message]).toEqual([400, "file: is missing"]);
    const headers = { accessToken: person.tokens.accessToken };
    const empty = await request(server.url, "/image/upload", {
      method: "POST",
      body: new FormData(),
      headers,
    });
    expect(empty.status).toBe(400);
  });

  test("a body that is not multipart is 415; uploads still work after a truncated one", async () => {
    const headers = { accessToken: person.tokens.accessToken, "content-type": "application/json" };
    const json = await request(server.url, "/image/upload", { method: "POST", body: "{}", headers });
    expect(json.status).toBe(415);
    const socket = connect(server.app.port, "127.0.0.1");
    socket.write(
      `POST /api/image/upload HTTP/1.1\r\nHost: x\r\naccessToken: ${person.tokens.accessToken}\r\n` +
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n" +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\npart',
    );
    await new Promise((resolve) => setTimeout(resolve, 50)); // there is no answer to wait for
    socket.destroy();
    expect((await upload(await blank(8, 8).png().toBuffer())).envelope.code).toBe(200);
  });

  const part = 'Content-Disposition: form-data; name="file"; filename="a.png"';
  test.each([
    ["names no boundary", "multipart/form-data", "x"],
    ["names one that is too long", `multipart/form-data; boundary=${"b".repeat(300)}`, "x"],
    ["ends in the middle of a part", "multipart/form-data; boundary=b", `--b\r\n${part}\r\n\r\nabc`],
    ["has no part", "multipart/form-data; boundary=b", "--b--\r\n"],
  ])("a multipart body that %s is malformed", async (_name, type, body) => {
    const before = server.logs.length;
    const { status, envelope } = await request(server.url, "/image/upload", {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    expect([status, envelope.code, envelope.key]).toEqual([400, 500, "request.malformed"]);
    expect(server.logs.slice(before)).toEqual([]);
  });

  test("a bad token is 401, not an anonymous upload", async () => {
    const body = new FormData();
    body.set("file", new Blob([new Uint8Array(await blank(8, 8).png().toBuffer())]), "a.png");
    const { envelope } = await request(server.url, "/image/upload", {
      method: "POST",
      body,
      headers: { accessToken: "bad" },
    });
    expect(envelope.code).toBe(401);
  });

  test("the daily limit counts the stored bytes, and a day later uploads work again", async () => {
    await using own = await createTestApp({ env: { UPLOAD_DAILY_MB: "1", RATE_LIMITS: "off" } });
    const someone = await registerPerson(own.url);
    const noise = await sharp({
      create: {
        width: 450,
        height: 450,
        channels: 3,
        background: "red",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    expect((await upload(noise, { as: someone, url: own.url })).envelope.code).toBe(200);
    expect((await upload(noise, { as: someone, url: own.url })).envelope.key).toBe("upload.dailyLimit");
    own.clock.advance(24 * 3_600_000 + 1);
    const again = await someone.elsewhere();
    expect((await upload(noise, { as: again, url: own.url })).envelope.code).toBe(200);
  });
});

/** The marks of an mp4 file, without a picture. */
const MP4 = Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex");
/** The marks of a file of the Matroska family. */
function matroska(docType: string): Buffer {
  const head = Buffer.from("1a45dfa39f4286810142f7810142f2810442f381084282", "hex");
  return Buffer.concat([head, Buffer.from([0x80 + docType.length]), Buffer.from(docType)]);
}
const WEBM = matroska("webm");

/** The first page of an Ogg file with this beginning of its first packet. */
function oggHead(packet: string): Buffer {
  return Buffer.from(
    `OggS\0\x02${"\0".repeat(20)}\x01${String.fromCharCode(packet.length)}${packet}`,
    "latin1",
  );
}

async function post<T>(
  path: string,
  files: Readonly<Record<string, Buffer>>,
  { as = person, name = "a" }: { as?: TestPerson; name?: string } = {},
): Promise<Answer<T>> {
  const body = new FormData();
  for (const [field, data] of Object.entries(files)) body.set(field, new Blob([new Uint8Array(data)]), name);
  const headers = { accessToken: as.tokens.accessToken };
  return (await request(as.url, path, { method: "POST", body, headers })) as Answer<T>;
}

describe("POST /file/upload", () => {
  test.each([
    ["text", Buffer.from("hello"), "bin", undefined],
    ["nothing", Buffer.alloc(0), "bin", undefined],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), "bin", undefined],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>"), "bin", undefined],
    ["PDF", Buffer.from("%PDF-1.7\n"), "bin", undefined],
    ["MP4", MP4, "mp4", "video/mp4"],
    ["MP4 of a telephone (3gp)", isoHead("3gp5"), "mp4", "video/mp4"],
    ["MP4 of a telephone (3g2)", isoHead("3g2a"), "mp4", "video/mp4"],
    ["M4V", isoHead("M4V "), "mp4", "video/mp4"],
    ["QuickTime", isoHead("qt  "), "mov", "video/quicktime"],
    [
      "QuickTime without a brand",
      Buffer.from("00000008776964650000000c6d646174", "hex"),
      "mov",
      "video/quicktime",
    ],
    ["WebM", WEBM, "webm", "video/webm"],
    ["Matroska", matroska("matroska"), "bin", undefined],
    ["M4A", isoHead("M4A "), "m4a", "audio/mp4"],
    ["M4B", isoHead("M4B "), "m4a", "audio/mp4"],
    [
      "MP3 with a cover",
      Buffer.from(`494433030000000000ff4e${"00".repeat(20_000)}`, "hex"),
      "mp3",
      "audio/mpeg",
    ],
    ["Ogg with Opus", oggHead("OpusHead"), "ogg", "audio/ogg"],
    ["Ogg with Vorbis", oggHead("\x01vorbis\0\0\0\0\x02"), "ogg", "audio/ogg"],
    ["FLAC", Buffer.from("664c6143000000220010001000000000", "hex"), "flac", "audio/flac"],
    ["AAC", Buffer.from("fff15080021ffcde02004c61", "hex"), "aac", "audio/aac"],
    ["AVIF", isoHead("avif"), "avif", "image/avif"],
    ["HEIC", isoHead("heic"), "bin", undefined],
    ["BMP", Buffer.from("424d3e000000000000003e00000028000000", "hex"), "bin", undefined],
    ["random bytes of 1 MB", randomBytes(1_000_000), "bin", undefined],
  ])(
    "L9 %s: the answer is the url, and extension and type are those of the content",
    async (_name, data, extension, type) => {
      const { envelope } = await post<string>("/file/upload", { file: data }, { name: "../page.html" });
      expect(envelope.data).toMatch(new RegExp(`^/files/[0-9a-f]{32}/file\\.${extension}$`));
      expect(await fetchFile(envelope.data)).toEqual(data);
      const { headers } = await fetch(`${server.url}${envelope.data}`);
      expect(headers.get("content-type")).toBe(type ?? "application/octet-stream");
      expect(headers.get("content-disposition")).toBe(type === undefined ? "attachment" : "inline");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    },
  );

  test("needs a token", async () => {
    const body = new FormData();
    body.set("file", new Blob(["x"]));
    const { envelope } = await request(server.url, "/file/upload", { method: "POST", body });
    expect(envelope.code).toBe(400);
  });
});

describe("POST /video/upload", () => {
  test("L18 a video gets size and placeholder of the cover, before or behind it", async () => {
    const cover = await blank(320, 180).jpeg().toBuffer();
    for (const files of [
      { file: WEBM, cover },
      { cover, file: WEBM },
    ]) {
      const { envelope } = await post<VideoUpload>("/video/upload", files);
      expect(envelope.data).toEqual({
        videoUrl: expect.stringMatching(/^\/files\/[0-9a-f]{32}\/video\.webm$/),
        coverUrl: expect.stringMatching(/^\/files\/[0-9a-f]{32}\/cover\.jpg$/),
        width: 320,
        height: 180,
        placeholder: expect.any(String),
      });
      expect(await fetchFile(envelope.data.videoUrl)).toEqual(WEBM);
      expect((await sharp(await fetchFile(envelope.data.coverUrl)).metadata()).width).toBe(320);
    }
  });

  test.each([
    ["qt  ", "mov"],
    ["3gp4", "mp4"],
    ["M4V ", "mp4"],
  ])("a video of the brand '%s' is taken as %s", async (brand, extension) => {
    const { envelope } = await post<VideoUpload>("/video/upload", { file: isoHead(brand) });
    expect(envelope.data.videoUrl).toMatch(new RegExp(`/video\\.${extension}$`));
  });

  test("L18 without a cover it gets a plain one of 640 x 360", async () => {
    const { envelope } = await post<VideoUpload>("/video/upload", { file: MP4 });
    expect([envelope.data.width, envelope.data.height]).toEqual([640, 360]);
    const { format, width } = await sharp(await fetchFile(envelope.data.coverUrl)).metadata();
    expect([format, width]).toEqual(["webp", 640]);
    const small = await sharp(Buffer.from(envelope.data.placeholder ?? "", "base64")).metadata();
    expect([small.format, small.width, small.height]).toEqual(["webp", 16, 9]);
  });

  test("another type is refused, and so is a cover that is no picture", async () => {
    const picture = await blank(8, 8).png().toBuffer();
    const other = await post("/video/upload", { file: picture });
    expect([other.envelope.key, other.envelope.params]).toEqual(["upload.type", { types: "mp4, webm, mov" }]);
    expect((await post("/video/upload", { file: MP4, cover: MP4 })).envelope.key).toBe("upload.type");
    expect((await post("/video/upload", { cover: picture })).envelope.message).toBe("file: is missing");
  });
});

describe("without a token", () => {
  test("an avatar for the registration may be JPEG, PNG or WebP", async () => {
    expect((await upload(await blank(8, 8).jpeg().toBuffer(), { as: null })).envelope.code).toBe(200);
    const gif = await upload(await blank(8, 8).gif().toBuffer(), { as: null });
    expect([gif.envelope.key, gif.envelope.params]).toEqual(["upload.type", { types: "jpg, png, webp" }]);
  });

  test("L24 an avatar has at most 2048 x 2048 pixels", async () => {
    const of = async (side: number, as: TestPerson | null) =>
      (await upload(await plainPicture(side, side), { as })).envelope.key;
    expect([await of(2_048, null), await of(2_049, null), await of(2_049, person)]).toEqual([
      undefined,
      "upload.tooManyPixels",
      undefined,
    ]);
  });

  test("a file over 5 MiB is 413", async () => {
    const { status, envelope } = await upload(likePng(5_242_881), { as: null });
    expect([status, envelope.key]).toEqual([413, "upload.tooLarge"]);
  });

  test("where registration is closed, only people with an account can upload; with invite codes it is open", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const root = await registerPerson(own.url);
    await sendAdminCommand(own.dataDir, { name: "grantAdmin", userName: root.userName });
    const picture = await blank(8, 8).png().toBuffer();
    const keyOf = async (as: TestPerson | null) => (await upload(picture, { as, url: own.url })).envelope.key;
    await root.ok("saveSettings", { body: { isInviteCodeRequired: true } });
    expect(await keyOf(null)).toBeUndefined();
    await root.ok("saveSettings", { body: { isRegistrationOpen: false } });
    expect([await keyOf(null), await keyOf(root)]).toEqual(["register.closed", undefined]);
  });

  test("one address may upload 200 pictures an hour, a person 60 a minute", async () => {
    await using own = await createTestApp();
    const someone = await registerPerson(own.url);
    const tiny = await blank(2, 2).png().toBuffer();
    // Without an account one after the other, because two may be here at once.
    const statuses = [];
    for (let n = 0; n <= 200; n++) statuses.push((await upload(tiny, { as: null, url: own.url })).status);
    expect(statuses).toEqual([...Array.from({ length: 200 }, () => 200), 429]);
    const answers = await Promise.all(
      Array.from({ length: 61 }, () => upload(tiny, { as: someone, url: own.url })),
    );
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1);
  });
});

describe("unclaimed files", () => {
  const DAY_MS = 24 * 3_600_000;
  const HOUR_MS = 3_600_000;

  test("are deleted within an hour after a day; avatars of registered people are kept", async () => {
    await using own = await createTestApp({ env: { RATE_LIMITS: "off" } });
    const someone = await registerPerson(own.url);
    const tiny = await blank(2, 2).png().toBuffer();
    const put = async (as: TestPerson | null) => (await upload(tiny, { as, url: own.url })).envelope.data;
    const [idle, avatar, registered, anonymous] = [
      await put(someone),
      await put(someone),
      await put(null),
      await put(null),
    ];
    const [headImage, headImageThumb] = [avatar.originUrl, avatar.thumbUrl];
    await someone.ok("updateUser", { body: { id: someone.id, headImage, headImageThumb } });
    const { envelope } = await request(own.url, "/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        userName: "Avatar1",
        nickName: "n",
        password: "password-1",
        headImage: registered.originUrl,
        headImageThumb: registered.thumbUrl,
      }),
    });
    expect(envelope.code).toBe(200);
    const statuses = (...files: ImageUpload[]) =>
      Promise.all(
        files
          .flatMap(({ originUrl, thumbUrl }) => [originUrl, thumbUrl])
          .map(async (path) => (await fetch(`${own.url}${path}`)).status),
      );
    own.clock.advance(DAY_MS - HOUR_MS);
    own.app.sweep();
    const young = await put(null);
    own.clock.advance(HOUR_MS + 1);
    own.app.sweep();
    await eventually(async () => expect(await statuses(idle, anonymous)).toEqual([404, 404, 404, 404]));
    await eventually(async () => expect((await own.app.store.countFiles()).count).toBe(6));
    expect(await statuses(avatar, registered, young)).toEqual([200, 200, 200, 200, 200, 200]);
    const again = await registerPerson(own.url);
    expect(await again.errorKeyOf("updateUser", { body: { id: again.id, headImage: idle.originUrl } })).toBe(
      "file.notIssued",
    );
  });
});
