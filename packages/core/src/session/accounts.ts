import type { UserInfo } from "@parley/protocol/entities";
import type { LoginForm } from "../model/forms/login-rules.ts";
import { isRecord, LOCAL_KEYS, readJson, readValue, writeValue } from "../storage/key-value-storage.ts";
import type { Ports } from "../ports.ts";

/** An account that this browser remembers. */
export interface SavedAccount {
  readonly userId: number;
  readonly userName: string;
  readonly nickName: string;
  readonly headImageThumb: string | null;
  readonly hasPassword: boolean;
}

/** The same as it is stored. */
export interface AccountRecord extends Omit<SavedAccount, "hasPassword"> {
  /** The server that the account belongs to. */
  readonly origin: string;
  /** The password, encrypted with this device's key; null when it is not remembered. */
  readonly sealed: string | null;
}

/** Names and sealed passwords that this browser remembers, newest first. */
export interface Accounts {
  list(): SavedAccount[];
  /** The options that the person ticked at the last login. */
  loginOptions(): Pick<LoginForm, "rememberName" | "rememberPassword">;
  forget(userName: string): void;
  /** Forgets the account of a person. */
  forgetUser(userId: number): void;
  /** Takes over a new nickname or picture if the account is remembered. */
  update(user: UserInfo): void;
  /**
   * Called after a login: remembers what the person allowed. `password` null: do not remember it. False: it was to be remembered and cannot
   * be, because this device could not encrypt it.
   */
  remember(user: UserInfo, options: { name: boolean; password: string | null }): Promise<boolean>;
  /** Null: it is not remembered, cannot be decrypted, or another server is in use by the time it is. */
  password(userName: string): Promise<string | null>;
  /** The account that a new tab logs in as: the newest one, if its password is remembered and the person has not logged out. */
  autoLoginAccount(): AccountRecord | null;
  setLoggedOut(isOut: boolean): void;
}

/** Creates the list of remembered accounts; `origin` is the server in use. */
export function createAccounts(ports: Ports, origin: () => string): Accounts {
  const { local, vault } = ports.storage;

  function readAll(): AccountRecord[] {
    const value = readJson(local, LOCAL_KEYS.accounts);
    return Array.isArray(value) ? value.filter(isAccount) : [];
  }

  function saveAll(accounts: readonly AccountRecord[]): void {
    writeValue(local, LOCAL_KEYS.accounts, JSON.stringify(accounts));
  }

  /** The accounts of the server in use. */
  function ofThisServer(): AccountRecord[] {
    return readAll().filter((account) => account.origin === origin());
  }

  function allExcept(userName: string): AccountRecord[] {
    return readAll().filter((account) => account.userName !== userName || account.origin !== origin());
  }

  async function unseal(account: AccountRecord | undefined): Promise<string | null> {
    if (account?.sealed == null || vault === null) return null;
    try {
      return await vault.open(account.sealed);
    } catch {
      return null;
    }
  }

  return {
    list: () =>
      ofThisServer().map(({ userId, userName, nickName, headImageThumb, sealed }) => ({
        userId,
        userName,
        nickName,
        headImageThumb,
        hasPassword: sealed !== null && vault !== null,
      })),
    loginOptions() {
      const saved = readValue(local, LOCAL_KEYS.loginOptions);
      return { rememberName: saved !== "nothing", rememberPassword: saved === "password" };
    },
    forget: (userName) => saveAll(allExcept(userName)),
    forgetUser(userId) {
      saveAll(readAll().filter((account) => account.userId !== userId || account.origin !== origin()));
    },
    update({ id, nickName, headImageThumb }) {
      const isOutdated = (account: AccountRecord) =>
        account.userId === id &&
        account.origin === origin() &&
        (account.nickName !== nickName || account.headImageThumb !== headImageThumb);
      const all = readAll();
      if (all.some(isOutdated))
        saveAll(
          all.map((account) => (isOutdated(account) ? { ...account, nickName, headImageThumb } : account)),
        );
    },
    async remember(user, options) {
      const { userName, nickName, headImageThumb } = user;
      writeValue(
        local,
        LOCAL_KEYS.loginOptions,
        options.password !== null ? "password" : options.name ? "name" : "nothing",
      );
      if (!options.name && options.password === null) {
        saveAll(allExcept(userName));
        return true;
      }
      const sealed = options.password === null ? null : await seal(options.password);
      saveAll([
        { userName, nickName, headImageThumb, userId: user.id, origin: origin(), sealed },
        ...allExcept(userName),
      ]);
      return options.password === null || sealed !== null;
    },
    async password(userName) {
      const server = origin();
      const password = await unseal(ofThisServer().find((account) => account.userName === userName));
      return origin() === server ? password : null;
    },
    autoLoginAccount() {
      if (readValue(local, LOCAL_KEYS.loggedOut) !== null || vault === null) return null;
      const [newest] = ofThisServer();
      return newest === undefined || newest.sealed === null ? null : newest;
    },
    setLoggedOut: (isOut) => writeValue(local, LOCAL_KEYS.loggedOut, isOut ? "1" : null),
  };

  async function seal(password: string): Promise<string | null> {
    try {
      return vault === null ? null : await vault.seal(password);
    } catch {
      return null;
    }
  }
}

/** The number of this device, created at the first start (spec §3). */
export function loadDeviceNumber(ports: Ports): string {
  const stored = readValue(ports.storage.local, LOCAL_KEYS.deviceNo);
  if (stored !== null && stored !== "") return stored;
  const created = ports.random.id();
  writeValue(ports.storage.local, LOCAL_KEYS.deviceNo, created);
  return created;
}

function isAccount(value: unknown): value is AccountRecord {
  return (
    isRecord(value) &&
    typeof value["userName"] === "string" &&
    typeof value["userId"] === "number" &&
    typeof value["origin"] === "string" &&
    (value["sealed"] === null || typeof value["sealed"] === "string")
  );
}
