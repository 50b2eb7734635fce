import type { KeyValue } from "../ports.ts";

/** What the core stores for all tabs of this browser. Another name would lose what browsers have stored. */
export const LOCAL_KEYS = {
  accounts: "parley.accounts",
  loginOptions: "parley.remember",
  /** The person has logged out, so that a new tab does not log in by itself. */
  loggedOut: "parley.loggedOut",
  deviceNo: "parley.device",
  /** A server that the person has entered. */
  server: "parley.server",
  /** Followed by the name of a database: whether this person wants web push in this browser, with or without preview. */
  webPush: "parley.webPush:",
  /** A separate socket address, set by hand; it takes precedence over the server's (spec §7). */
  socket: "parley.socket",
  /** Followed by an address: the scheme with which its socket was reached. */
  scheme: "parley.scheme:",
  /** Followed by the id of a person: how many bytes of messages this browser keeps for them. */
  diskLimit: "parley.diskLimit:",
  /** Followed by the name of a database: the first pulls have ended once, so it most likely holds the chats. */
  pulled: "parley.pulled:",
  /** Followed by the id of a person: the clients of this browser that the server may have in a call. */
  calls: "parley.calls:",
} as const;

/** What the core stores for this tab and its reloads. */
export const SESSION_KEYS = {
  session: "parley.session",
  draft: "parley.draft",
  recalledTexts: "parley.recalled",
} as const;

/** Reads a small value; null when it is missing or when the browser refuses access. */
export function readValue(storage: KeyValue, key: string): string | null {
  try {
    return storage.get(key);
  } catch {
    return null;
  }
}

/** Writes or, with null, removes a small value. When the browser refuses it, nothing is stored. */
export function writeValue(storage: KeyValue, key: string, value: string | null): void {
  try {
    if (value === null) storage.remove(key);
    else storage.set(key, value);
  } catch {
    // The page works without the stored value.
  }
}

/** Reads a JSON value that this client has written; null when it is missing or malformed. */
export function readJson(storage: KeyValue, key: string): unknown {
  const text = readValue(storage, key);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
