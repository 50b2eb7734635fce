import type { ImageUpload } from "@parley/protocol/entities";
import type { Envelope } from "@parley/protocol/envelope";

/** Uploads a picture. */
export async function uploadPicture(url: string, picture: Buffer): Promise<ImageUpload> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(picture)], { type: "image/png" }), "picture.png");
  const response = await fetch(`${url}/api/image/upload`, { method: "POST", body: form });
  const { code, message, data } = (await response.json()) as Envelope;
  if (code !== 200) throw new Error(`image/upload: ${message}`);
  return data as ImageUpload;
}
