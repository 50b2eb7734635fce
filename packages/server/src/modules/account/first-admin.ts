/** The first administrator, made by a link that works once. */
import { createHash, randomBytes } from "node:crypto";
import { recordAct } from "../../access/administration.ts";
import type { Act } from "../../api/admin-act.ts";
import { AdminError } from "../../api/admin-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import { networkOf } from "../../api/network-of.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { AccountsStore } from "./accounts-store.ts";
import type { OpenSession } from "./open-session.ts";
import type { PasswordHasher } from "./password-hasher.ts";

const TOKEN_BYTES = 32;

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** Makes the token of the one-time link. Only its hash is stored. */
export interface SetupLinks {
  /** Replaces the token before. Throws an `AdminError` if there is an administrator. */
  renew(act: Act): Promise<string>;
  /** Undefined if there is an administrator, or a link already. */
  makeFirst(act: Act): Promise<string | undefined>;
}

export function createSetupLinks(store: AccountsStore): SetupLinks {
  return {
    async renew(act) {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      await store.write(async (tx) => {
        if (await tx.hasAdmin())
          throw new AdminError("admin.linkInvalid", "There is an administrator already; use grant-admin.");
        await recordAct(tx, act);
        await tx.setSetupHash(hashOf(token));
      });
      return token;
    },

    async makeFirst(act) {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const isMade = await store.write(async (tx) => {
        if ((await tx.findSetupHash()) !== undefined || (await tx.hasAdmin())) return false;
        await recordAct(tx, act);
        await tx.setSetupHash(hashOf(token));
        return true;
      });
      return isMade ? token : undefined;
    },
  };
}

export interface FirstAdminDeps {
  store: AccountsStore;
  rateLimiter: RateLimiter;
  passwordHasher: PasswordHasher;
  openSession: OpenSession;
}

export function createFirstAdmin({
  store,
  rateLimiter,
  passwordHasher,
  openSession,
}: FirstAdminDeps): Pick<Handlers, "setUpAdmin"> {
  const invalid = () => new ApiError("admin.linkInvalid");
  return {
    async setUpAdmin(call) {
      const { token, userName, nickName, password, terminal } = call.body;
      refuseIfLimited(await rateLimiter.consume("setups", networkOf(call.ip)));
      const hash = hashOf(token);
      // Checked before the password is hashed, which costs time, and once more in the transaction, where one of several wins.
      if ((await store.findSetupHash()) !== hash) throw invalid();
      const passwordHash = await passwordHasher.hash(password);
      const user = await store.write(async (tx) => {
        if ((await tx.findSetupHash()) !== hash || (await tx.hasAdmin())) throw invalid();
        const inserted = await tx.insertUser({
          userName,
          nickName,
          passwordHash,
          headImage: null,
          headImageThumb: null,
          registeredAt: call.now,
          registerDevice: null,
        });
        if (inserted === undefined) throw new ApiError("register.userNameTaken");
        await tx.setAdmin(inserted.id, true);
        await tx.setSetupHash(null);
        await recordAct(tx, {
          actorId: inserted.id,
          address: call.ip,
          action: "setUpAdmin",
          isLook: false,
          target: { kind: "person", id: inserted.id, name: userName },
          at: call.now,
        });
        return { ...inserted, isAdmin: true };
      });
      return openSession(call, user, terminal);
    },
  };
}
