import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import type { PictureJob, PictureOutcome, ReadableType } from "../../ports/picture-encoder.ts";
import { blackPicture, pngChunk } from "../../testing/pictures.ts";
import { createPictureProcesses } from "./picture-processes.ts";

const crashes: string[] = [];
const onCrash = (detail: string) => void crashes.push(detail);
const encoder = createPictureProcesses({ onCrash });
afterAll(async () => {
  await encoder.close();
  expect(crashes).toEqual([]);
});

const never = new AbortController().signal;
const encode = (data: Buffer, type: ReadableType, more: Partial<PictureJob> = {}): Promise<PictureOutcome> =>
  encoder.encode({ data, type, pixelsMax: 50_000_000, effort: "large", ...more }, never);

/** What came out: its type, size, frames and depth as the library reads them. */
async function read(outcome: PictureOutcome) {
  if (outcome.kind !== "encoded") return outcome.kind;
  const { data, thumb } = outcome.picture;
  const {
    format,
    width,
    height,
    pageHeight,
    pages = 1,
    depth,
    space,
  } = await sharp(data, {
    animated: true,
  }).metadata();
  expect((await sharp(thumb).metadata()).format).toBe("webp");
  return { format, width, height: pageHeight ?? height, pages, depth, space };
}

const RED = { r: 200, g: 30, b: 30 };
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: RED } });

/** So many frames of one pixel, of which no two neighbours are alike. */
function animation(format: "gif" | "webp", frames: number): Promise<Buffer> {
  const pixels = Buffer.from(
    Array.from({ length: frames }, (_, n) => (n % 2 ? [255, 0, 0] : [0, 0, 255])).flat(),
  );
  const picture = sharp(pixels, { raw: { width: 1, height: frames, channels: 3, pageHeight: 1 } });
  const options = { loop: 0, delay: Array.from({ length: frames }, () => 100) };
  return (format === "gif" ? picture.gif(options) : picture.webp({ ...options, lossless: true })).toBuffer();
}

/** A PNG whose colour profile is so many bytes when it is unpacked. */
async function pngWithProfile(bytes: number): Promise<Buffer> {
  const png = await plain(20, 10).png().toBuffer();
  const profile = Buffer.concat([Buffer.from("icc\0\0"), deflateSync(Buffer.alloc(bytes))]);
  // Behind the head, which is 8 + 25 bytes.
  return Buffer.concat([png.subarray(0, 33), pngChunk("iCCP", profile), png.subarray(33)]);
}

/** A JPEG with segments of metadata that are as long as they can be. */
async function jpegWithMetadata(segments: number): Promise<Buffer> {
  const jpeg = await plain(20, 10).jpeg().toBuffer();
  const segment = Buffer.alloc(65_537, "x");
  Buffer.from([0xff, 0xe1, 0xff, 0xff]).copy(segment);
  segment.write("Exif\0\0", 4, "latin1");
  return Buffer.concat([
    jpeg.subarray(0, 2),
    ...Array.from({ length: segments }, () => segment),
    jpeg.subarray(2),
  ]);
}

const SMALL = { width: 20, height: 10, pages: 1, depth: "uchar", space: "srgb" };

describe("L26 what is decoded", () => {
  test.each<[string, ReadableType, () => Promise<Buffer>, object | string]>([
    ["AVIF", "avif", () => plain(20, 10).avif().toBuffer(), { ...SMALL, format: "webp" }],
    [
      "a PNG of 16 bits",
      "png",
      () => plain(20, 10).toColourspace("rgb16").png().toBuffer(),
      { ...SMALL, format: "png" },
    ],
    [
      "a JPEG of CMYK",
      "jpg",
      () => plain(20, 10).toColourspace("cmyk").jpeg().toBuffer(),
      { ...SMALL, format: "jpeg" },
    ],
    [
      "a progressive JPEG",
      "jpg",
      () => plain(20, 10).jpeg({ progressive: true }).toBuffer(),
      { ...SMALL, format: "jpeg" },
    ],
    ["a JPEG with 6 MB of metadata", "jpg", () => jpegWithMetadata(90), { ...SMALL, format: "jpeg" }],
    ["a PNG with a profile of 100 MB", "png", () => pngWithProfile(100_000_000), { ...SMALL, format: "png" }],
    [
      "a GIF of 1,000 frames",
      "gif",
      () => animation("gif", 1_000),
      { ...SMALL, width: 1, height: 1, pages: 1_000, format: "gif" },
    ],
    ["a GIF of 10,000 frames", "gif", () => animation("gif", 10_000), "tooManyPixels"],
    ["a WebP of 10,000 frames", "webp", () => animation("webp", 10_000), "tooManyPixels"],
    ["TIFF that is called JPEG", "jpg", () => plain(20, 10).tiff().toBuffer(), "broken"],
    [
      "SVG that is called PNG",
      "png",
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      "broken",
    ],
    ["PNG that is called GIF", "gif", () => plain(20, 10).png().toBuffer(), "broken"],
    [
      "marks of HEIC that is called AVIF",
      "avif",
      async () => Buffer.from("00000018667479706865696300000000686569636d696631", "hex"),
      "broken",
    ],
  ])("%s", async (_name, type, make, expected) => {
    expect(await read(await encode(await make(), type))).toEqual(expected);
  });

  test.each(["jpg", "png", "webp", "gif", "avif"] as const)("a truncated %s is broken", async (type) => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const picture = sharp({ create: { width: 200, height: 200, channels: 3, background: "red", noise } });
    const whole = await picture.toFormat(type === "jpg" ? "jpeg" : type).toBuffer();
    expect(await read(await encode(whole.subarray(0, whole.length * 0.6), type))).toBe("broken");
  });

  test("colours stay, also of 16 bits and CMYK", async () => {
    for (const [type, data] of [
      ["png", await plain(20, 10).toColourspace("rgb16").png().toBuffer()],
      ["jpg", await plain(20, 10).toColourspace("cmyk").jpeg({ quality: 100 }).toBuffer()],
      ["avif", await plain(20, 10).avif({ quality: 90 }).toBuffer()],
    ] as const) {
      const outcome = await encode(data, type);
      if (outcome.kind !== "encoded") throw new Error(outcome.kind);
      const [r = 0, g = 0, b = 0] = await sharp(outcome.picture.data).raw().toBuffer();
      expect(Math.max(Math.abs(r - RED.r), Math.abs(g - RED.g), Math.abs(b - RED.b))).toBeLessThan(40);
    }
  });

  test("what is transparent in an AVIF stays so", async () => {
    const clear = sharp({ create: { width: 20, height: 10, channels: 4, background: "#ff000000" } });
    const outcome = await encode(await clear.avif().toBuffer(), "avif");
    if (outcome.kind !== "encoded") throw new Error(outcome.kind);
    expect((await sharp(outcome.picture.data).raw().toBuffer())[3]).toBe(0);
  });

  test("the pixels of all frames count, and a picture that is not small goes to the large ones", async () => {
    const gif = await animation("gif", 20);
    expect((await encode(gif, "gif", { pixelsMax: 19 })).kind).toBe("tooManyPixels");
    expect((await encode(gif, "gif", { pixelsMax: 20 })).kind).toBe("encoded");
    const webp = await plain(1_200, 1_200).webp().toBuffer();
    expect((await encode(webp, "webp", { effort: "small" })).kind).toBe("large");
    expect((await encode(webp, "webp")).kind).toBe("encoded");
  });
});

describe("L27 the processes", () => {
  const slow = blackPicture(7_000);

  test("one that is over time ends, and the next picture gets another", async () => {
    const long = 600_000;
    for (const limit of [
      { cpuMs: 1, wallMs: long },
      { cpuMs: long, wallMs: 0 },
    ]) {
      const limits = { small: limit, large: limit };
      await using own = disposable(createPictureProcesses({ onCrash, limits }));
      const job = { data: await slow, type: "png", pixelsMax: 50_000_000 } as const;
      expect(await own.encode({ ...job, effort: "large" }, never)).toEqual({ kind: "tooLong" });
      expect(await own.encode({ ...job, effort: "small" }, never)).toEqual({ kind: "large" });
    }
  });

  test("a picture whose sender has gone ends with the reason, as does one at the end of the server", async () => {
    await using own = disposable(createPictureProcesses({ onCrash }));
    const gone = new AbortController();
    const job = { data: await slow, type: "png", pixelsMax: 50_000_000, effort: "large" } as const;
    const running = own.encode(job, gone.signal);
    gone.abort(new Error("gone"));
    await expect(running).rejects.toThrow("gone");
    await expect(own.encode(job, gone.signal)).rejects.toThrow("gone");
    const last = own.encode(job, never);
    await Promise.all([expect(last).rejects.toThrow("the server ends"), own.close()]);
    await expect(own.encode(job, never)).rejects.toThrow("no more");
  });

  test("an idle one ends, and the next picture gets another", async () => {
    await using own = disposable(createPictureProcesses({ onCrash, idleMs: 0 }));
    const job = {
      data: await plain(8, 8).png().toBuffer(),
      type: "png",
      pixelsMax: 64,
      effort: "small",
    } as const;
    for (let n = 0; n < 3; n++) expect((await own.encode(job, never)).kind).toBe("encoded");
  });
});

function disposable<T extends { close(): Promise<void> }>(thing: T): T & AsyncDisposable {
  return Object.assign(thing, { [Symbol.asyncDispose]: () => thing.close() });
}
