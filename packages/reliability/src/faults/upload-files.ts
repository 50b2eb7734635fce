/** Uploads small files. */
import sharp from "sharp";
import type { ImageUpload, VideoUpload } from "@parley/protocol/entities";
import type { Envelope } from "@parley/protocol/envelope";
import { type TestPerson, request } from "@parley/server/testing/test-person";

/** The marks of an mp4 file, without a picture. */
const MP4_HEAD = Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex");

/** Uploads a picture whose colour depends on `n`. */
export async function uploadPicture(
  person: TestPerson,
  n: number,
  size = 64,
): Promise<Envelope<ImageUpload>> {
  return (await upload(person, "/image/upload", {
    file: await drawPicture(n, size),
  })) as Envelope<ImageUpload>;
}

/** Uploads a file; the answer is its url. */
export async function uploadFile(person: TestPerson, data: Buffer): Promise<Envelope<string>> {
  return (await upload(person, "/file/upload", { file: data })) as Envelope<string>;
}

/** Uploads what counts as a video, with a cover whose colour depends on `n`. */
export async function uploadVideo(person: TestPerson, n: number): Promise<Envelope<VideoUpload>> {
  const files = { file: MP4_HEAD, cover: await drawPicture(n, 64) };
  return (await upload(person, "/video/upload", files)) as Envelope<VideoUpload>;
}

function drawPicture(n: number, size: number): Promise<Buffer> {
  const background = { r: n % 256, g: (n >> 8) % 256, b: 7 };
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: size, height: size, channels: 3, background, noise } })
    .png()
    .toBuffer();
}

async function upload(
  { url, tokens, headers: more }: TestPerson,
  path: string,
  files: Readonly<Record<string, Buffer>>,
): Promise<Envelope> {
  const body = new FormData();
  for (const [field, data] of Object.entries(files)) body.set(field, new Blob([new Uint8Array(data)]), "a");
  const headers = { accessToken: tokens.accessToken, ...more };
  return (await request(url, path, { method: "POST", body, headers })).envelope;
}
