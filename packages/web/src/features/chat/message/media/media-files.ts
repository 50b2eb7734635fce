import { create } from "zustand";
import type { ChatActions, Client } from "@parley/core/client-api";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { downloadUrl, startDownload } from "../../../../kit/forms/downloads.ts";
import { currentText } from "../../../../kit/i18n/i18n.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { downloadOf, imageOf, type MediaMessage } from "./media-content.ts";
import type { MediaPages } from "./media-pages.ts";

/** A viewer over the pictures and videos of a chat. */
export interface OpenViewer {
  readonly chatKey: ChatKey;
  /** The message whose picture is shown first. */
  readonly messageKey: string;
  /** The pictures and videos of the chat that are loaded already. */
  readonly pages?: MediaPages;
}

const useViewer = create<{ readonly viewer: OpenViewer | null }>(() => ({ viewer: null }));

/** Opens the viewer. The conversation of the chat must be on the screen: it shows the viewer. */
export function openViewer(viewer: OpenViewer): void {
  useViewer.setState({ viewer });
}

/** Closes the viewer. */
export function closeViewer(): void {
  useViewer.setState({ viewer: null });
}

/** The open viewer of a chat; null if none is open. */
export function useOpenViewer(chatKey: ChatKey): OpenViewer | null {
  return useViewer(({ viewer }) => (viewer?.chatKey === chatKey ? viewer : null));
}

/** Saves the file of a message. */
export function downloadMedia(client: Pick<Client, "fileUrl">, message: MediaMessage): void {
  const file = downloadOf(message);
  if (file !== null) startDownload(downloadUrl(client.fileUrl(file.url), file.name), file.name);
}

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

/** The file that this page sends or has sent with a message, or the cover of its video; null if there is none or it is not wanted. */
export function useLocalFile(
  { tmpId }: Pick<ChatMessage, "tmpId">,
  part: "file" | "cover",
  isWanted: boolean,
): Blob | null {
  const client = useClient();
  const file = isWanted && tmpId !== null ? client.chats.localFile(tmpId)?.[part] : null;
  return file instanceof Blob ? file : null;
}

/** Whether the file of a message was not uploaded and is no longer in this page, as after a reload. */
export function isFileLost(
  { chats }: { readonly chats: Pick<ChatActions, "localFile"> },
  { upload, tmpId }: Pick<ChatMessage, "upload" | "tmpId">,
): boolean {
  return upload !== null && (tmpId === null || chats.localFile(tmpId) === undefined);
}
