/** The commands for accounts that an administrator runs on the server's machine. */
import { randomBytes } from "node:crypto";
import type { Delivery } from "../../delivery.ts";
import { AdminError } from "../../api/admin-error.ts";
import { parseBanReason } from "../../api/ban-reason.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { AccountsStore } from "./accounts-store.ts";
import type { AccountStatus } from "./account-status.ts";
import type { PasswordHasher } from "./password-hasher.ts";

export interface AccountAdminDeps {
  store: AccountsStore;
  delivery: Pick<Delivery, "endSessions">;
  passwordHasher: PasswordHasher;
  accountStatus: AccountStatus;
  now(): number;
}

/** Throws an `AdminError` if nobody has the user name, or if the command does not fit the state of the account. */
export interface AccountAdmin {
  /** Returns one line for each person: id, user name, nickname, time and device of the registration, state. */
  listUsers(): Promise<string[]>;
  /** Returns the code. `days` is how long it is valid; null means for ever. */
  createInviteCode(uses: number, days: number | null): Promise<string>;
  /** Returns the new password and ends every session of the person. */
  resetPassword(userName: string): Promise<string>;
  /** Logs the person out and refuses their logins until `unban`. */
  ban(userName: string, reason: string): Promise<void>;
  unban(userName: string): Promise<void>;
  /** Closes the account permanently. */
  unregister(userName: string): Promise<void>;
}

const LIST_BATCH = 1_000;
const DAY_MS = 24 * 3_600_000;
/** Without letters and digits that look alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const INVITE_CODE_LENGTH = 12;
const PASSWORD_LENGTH = 16;

export function createAccountAdmin(deps: AccountAdminDeps): AccountAdmin {
  const { store, delivery, passwordHasher, accountStatus, now } = deps;

  const findUser = async (userName: string): Promise<UserRow> => {
    const user = await store.findUserByName(userName);
    if (user === undefined) throw new AdminError(`Nobody has the user name ${userName}.`);
    return user;
  };
  const findActiveUser = async (userName: string): Promise<UserRow> => {
    const user = await findUser(userName);
    if (user.unregisteredAt !== null) throw new AdminError(`The account of ${userName} is closed.`);
    return user;
  };

  return {
    async listUsers() {
      const lines: string[] = [];
      for (let after = 0; ;) {
        const users = await store.listUsers(after, LIST_BATCH);
        lines.push(...users.map(describeUser));
        const last = users.at(-1);
        if (last === undefined) return lines;
        after = last.id;
      }
    },

    async createInviteCode(uses, days) {
      const code = randomText(INVITE_CODE_LENGTH);
      await store.write((tx) =>
        tx.insertInviteCode(code, uses, days === null ? null : now() + days * DAY_MS),
      );
      return code;
    },

    async resetPassword(userName) {
      const user = await findActiveUser(userName);
      const password = randomText(PASSWORD_LENGTH);
      const hash = await passwordHasher.hash(password);
      const endedIds = await store.write(async (tx) => {
        await tx.setPasswordHash(user.id, hash);
        return tx.endSessions(user.id, null, "passwordChanged", now());
      });
      delivery.endSessions(user.id, endedIds, "passwordChanged", null);
      return password;
    },

    async ban(userName, reason) {
      const user = await findActiveUser(userName);
      await accountStatus.ban(user.id, parseBanReason(reason), now());
    },

    async unban(userName) {
      const user = await findActiveUser(userName);
      if (user.banReason === null) throw new AdminError(`${userName} is not banned.`);
      await accountStatus.unban(user.id);
    },

    async unregister(userName) {
      await accountStatus.unregister((await findActiveUser(userName)).id, now());
    },
  };
}

function describeUser(user: UserRow): string {
  const state =
    user.unregisteredAt !== null
      ? "unregistered"
      : user.banReason !== null
        ? `banned: ${user.banReason}`
        : "";
  const registered = new Date(user.registeredAt).toISOString();
  // A client sent this text. Without tabs and line breaks it stays in its column.
  const device = (user.registerDevice ?? "").replace(/\s+/g, " ");
  return [user.id, user.userName, user.nickName, registered, device, state].join("\t").trimEnd();
}

/** Every character is equally likely: bytes above the last multiple of the alphabet's length are dropped. */
function randomText(length: number): string {
  let text = "";
  const limit = 256 - (256 % ALPHABET.length);
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
