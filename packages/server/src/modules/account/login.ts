/** Login, and the change of the password. */
import type { Delivery } from "../../delivery/delivery.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import { networkOf } from "../../api/network-of.ts";
import type { UserRow } from "../../ports/account-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { AccountsStore } from "./accounts-store.ts";
import type { OpenSession } from "./open-session.ts";
import { createPasswordCheck, recheckPassword } from "./password-check.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import type { SessionCache } from "./session-cache.ts";

export interface LoginDeps {
  store: AccountsStore;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  passwordHasher: PasswordHasher;
  sessions: SessionCache;
  openSession: OpenSession;
}

type LoginHandlers = Pick<Handlers, "login" | "modifyPwd">;

export function createLogin(deps: LoginDeps): LoginHandlers {
  const { store, delivery, passwordHasher, sessions, openSession } = deps;
  const checkPassword = createPasswordCheck(deps);

  /** Stores the hash of the form that is compared now. The login does not fail if this does: the next one tries again. */
  async function storeNormalized(user: UserRow, password: string, network: string): Promise<void> {
    try {
      const passwordHash = await passwordHasher.hash(password, network);
      await store.write(async (tx) => {
        if ((await tx.findUser(user.id))?.passwordHash !== user.passwordHash) return;
        await tx.setPasswordHash(user.id, passwordHash);
      });
    } catch (error) {
      // Too many wait for the hasher, or the disk is full.
      if (!(error instanceof ApiError) && !(error instanceof StoreUnavailableError)) throw error;
    }
  }

  return {
    async login(call) {
      const { terminal, password } = call.body;
      // An input method may be in full width.
      const userName = call.body.userName.normalize("NFKC").trim();
      const user = await store.findUserByName(userName);
      const match = await checkPassword(userName, call.ip, password, user);
      if (match === false || user === undefined) throw new ApiError("login.wrongPassword");
      const tokens = await openSession(call, user, terminal);
      if (match === "asTyped") await storeNormalized(user, password, networkOf(call.ip));
      return tokens;
    },

    async modifyPwd({ actor, body, ip, now }) {
      const user = await store.findUser(actor.userId);
      if (user === undefined) throw new ApiError("user.notFound");
      if (!(await checkPassword(user.userName, ip, body.oldPassword, user)))
        throw new ApiError("password.oldWrong");
      const passwordHash = await passwordHasher.hash(body.newPassword, networkOf(ip));
      const endedIds = await store.write(async (tx) => {
        await recheckPassword(tx, sessions, { actor, user, now, wrong: "password.oldWrong" });
        await tx.setPasswordHash(actor.userId, passwordHash);
        return tx.endSessions(actor.userId, actor.sessionId, "passwordChanged", now);
      });
      delivery.endSessions(actor.userId, endedIds, "passwordChanged", actor.sessionId);
      return null;
    },
  };
}
