import type { Client } from "@parley/core/client-api";

/** Resolves when no file of this page is being uploaded: its bytes are only in the memory of the page. */
export function afterUploads(client: Client): Promise<void> {
  const isUploading = () => Object.keys(client.getState().uploads).length > 0;
  if (!isUploading()) return Promise.resolve();
  return new Promise((resolve) => {
    const stopWaiting = client.subscribe(() => {
      if (isUploading()) return;
      stopWaiting();
      resolve();
    });
  });
}
