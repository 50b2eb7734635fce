/** What an administrator does with accounts, on the server's machine. */
import { randomBytes } from "node:crypto";
import type { Delivery } from "../../delivery.ts";
import { AdminError } from "../../ports/admin-error.ts";
import type { Store, UserRow } from "../../ports/store.ts";
import { BAN_REASON_MAX, isBanReason } from "../../ports/ban-reason.ts";
import type { AccountStatus } from "./account-status.ts";
import type { PasswordHasher } from "./password-hasher.ts";

export interface AccountAdminDeps {
  store: Store;
  delivery: Pick<Delivery, "endSessions">;
  passwordHasher: PasswordHasher;
  accountStatus: AccountStatus;
  now(): number;
}

/** Who is told by a user name that nobody has, or by a name that makes no sense here, is told so by an `AdminRefusal`. */
export interface AccountAdmin {
  /** One line a person: id, user name, nickname, registered, on which device, state. */
  listUsers(): Promise<string[]>;
  /** Answers the code. `days`: how long it works; null for ever. */
  createInviteCode(uses: number, days: number | null): Promise<string>;
  /** Answers the new password and ends every session of the person. */
  resetPassword(userName: string): Promise<string>;
  /** Puts the person out and keeps them out until `unban`. */
  ban(userName: string, reason: string): Promise<void>;
  unban(userName: string): Promise<void>;
  /** For good. */
  unregister(userName: string): Promise<void>;
}

const LIST_BATCH = 1_000;
const DAY_MS = 24 * 3_600_000;
/** Without letters and digits that are taken for each other. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const INVITE_CODE_LENGTH = 12;
const PASSWORD_LENGTH = 16;

export function createAccountAdmin(deps: AccountAdminDeps): AccountAdmin {
  const { store, delivery, passwordHasher, accountStatus, now } = deps;

  const find = async (userName: string): Promise<UserRow> => {
    const user = await store.findUserByName(userName);
    if (user === undefined) throw new AdminError(`Nobody has the user name ${userName}.`);
    return user;
  };
  const findActiveUser = async (userName: string): Promise<UserRow> => {
    const user = await find(userName);
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
      const ended = await store.write(async (tx) => {
        await tx.setPasswordHash(user.id, hash);
        return tx.endSessions(user.id, null, "passwordChanged", now());
      });
      delivery.endSessions(user.id, ended, "passwordChanged", null);
      return password;
    },

    async ban(userName, reason) {
      const user = await findActiveUser(userName);
      const given = reason.trim();
      if (!isBanReason(given)) {
        throw new AdminError(`The reason must have 1 to ${BAN_REASON_MAX} characters.`);
      }
      await accountStatus.ban(user.id, given, now());
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
  // What a client has sent stays within its column.
  const device = (user.registerDevice ?? "").replace(/\s+/g, " ");
  return [user.id, user.userName, user.nickName, registered, device, state].join("\t").trimEnd();
}

/** Each character from the whole alphabet alike: bytes beyond its last multiple are thrown away. */
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
