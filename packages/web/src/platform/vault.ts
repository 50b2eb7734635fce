import type { Vault } from "@parley/core/ports";
import { requestResult, transactionDone, openIndexedDb } from "./indexed-db.ts";

const IV_BYTES = 12;
const STORE = "keys";
const KEY = "device";

/** Encrypts with AES-GCM under a key that scripts cannot export and that stays in this browser. */
export function createVault(subtle: SubtleCrypto): Vault {
  let key: Promise<CryptoKey> | null = null;
  const deviceKey = (): Promise<CryptoKey> => {
    key ??= findOrCreateKey(subtle).catch((error: unknown) => {
      key = null;
      throw error;
    });
    return key;
  };
  return {
    async seal(secret) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = await subtle.encrypt(
        { name: "AES-GCM", iv },
        await deviceKey(),
        new TextEncoder().encode(secret),
      );
      return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
    },
    async open(text) {
      try {
        const bytes = fromBase64(text);
        const opened = await subtle.decrypt(
          { name: "AES-GCM", iv: bytes.slice(0, IV_BYTES) },
          await deviceKey(),
          bytes.slice(IV_BYTES),
        );
        return new TextDecoder().decode(opened);
      } catch {
        // Sealed on another device, or the key was lost when site data was cleared.
        return null;
      }
    },
  };
}

async function findOrCreateKey(subtle: SubtleCrypto): Promise<CryptoKey> {
  const database = await openIndexedDb("parley-vault", {
    version: 1,
    upgrade: (created) => void created.createObjectStore(STORE),
  });
  try {
    const newKey = await subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    // One transaction, so that two tabs never store two different keys.
    const transaction = database.transaction(STORE, "readwrite");
    const done = transactionDone(transaction);
    const store = transaction.objectStore(STORE);
    const existing = await requestResult<unknown>(store.get(KEY));
    if (!(existing instanceof CryptoKey)) store.put(newKey, KEY);
    await done;
    return existing instanceof CryptoKey ? existing : newKey;
  } finally {
    database.close();
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
