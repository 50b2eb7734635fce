import type { UserInfo } from "@parley/protocol/entities";
import type { LoginForm } from "../model/forms.ts";
import type { SavedAccount } from "./client-api.ts";
import { isRecord, readJson, readValue, writeValue } from "./keep.ts";
import type { Ports } from "./ports.ts";

/** An account as this browser keeps it. */
export interface KeptAccount {
  readonly userName: string;
  readonly nickName: string;
  readonly headImageThumb: string | null;
  readonly userId: number;
  /** The server it belongs to. */
  readonly origin: string;
  /** The password under this device's key; null for not remembered. */
  readonly sealed: string | null;
}

const ACCOUNTS = "parley.accounts";
const TICKS = "parley.remember";
const LOGGED_OUT = "parley.loggedOut";
const DEVICE = "parley.device";

/** Names and sealed passwords that this browser remembers, newest first. */
export interface Accounts {
  list(): SavedAccount[];
  /** What the person ticked at the last login. */
  ticks(): Pick<LoginForm, "rememberName" | "rememberPassword">;
  forget(userName: string): void;
  /** After a login: remembers what the person ticked. */
  remember(user: UserInfo, options: { name: boolean; password: string | null }): Promise<void>;
  password(userName: string): Promise<string | null>;
  /** Who a new tab logs in as: the newest account with a password, unless the person has logged out. */
  automatic(): KeptAccount | null;
  setLoggedOut(isOut: boolean): void;
}

export function createAccounts(ports: Ports, origin: () => string): Accounts {
  const { local, vault } = ports.storage;

  function kept(): KeptAccount[] {
    const value = readJson(local, ACCOUNTS);
    return Array.isArray(value) ? value.filter(isAccount) : [];
  }

  function keep(accounts: readonly KeptAccount[]): void {
    writeValue(local, ACCOUNTS, JSON.stringify(accounts));
  }

  /** Those of the server in use. */
  function mine(): KeptAccount[] {
    return kept().filter((account) => account.origin === origin());
  }

  function others(userName: string): KeptAccount[] {
    return kept().filter((account) => account.userName !== userName || account.origin !== origin());
  }

  async function open(account: KeptAccount | undefined): Promise<string | null> {
    if (account?.sealed == null || vault === null) return null;
    try {
      return await vault.open(account.sealed);
    } catch {
      return null;
    }
  }

  return {
    list: () =>
      mine().map(({ userName, nickName, headImageThumb, sealed }) => ({
        userName,
        nickName,
        headImageThumb,
        hasPassword: sealed !== null && vault !== null,
      })),
    ticks() {
      const ticked = readValue(local, TICKS);
      return { rememberName: ticked !== "nothing", rememberPassword: ticked === "password" };
    },
    forget: (userName) => keep(others(userName)),
    async remember(user, options) {
      const { userName, nickName, headImageThumb } = user;
      writeValue(local, TICKS, options.password !== null ? "password" : options.name ? "name" : "nothing");
      if (!options.name && options.password === null) return keep(others(userName));
      const sealed = options.password === null ? null : await seal(options.password);
      keep([
        { userName, nickName, headImageThumb, userId: user.id, origin: origin(), sealed },
        ...others(userName),
      ]);
    },
    password: (userName) => open(mine().find((account) => account.userName === userName)),
    automatic() {
      if (readValue(local, LOGGED_OUT) !== null || vault === null) return null;
      const [newest] = mine();
      return newest === undefined || newest.sealed === null ? null : newest;
    },
    setLoggedOut: (isOut) => writeValue(local, LOGGED_OUT, isOut ? "1" : null),
  };

  async function seal(password: string): Promise<string | null> {
    try {
      return vault === null ? null : await vault.seal(password);
    } catch {
      return null;
    }
  }
}

/** The number of this device, made at the first start (spec §3). */
export function deviceNumber(ports: Ports): string {
  const known = readValue(ports.storage.local, DEVICE);
  if (known !== null && known !== "") return known;
  const made = ports.random.id();
  writeValue(ports.storage.local, DEVICE, made);
  return made;
}

function isAccount(value: unknown): value is KeptAccount {
  return (
    isRecord(value) &&
    typeof value["userName"] === "string" &&
    typeof value["userId"] === "number" &&
    typeof value["origin"] === "string" &&
    (value["sealed"] === null || typeof value["sealed"] === "string")
  );
}
