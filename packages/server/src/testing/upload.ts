/** Uploads of test people. */
import sharp from "sharp";
import type { ImageUpload } from "@parley/protocol/entities";
import { type TestPerson, request } from "./test-person.ts";

/** Uploads bytes by one of the calls that take a file in the field `file`. */
async function upload(
  { url, tokens, headers }: TestPerson,
  path: string,
  data: Buffer,
  name = "a",
): Promise<unknown> {
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(data)]), name);
  const { envelope } = await request(url, path, {
    method: "POST",
    body,
    headers: { accessToken: encodeURIComponent(tokens.accessToken), ...headers },
  });
  if (envelope.code !== 200) throw new Error(`${path} answered ${JSON.stringify(envelope)}`);
  return envelope.data;
}

/** Uploads a small picture. */
export async function uploadPicture(person: TestPerson, background = "teal"): Promise<ImageUpload> {
  const picture = sharp({ create: { width: 30, height: 20, channels: 3, background } });
  // The answer of this call.
  return (await upload(person, "/image/upload", await picture.png().toBuffer())) as ImageUpload;
}

/** Uploads a file of any type. Returns its url. */
export async function uploadFile(person: TestPerson, data: Buffer): Promise<string> {
  return (await upload(person, "/file/upload", data)) as string;
}
