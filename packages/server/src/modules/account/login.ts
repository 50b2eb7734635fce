/** Login, logout, refresh tokens, sessions, and the change of the password. */
import { randomUUID } from "node:crypto";
import type { TokenPair } from "@parley/protocol/entities";
import type { SessionEndParams, ErrorParams } from "@parley/protocol/envelope";
import {
  DEVICE_TEXT_MAX,
  REFRESH_GRACE_MS,
  REFRESH_TOKEN_SECONDS,
  TMP_ID_MAX,
} from "@parley/protocol/limits";
import { isWellFormed } from "@parley/protocol/text";
import type { Delivery } from "../../delivery.ts";
import { ApiError, refuseIfLimited } from "../../calls/api-error.ts";
import type { Handlers, Session } from "../../calls/call.ts";
import type { SessionRow, UserRow } from "../../ports/account-store.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { AccountsReads, AccountsStore } from "./accounts-store.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { type SessionCache, isAccountActive } from "./session-cache.ts";
import type { Tokens } from "./tokens.ts";

export interface LoginDeps {
  store: AccountsStore;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  passwordHasher: PasswordHasher;
  tokens: Tokens;
  sessions: SessionCache;
}

type LoginHandlers = Pick<
  Handlers,
  "login" | "logout" | "refreshToken" | "modifyPwd" | "listSessions" | "endSession"
>;

export function createLogin(deps: LoginDeps): LoginHandlers {
  const { store, delivery, rateLimiter, passwordHasher, tokens, sessions } = deps;
  /**
   * Counts the attempt before the check, so that parallel attempts gain nothing, and refunds it if the password is right. An attempt
   * counts only when its turn in the queue comes, so that many parallel right passwords do not reach the limit.
   */
  const checkPassword = async (name: string, ip: string, password: string, user: UserRow | undefined) => {
    const key = `${name.toLowerCase().slice(0, TMP_ID_MAX)} ${ip}`;
    const count = async () => {
      refuseIfLimited(await rateLimiter.consume("wrongPasswordsOfName", key));
      const seconds = await rateLimiter.consume("wrongPasswordsOfAddress", ip);
      // No password was checked, so the attempt must not count against the name.
      if (seconds > 0) await rateLimiter.refund("wrongPasswordsOfName", key);
      refuseIfLimited(seconds);
    };
    if (!(await passwordHasher.verify(password, user?.passwordHash, count))) return false;
    await rateLimiter.refund("wrongPasswordsOfName", key);
    await rateLimiter.refund("wrongPasswordsOfAddress", ip);
    return true;
  };

  const issue = async (
    session: Session,
    serial: number,
    now: number,
    endedCount: number,
  ): Promise<TokenPair> => {
    const { pair, claims } = await tokens.issue(session, serial, now);
    sessions.addVerified(pair.accessToken, claims, endedCount);
    return pair;
  };

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
      return issue({ userId: user.id, sessionId: row.id, terminal, deviceNo }, 0, call.now, endedCount);
    },

    async logout({ actor, now }) {
      await store.write((tx) => tx.updateSession(actor.sessionId, { endedAt: now, ...ENDED_BY_USER }));
      delivery.endSessions(actor.userId, [actor.sessionId], "sessionEnded");
      return null;
    },

    async listSessions({ actor, now }) {
      const rows = await store.listSessions(actor.userId, now);
      return rows.map(({ id, terminal, device, os, browser, lastSeenAt }) => ({
        id,
        terminal,
        device,
        os,
        browser,
        lastSeen: Math.max(lastSeenAt, sessions.lastSeen(id) ?? 0),
        current: id === actor.sessionId,
      }));
    },

    async endSession({ actor, query, now }) {
      const { userId } = actor;
      const endedIds = await store.write(async (tx) => {
        if (query.id === undefined) return tx.endSessions(userId, actor.sessionId, "sessionEnded", now);
        const row = sessions.findUnsaved(query.id) ?? (await tx.findSession(query.id));
        // The session has ended already or is somebody else's: nothing to end.
        if (row === undefined || row.userId !== userId || row.endedAt !== null) return [];
        await tx.updateSession(row.id, { endedAt: now, ...ENDED_BY_USER });
        return [row.id];
      });
      delivery.endSessions(
        userId,
        endedIds,
        "sessionEnded",
        query.id === undefined ? actor.sessionId : undefined,
      );
      return null;
    },

    async refreshToken(call) {
      const { now } = call;
      const token = call.header("refreshToken");
      const claims = token === null ? undefined : tokens.readRefresh(token, now);
      if (claims === undefined) throw new ApiError("auth.refreshExpired");
      const { session, serial } = claims;
      const endedCount = sessions.endedCount();
      const findLive = async (reads: Pick<AccountsReads, "findSession" | "findUser">) => {
        const row = sessions.findUnsaved(session.sessionId) ?? (await reads.findSession(session.sessionId));
        if (row === undefined || row.endedAt !== null || row.expiresAt <= now) return undefined;
        const user = await reads.findUser(row.userId);
        return user !== undefined && isAccountActive(user) ? row : undefined;
      };
      const rotate = store.write(async (tx) => {
        const row = await findLive(tx);
        if (row === undefined) return "dead";
        if (serial === row.refreshSerial) {
          const next = serial + 1;
          await tx.updateSession(row.id, {
            refreshSerial: next,
            refreshedAt: now,
            lastSeenAt: now,
            expiresAt: now + REFRESH_TOKEN_SECONDS * 1_000,
          });
          return next;
        }
        // Two tabs may refresh at once, or an answer may get lost: for a while the previous refresh token still works.
        if (serial === row.refreshSerial - 1 && now - row.refreshedAt <= REFRESH_GRACE_MS)
          return row.refreshSerial;
        await tx.updateSession(row.id, { endedAt: now, ...ENDED_BY_USER });
        return "reused";
      });
      const rotated = await rotate.catch(async (error: unknown) => {
        // The next serial cannot be stored, so the newest refresh token stays the newest.
        const row = error instanceof StoreUnavailableError ? await findLive(store) : undefined;
        if (row === undefined || serial !== row.refreshSerial) throw error;
        return serial;
      });
      if (rotated === "reused") delivery.endSessions(session.userId, [session.sessionId], "sessionEnded");
      if (typeof rotated === "string")
        throw new ApiError("auth.refreshExpired", await endReasonOf(store, session));
      return issue(session, rotated, now, endedCount);
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

const ENDED_BY_USER = { endReason: "sessionEnded" } as const satisfies Partial<SessionRow>;

/** Why a session ended, for a client that missed the push; for a ban with its reason. */
async function endReasonOf(store: AccountsStore, session: Session): Promise<ErrorParams | undefined> {
  const user = await store.findUser(session.userId);
  if (user?.banReason != null) return { reason: "banned", text: user.banReason } satisfies SessionEndParams;
  const reason = (await store.findSession(session.sessionId))?.endReason;
  return reason == null ? undefined : ({ reason } satisfies SessionEndParams);
}

/** Call this only after the password check, so that nobody learns the state of other people's accounts. */
function requireActiveAccount(user: UserRow): void {
  if (user.unregisteredAt !== null) throw new ApiError("account.unregistered");
  if (user.banReason !== null) throw new ApiError("account.banned", { reason: user.banReason });
}

function deviceText(value: string | null, max = DEVICE_TEXT_MAX): string | null {
  return value !== null && isWellFormed(value) ? value.slice(0, max).toWellFormed() : null;
}
