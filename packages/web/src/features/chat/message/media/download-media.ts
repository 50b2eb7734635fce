import type { Client } from "@parley/core/client-api";
import { downloadUrl } from "./download-url.ts";
import { downloadOf, type MediaMessage } from "./media-content.ts";

/** Saves the file of a message; also one of another origin, where only the server can say that it is to be saved. */
export function downloadMedia(client: Pick<Client, "fileUrl">, message: MediaMessage): void {
  const file = downloadOf(message);
  if (file === null) return;
  const link = document.createElement("a");
  link.href = downloadUrl(client.fileUrl(file.url), file.name);
  link.download = file.name;
  link.rel = "noopener";
  document.body.append(link);
  link.click();
  link.remove();
}
