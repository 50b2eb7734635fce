import type { ElectronParts, Platform } from "./electron-parts.ts";
import type { Log } from "./log-file.ts";

const KNOWN_KEY_MARK = Buffer.from("v10");

/** Encrypts texts with a key that the system's key store has for this application and person. */
export class Secrets {
  readonly #storage: ElectronParts["safeStorage"];
  readonly #platform: Platform;
  readonly #log: Log;

  constructor(storage: ElectronParts["safeStorage"], platform: Platform, log: Log) {
    this.#storage = storage;
    this.#platform = platform;
    this.#log = log;
  }

  /** Null: the system has no key store. */
  async seal(secret: string): Promise<string | null> {
    if (!(await this.#isSafe())) return null;
    const sealed = await this.#storage.encryptStringAsync(secret);
    return this.#hasKnownKey(sealed) ? null : sealed.toString("base64");
  }

  /** Null: nothing that was sealed here, or the key is no longer there. */
  async open(sealed: string): Promise<string | null> {
    const bytes = Buffer.from(sealed, "base64");
    if (!(await this.#isSafe()) || this.#hasKnownKey(bytes)) return null;
    try {
      return (await this.#storage.decryptStringAsync(bytes)).result;
    } catch {
      // The error may quote what it could not read.
      this.#log.info("a secret cannot be opened");
      return null;
    }
  }

  /** A key store that does not answer is replaced by a key that everybody can read in Chromium's source; its texts begin like this. */
  #hasKnownKey(sealed: Buffer): boolean {
    return this.#platform === "linux" && sealed.subarray(0, KNOWN_KEY_MARK.length).equals(KNOWN_KEY_MARK);
  }

  async #isSafe(): Promise<boolean> {
    if (!(await this.#storage.isAsyncEncryptionAvailable())) return false;
    // Without a key store, Electron would use a password that everybody can read in its source.
    return (
      this.#platform !== "linux" ||
      !["basic_text", "unknown"].includes(this.#storage.getSelectedStorageBackend())
    );
  }
}
