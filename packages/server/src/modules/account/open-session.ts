/** Opens a session for somebody who has proved who they are. */
import { randomUUID } from "node:crypto";
import type { TokenPair } from "@parley/protocol/entities";
import { DEVICE_TEXT_MAX, REFRESH_TOKEN_SECONDS, TMP_ID_MAX } from "@parley/protocol/limits";
import { isWellFormed } from "@parley/protocol/text";
import type { ApiCall } from "../../api/api-call.ts";
import { ApiError } from "../../api/api-error.ts";
import type { SessionRow, UserRow } from "../../ports/account-store.ts";
import { StoreUnavailableError } from "../../ports/store-unavailable-error.ts";
import type { AccountsReads, AccountsStore } from "./accounts-store.ts";
import type { SessionCache } from "./session-cache.ts";

/** `user` is the account as it was when the password was checked. Throws if it may not be used, or was changed since. */
export type OpenSession = (
  call: Pick<ApiCall, "now" | "ip" | "header">,
  user: UserRow,
  terminal: number,
) => Promise<TokenPair>;

export function createOpenSession({
  store,
  sessions,
  hasOtherNodes,
}: {
  store: AccountsStore;
  sessions: SessionCache;
  hasOtherNodes: boolean;
}): OpenSession {
  return async (call, user, terminal) => {
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
      address: call.ip,
      expiresAt: call.now + REFRESH_TOKEN_SECONDS * 1_000,
      endedAt: null,
      endReason: null,
    };
    // During the login, the account may have been banned, closed or given another password. No session may outlive that.
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
        // Other nodes would refuse a session that is in the memory of this one alone.
        if (!(error instanceof StoreUnavailableError) || error.reason !== "full" || hasOtherNodes)
          throw error;
        // With a full disk, reading still works.
        await recheckAccount(store);
        sessions.addUnsaved(row, user);
      });
    const session = { userId: user.id, sessionId: row.id, terminal, deviceNo };
    return sessions.issue(session, row.refreshSerial, call.now, endedCount);
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
