import webPush from "web-push";
import type { Transactions } from "../../ports/store.ts";
import type { WebPushKeyReads, WebPushKeys, WebPushKeyWrites } from "../../ports/web-push-store.ts";

/** The keys of the database, which all nodes share. They are made once, because a browser's subscription works only with the key it was made for. */
export async function loadVapidKeys(
  store: WebPushKeyReads & Transactions<WebPushKeyReads & WebPushKeyWrites>,
): Promise<WebPushKeys> {
  const stored = await store.findWebPushKeys();
  if (stored !== undefined) return stored;
  const keys = webPush.generateVAPIDKeys();
  return store.write(async (tx) => {
    // Another node may have been faster.
    const existing = await tx.findWebPushKeys();
    if (existing === undefined) await tx.setWebPushKeys(keys);
    return existing ?? keys;
  });
}
