import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import webPush from "web-push";

/** The pair of keys by which push services know this server (RFC 8292), base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * Reads the keys from the data folder. They are generated once, because a browser's subscription works only with the key it was made for.
 * Throws if they cannot be used.
 */
export function loadVapidKeys(dataDir: string): VapidKeys {
  const path = join(dataDir, "vapid.json");
  try {
    const text = JSON.stringify(webPush.generateVAPIDKeys());
    writeFileSync(path, `${text}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const keys = JSON.parse(readFileSync(path, "utf8")) as Partial<VapidKeys>;
  const { publicKey, privateKey } = keys;
  if (typeof publicKey !== "string" || typeof privateKey !== "string") {
    throw new Error("it does not hold two keys; delete it to have new ones made");
  }
  return { publicKey, privateKey };
}
