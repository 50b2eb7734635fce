import { fail } from "../connection/api.ts";
import type { AccountRecord, Accounts } from "./accounts.ts";
import { type LoginAttempts, SUPERSEDED } from "./login-attempts.ts";
import type { TokenStore } from "./token-store.ts";

/** `ended`: another login or a logout came first, or the login was refused; `failed`: no answer for now. */
export type AutoLogin = (account: AccountRecord) => Promise<"ok" | "ended" | "failed">;

/** What the automatic login needs. */
export interface AutoLoginDeps {
  accounts: Accounts;
  attempts: LoginAttempts;
  tokens: TokenStore;
  /** The remembered password is no longer accepted. */
  onRefused(): void;
}

/** Creates the login of a new tab with a remembered password. Until it is done, the tab shows what the local database holds. */
export function createAutoLogin({ accounts, attempts, tokens, onRefused }: AutoLoginDeps): AutoLogin {
  return async ({ userId, userName }) => {
    const attempt = attempts.begin();
    const password = await accounts.password(userName);
    if (attempt.isOver()) return "ended";
    const user =
      password === null ? fail(SUPERSEDED) : await attempts.authenticate(attempt, userName, password);
    if (attempt.isOver()) return "ended";
    if (user.ok && user.value.id === userId) {
      tokens.saveFor(user.value.id, user.value.userName);
      return "ok";
    }
    if (!user.ok && (user.failure.kind === "network" || user.failure.kind === "http")) return "failed";
    onRefused();
    return "ended";
  };
}
