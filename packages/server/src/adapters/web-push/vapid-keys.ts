import { readFileSync } from "node:fs";
import { join } from "node:path";
import webPush from "web-push";
import type { Transactions } from "../../ports/store.ts";
import type { WebPushKeyReads, WebPushKeys, WebPushKeyWrites } from "../../ports/web-push-store.ts";

/**
 * The keys of the database, which all nodes share. They are made once, because a browser's subscription works only with the key it was made
 * for. An earlier version kept them in a file of the data folder, out of which they are taken over. Throws if that cannot be used.
 */
export async function loadVapidKeys(
  store: WebPushKeyReads & Transactions<WebPushKeyReads & WebPushKeyWrites>,
  dataDir: string,
): Promise<WebPushKeys> {
  const stored = await store.findWebPushKeys();
  if (stored !== undefined) return stored;
  const keys = readKeyFile(join(dataDir, "vapid.json")) ?? webPush.generateVAPIDKeys();
  return store.write(async (tx) => {
    // Another node may have been faster.
    const existing = await tx.findWebPushKeys();
    if (existing === undefined) await tx.setWebPushKeys(keys);
    return existing ?? keys;
  });
}

/** Undefined if there is no such file. */
function readKeyFile(path: string): WebPushKeys | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const { publicKey, privateKey } = JSON.parse(text) as Partial<WebPushKeys>;
  if (typeof publicKey !== "string" || typeof privateKey !== "string") {
    throw new Error("it does not hold two keys; delete it to have new ones made");
  }
  return { publicKey, privateKey };
}
