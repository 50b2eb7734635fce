import type { Client } from "@parley/core/client-api";
import { startDownload } from "../../../../kit/start-download.ts";
import { downloadUrl } from "../../../../kit/download-url.ts";
import { downloadOf, type MediaMessage } from "./media-content.ts";

/** Saves the file of a message. */
export function downloadMedia(client: Pick<Client, "fileUrl">, message: MediaMessage): void {
  const file = downloadOf(message);
  if (file !== null) startDownload(downloadUrl(client.fileUrl(file.url), file.name), file.name);
}
