/** What an administrator does with accounts, on the server's machine. */
import { randomBytes } from "node:crypto";
import type { Delivery } from "../../delivery.ts";
import type { Store } from "../../ports/store.ts";
import type { Passwords } from "./passwords.ts";

export interface AccountAdminDeps {
  store: Store;
  delivery: Pick<Delivery, "endSessions">;
  passwords: Passwords;
  now(): number;
}

export interface AccountAdmin {
  /** One line a person. */
  listUsers(): Promise<string[]>;
  /** Answers the code. `days`: how long it works; null for ever. */
  createInviteCode(uses: number, days: number | null): Promise<string>;
  /** Answers the new password and ends every session of the person; undefined: nobody has this name. */
  resetPassword(userName: string): Promise<string | undefined>;
}

const LISTED_MAX = 100_000;
const DAY_MS = 24 * 3_600_000;
/** Without letters and digits that are taken for each other. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const INVITE_CODE_LENGTH = 12;
const PASSWORD_LENGTH = 16;

export function createAccountAdmin({ store, delivery, passwords, now }: AccountAdminDeps): AccountAdmin {
  return {
    async listUsers() {
      const users = await store.searchUsers("", LISTED_MAX);
      return users.map((user) =>
        [user.id, user.userName, user.nickName, new Date(user.registeredAt).toISOString()].join("\t"),
      );
    },

    async createInviteCode(uses, days) {
      const code = randomText(INVITE_CODE_LENGTH);
      await store.write((tx) =>
        tx.insertInviteCode(code, uses, days === null ? null : now() + days * DAY_MS),
      );
      return code;
    },

    async resetPassword(userName) {
      const user = await store.findUserByName(userName);
      if (user === undefined) return undefined;
      const password = randomText(PASSWORD_LENGTH);
      const hash = await passwords.hash(password);
      const ended = await store.write(async (tx) => {
        await tx.setPasswordHash(user.id, hash);
        return tx.endSessions(user.id, null, now());
      });
      delivery.endSessions(user.id, ended, "passwordChanged");
      return password;
    },
  };
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
