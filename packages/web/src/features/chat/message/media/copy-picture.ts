import type { Client } from "@parley/core/client-api";
import type { ChatMessage } from "@parley/core/model/state";
import { currentText } from "../../../../kit/i18n.ts";
import { toasts } from "../../../../kit/toasts.ts";
import { imageOf } from "./media-content.ts";

/** Copies the original of a picture to the clipboard, as PNG, the only format that browsers take. Shows a toast with the result. */
export async function copyPicture(client: Pick<Client, "fileUrl">, message: ChatMessage): Promise<void> {
  const image = imageOf(message);
  if (image === null) return;
  const t = currentText();
  try {
    // The clipboard gets a promise: some browsers allow it only within the click.
    const png = loadPng(client.fileUrl(image.originUrl));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    toasts.success(t("chat.copied"));
  } catch {
    toasts.error(t("chat.copyRefused"));
  }
}

async function loadPng(url: string): Promise<Blob> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the picture cannot be loaded: ${answer.status}`);
  const blob = await answer.blob();
  if (blob.type === "image/png") return blob;
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/png" });
}
