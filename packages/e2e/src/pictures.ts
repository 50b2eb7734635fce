import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { ImageUpload } from "@parley/protocol/entities";
import type { Envelope } from "@parley/protocol/envelope";
import type { Account } from "./api.ts";

/** Uploads a picture. */
export async function uploadPicture(url: string, picture: Buffer): Promise<ImageUpload> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(picture)], { type: "image/png" }), "picture.png");
  const response = await fetch(`${url}/api/image/upload`, { method: "POST", body: form });
  const { code, message, data } = (await response.json()) as Envelope;
  if (code !== 200) throw new Error(`image/upload: ${message}`);
  return data as ImageUpload;
}

/** Uploads a picture, sends it to a friend and returns the id of the message. */
export async function sendPicture(url: string, from: Account, to: Account, picture: Buffer): Promise<number> {
  const content = JSON.stringify(await uploadPicture(url, picture));
  const body = { recvId: to.id, type: MessageType.IMAGE, content };
  return (await from.call(ENDPOINTS.sendPrivateMessage, { body })).id;
}
