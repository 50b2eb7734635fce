import type { Client } from "@parley/core/client-api";
import { downloadOf, type MediaMessage } from "./media-content.ts";

/** The address at which the server offers a file for saving under this name. */
function downloadUrl(client: Pick<Client, "fileUrl">, url: string, name: string): string {
  return `${client.fileUrl(url)}?name=${encodeURIComponent(name)}&download=1`;
}

/** Saves the file of a message; also one of another origin, where only the server can say that it is to be saved. */
export function downloadMedia(client: Pick<Client, "fileUrl">, message: MediaMessage): void {
  const file = downloadOf(message);
  if (file === null) return;
  const link = document.createElement("a");
  link.href = downloadUrl(client, file.url, file.name);
  link.download = file.name;
  link.rel = "noopener";
  document.body.append(link);
  link.click();
  link.remove();
}
