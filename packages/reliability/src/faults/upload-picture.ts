/** Uploads small pictures that are all different. */
import sharp from "sharp";
import type { ImageUpload } from "@parley/protocol/entities";
import type { Envelope } from "@parley/protocol/envelope";
import { type TestPerson, request } from "@parley/server/testing/test-person";

/** Uploads a picture whose colour depends on `n`. */
export async function uploadPicture(
  { url, tokens, headers: more }: TestPerson,
  n: number,
  size = 64,
): Promise<Envelope<ImageUpload>> {
  const background = { r: n % 256, g: (n >> 8) % 256, b: 7 };
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const picture = await sharp({ create: { width: size, height: size, channels: 3, background, noise } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(picture)]), "a.png");
  const headers = { accessToken: tokens.accessToken, ...more };
  const { envelope } = await request(url, "/image/upload", { method: "POST", body, headers });
  return envelope as Envelope<ImageUpload>;
}
