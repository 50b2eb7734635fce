/** Login, and the change of the password. */
import type { Delivery } from "../../delivery.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import { networkOf } from "../../api/network-of.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
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

  return {
    async login(call) {
      const { terminal, userName, password } = call.body;
      const user = await store.findUserByName(userName);
      const isRight = await checkPassword(userName, call.ip, password, user);
      if (!isRight || user === undefined) throw new ApiError("login.wrongPassword");
      return openSession(call, user, terminal);
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
