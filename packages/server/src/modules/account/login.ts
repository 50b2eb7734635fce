/** Login, and the change of the password. */
import { randomUUID } from "node:crypto";
import { DEVICE_TEXT_MAX, REFRESH_TOKEN_SECONDS, TMP_ID_MAX } from "@parley/protocol/limits";
import { isWellFormed } from "@parley/protocol/text";
import type { Delivery } from "../../delivery.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import type { SessionRow, UserRow } from "../../ports/account-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { AccountsReads, AccountsStore } from "./accounts-store.ts";
import { createPasswordCheck } from "./password-check.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import type { SessionCache } from "./session-cache.ts";

export interface LoginDeps {
  store: AccountsStore;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  passwordHasher: PasswordHasher;
  sessions: SessionCache;
}

type LoginHandlers = Pick<Handlers, "login" | "modifyPwd">;

export function createLogin(deps: LoginDeps): LoginHandlers {
  const { store, delivery, passwordHasher, sessions } = deps;
  const checkPassword = createPasswordCheck(deps);

  return {
    async login(call) {
      const { terminal, userName, password } = call.body;
      const user = await store.findUserByName(userName);
      const isRight = await checkPassword(userName, call.ip, password, user);
      if (!isRight || user === undefined) throw new ApiError("login.wrongPassword");
      requireActiveAccount(user);
      const endedCount = sessions.endedCount();
      const deviceNo = deviceText(call.header("deviceNo"), TMP_ID_MAX);
      const row: SessionRow = {
        id: randomUUID(),
        userId: user.id,
        terminal,
        deviceNo,
        device: deviceText(call.header("device")),
        os: deviceText(call.header("os")),
        browser: deviceText(call.header("browser")),
        refreshSerial: 0,
        refreshedAt: call.now,
        createdAt: call.now,
        lastSeenAt: call.now,
        expiresAt: call.now + REFRESH_TOKEN_SECONDS * 1_000,
        endedAt: null,
        endReason: null,
      };
      // The account may have been banned, closed or given another password meanwhile. No session may outlive that.
      const recheckAccount = async (reads: Pick<AccountsReads, "findUser">) => {
        const current = await reads.findUser(user.id);
        if (current?.passwordHash !== user.passwordHash) throw new ApiError("login.wrongPassword");
        requireActiveAccount(current);
      };
      await store
        .write(async (tx) => {
          await recheckAccount(tx);
          await tx.insertSession(row);
        })
        .catch(async (error: unknown) => {
          if (!(error instanceof StoreUnavailableError)) throw error;
          // With a full disk, reading still works.
          await recheckAccount(store);
          sessions.addUnsaved(row, user);
        });
      const session = { userId: user.id, sessionId: row.id, terminal, deviceNo };
      return sessions.issue(session, row.refreshSerial, call.now, endedCount);
    },

    async modifyPwd({ actor, body, ip, now }) {
      const user = await store.findUser(actor.userId);
      if (user === undefined) throw new ApiError("user.notFound");
      if (!(await checkPassword(user.userName, ip, body.oldPassword, user)))
        throw new ApiError("password.oldWrong");
      const passwordHash = await passwordHasher.hash(body.newPassword);
      const endedIds = await store.write(async (tx) => {
        await tx.setPasswordHash(actor.userId, passwordHash);
        return tx.endSessions(actor.userId, actor.sessionId, "passwordChanged", now);
      });
      delivery.endSessions(actor.userId, endedIds, "passwordChanged", actor.sessionId);
      return null;
    },
  };
}

/** Call this only after the password check, so that nobody learns the state of other people's accounts. */
function requireActiveAccount(user: UserRow): void {
  if (user.unregisteredAt !== null) throw new ApiError("account.unregistered");
  if (user.banReason !== null) throw new ApiError("account.banned", { reason: user.banReason });
}

function deviceText(value: string | null, max = DEVICE_TEXT_MAX): string | null {
  return value !== null && isWellFormed(value) ? value.slice(0, max).toWellFormed() : null;
}
