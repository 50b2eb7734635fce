import { Terminal } from "@parley/protocol/codes";
import { login, logout } from "@parley/protocol/endpoints/account";
import { self } from "@parley/protocol/endpoints/users";
import type { TokenPair, UserInfo } from "@parley/protocol/entities";
import { type Api, fail } from "../connection/api.ts";
import type { Failure, Result } from "../model/state.ts";
import { createScope, type Scope } from "../session-scope.ts";
import type { TokenStore } from "./token-store.ts";

/** The user has logged out before the attempt was done, or another login has begun. */
export const SUPERSEDED: Failure = { kind: "loggedOut" };

/** Attempts to log in. The newest one counts: it ends with the next one and with a logout, and its results are dropped then. */
export interface LoginAttempts {
  current(): Scope;
  /** Ends the attempt before it, if there is one. */
  begin(): Scope;
  /** Logs in on the server, unless it has answered `given` tokens already, and takes over the tokens. */
  authenticate(
    attempt: Scope,
    userName: string,
    password: string,
    given?: TokenPair,
  ): Promise<Result<UserInfo>>;
}

/** Creates the attempts; none is in progress. */
export function createLoginAttempts(api: Api, tokens: TokenStore): LoginAttempts {
  let attempt = createScope();
  return {
    current: () => attempt,
    begin() {
      attempt.end();
      attempt = createScope();
      return attempt;
    },
    async authenticate({ isOver }, userName, password, given) {
      const body = { terminal: Terminal.WEB, userName, password };
      const loginResult =
        given === undefined
          ? await api.call(login, { body }, { isShownInPlace: true })
          : { ok: true as const, value: given };
      if (isOver()) {
        // The server has created a session that nobody will use: end it.
        if (loginResult.ok)
          void api.call(logout, {}, { silent: true, accessToken: loginResult.value.accessToken });
        return fail(SUPERSEDED);
      }
      if (!loginResult.ok) return loginResult;
      tokens.startSession(loginResult.value);
      const user = await api.call(self, {}, { silent: true });
      if (isOver()) return fail(SUPERSEDED);
      if (!user.ok) tokens.clear();
      return user;
    },
  };
}
