import { loadGlobalSetting, login, logout, modifyPwd, register } from "@parley/protocol/endpoints/account";
import { uploadImage } from "@parley/protocol/endpoints/uploads";
import { self } from "@parley/protocol/endpoints/users";
import type { UserInfo } from "@parley/protocol/entities";
import type { LogoutReason } from "@parley/protocol/envelope";
import { Terminal } from "@parley/protocol/codes";
import type { LoginForm, RegisterForm } from "../model/forms/form-rules.ts";
import type { Failure, Result, SessionEnd } from "../model/state.ts";
import type { Accounts, AccountRecord } from "./accounts.ts";
import { type Api, fail, isUnanswered } from "../connection/api.ts";
import type { SessionActions } from "../client-api.ts";
import { broadcastLogout } from "./logout-sync.ts";
import type { Ports } from "../ports.ts";
import { createScope, type Scope } from "../session-scope.ts";
import type { ServerAddress } from "../connection/server-address.ts";
import type { StateStore } from "../state-store.ts";
import type { TokenStore } from "./token-store.ts";

/** Login, logout and everything else that begins or ends a session. */
export interface SessionService extends Omit<
  SessionActions,
  "reconnectNow" | "sessions" | "endSession" | "unregister"
> {
  /** Ensures a fresh access token before the socket logs in. Without tokens it logs in with the remembered password. */
  ensureAccessToken(shouldRefresh: boolean): Promise<"ok" | "ended" | "failed">;
  /** The server no longer accepts the session of this token. */
  onTokenRejected(token: string | null): void;
  /** Another tab has logged this user out; null: the site data was cleared, which logs out every user. */
  endByOtherTab(userId: number | null): void;
  /** Cmd 2, ban, deregistration: like an explicit logout (protocol §12). */
  endByServer(reason: LogoutReason, text: string): void;
}

/** What the session service needs. */
export interface SessionServiceDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  tokens: TokenStore;
  accounts: Accounts;
  serverAddress: ServerAddress;
  /** Shows what the local database holds for this user, then connects. */
  openSession(userId: number): Promise<void>;
  /** Drops everything of the user from memory. */
  closeSession(ended: SessionEnd | null): void;
}

/** Creates the session service; it starts signed out. */
export function createSessionService(deps: SessionServiceDeps): SessionService {
  const { ports, api, stateStore, tokens, accounts, serverAddress } = deps;
  /** The account whose remembered password logs in while there is no token, in a new tab. */
  let autoLoginAccount: AccountRecord | null = null;

  /** Ends with the next attempt to log in and with a logout; the results of an attempt that has ended are dropped. */
  let loginAttempt = createScope();

  /** The user name of a registration, or a password change, that got no answer: the server may have done it. */
  let unansweredName: string | null = null;
  let isChangeUnanswered = false;

  /** Ends the attempt before it, if there is one. */
  function beginAttempt(): Scope {
    loginAttempt.end();
    loginAttempt = createScope();
    return loginAttempt;
  }

  async function authenticate(attempt: Scope, userName: string, password: string): Promise<Result<UserInfo>> {
    const body = { terminal: Terminal.WEB, userName, password };
    const loginResult = await api.call(login, { body }, { silent: true });
    if (attempt.isOver()) {
      // The server has created a session that nobody will use: end it.
      if (loginResult.ok)
        void api.call(logout, {}, { silent: true, accessToken: loginResult.value.accessToken });
      return fail(SUPERSEDED);
    }
    if (!loginResult.ok) return loginResult;
    tokens.startSession(loginResult.value);
    const user = await api.call(self, {}, { silent: true });
    if (attempt.isOver()) return fail(SUPERSEDED);
    if (!user.ok) tokens.clear();
    return user;
  }

  async function signIn(form: LoginForm): Promise<Result<null>> {
    if (stateStore.get().session.kind !== "anonymous") end(null);
    const attempt = beginAttempt();
    // Runs beside the login, which takes longer, so that the socket knows the right scheme at its first try.
    if (serverAddress.isSchemeUnknown()) void loadDisplaySettings();
    const user = await authenticate(attempt, form.userName.trim(), form.password);
    if (!user.ok) return user;
    const password = form.rememberPassword ? form.password : null;
    await accounts.remember(user.value, { name: form.rememberName, password });
    if (attempt.isOver()) return fail(SUPERSEDED);
    accounts.setLoggedOut(false);
    tokens.saveFor(user.value.id, user.value.userName);
    stateStore.set({ me: user.value });
    await deps.openSession(user.value.id);
    return { ok: true, value: null };
  }

  async function loadDisplaySettings(): Promise<void> {
    const origin = serverAddress.origin();
    const display = await api.call(loadGlobalSetting, {}, { silent: true });
    if (!display.ok || origin !== serverAddress.origin()) return;
    serverAddress.setSocketSecure(display.value.socketSecure);
    stateStore.set({ display: display.value });
  }

  function end(ended: SessionEnd | null): void {
    beginAttempt();
    autoLoginAccount = null;
    tokens.clear();
    deps.closeSession(ended);
  }

  /** The call already carries its token, so the screen does not wait for the answer. */
  function logOutOfServer(): void {
    if (tokens.current() !== null) void api.call(logout, {}, { silent: true });
    end(null);
  }

  function onTokenRejected(token: string | null): void {
    if (token === null || token !== tokens.current()?.accessToken) return;
    const endReason = tokens.endReason();
    // Applies also while a login is still in progress.
    if (endReason !== null) endByServer(endReason.reason, endReason.text);
    else if (stateStore.get().session.kind !== "anonymous") end({ reason: "expired", text: null });
  }

  function endByServer(reason: LogoutReason, text: string): void {
    accounts.setLoggedOut(true);
    end({ reason, text: text === "" ? null : text });
  }

  /** A new tab logs in by itself; what the local database holds is shown meanwhile. */
  async function autoLogin(account: AccountRecord): Promise<"ok" | "ended" | "failed"> {
    const attempt = beginAttempt();
    const password = await accounts.password(account.userName);
    if (attempt.isOver()) return "ended";
    const user =
      password === null ? fail(SUPERSEDED) : await authenticate(attempt, account.userName, password);
    if (attempt.isOver()) return "ended";
    if (user.ok && user.value.id === account.userId) {
      tokens.saveFor(user.value.id, user.value.userName);
      return "ok";
    }
    const isTransient = !user.ok && (user.failure.kind === "network" || user.failure.kind === "http");
    if (isTransient) return "failed";
    if (stateStore.get().session.kind !== "anonymous") end(null);
    return "ended";
  }

  return {
    async resume() {
      if (stateStore.get().session.kind !== "anonymous") return;
      const tabSession = tokens.restore();
      if (tabSession !== null) return deps.openSession(tabSession.userId);
      autoLoginAccount = accounts.autoLoginAccount();
      if (autoLoginAccount !== null) await deps.openSession(autoLoginAccount.userId);
    },
    login: signIn,
    async register(form) {
      const { userName, password } = form;
      const logInWithForm = async () =>
        (await signIn({ userName, password, rememberName: true, rememberPassword: false })).ok;
      if (unansweredName === userName && (await logInWithForm()))
        return { ok: true, value: { loggedIn: true } };
      const attempt = loginAttempt;
      const registered = await api.call(register, { body: registerBody(form, ports) });
      unansweredName = !registered.ok && isUnanswered(registered.failure) ? userName : null;
      if (!registered.ok) return registered;
      // If another login has begun meanwhile, it stays.
      return { ok: true, value: { loggedIn: !attempt.isOver() && (await logInWithForm()) } };
    },
    uploadAvatar: (file, name) => api.call(uploadImage, {}, { file: { file, name } }),
    async logout() {
      accounts.setLoggedOut(true);
      const { session } = stateStore.get();
      if (session.kind !== "anonymous") broadcastLogout(ports, session.userId);
      logOutOfServer();
    },
    endByOtherTab(userId) {
      const { session } = stateStore.get();
      if (session.kind !== "anonymous" && (userId ?? session.userId) === session.userId) logOutOfServer();
    },
    acknowledgeEnd() {
      const { session } = stateStore.get();
      if (session.kind === "anonymous" && session.ended !== null) {
        stateStore.set({ session: { kind: "anonymous", ended: null } });
      }
    },
    loadDisplaySettings,
    savedAccounts: () => accounts.list(),
    savedLoginOptions: () => accounts.loginOptions(),
    forgetAccount: (userName) => accounts.forget(userName),
    savedPassword: (userName) => accounts.password(userName),
    canRememberPassword: ports.storage.vault !== null,
    customServer: () => serverAddress.customOrigin(),
    setCustomServer: (origin) => serverAddress.setCustom(origin),
    async changePassword(oldPassword, newPassword) {
      const change = (from: string, options = {}) =>
        api.call(modifyPwd, { body: { oldPassword: from, newPassword } }, options);
      if (isChangeUnanswered) {
        const again = await change(newPassword, { silent: true });
        isChangeUnanswered = !again.ok;
        if (again.ok) return again;
      }
      const result = await change(oldPassword);
      isChangeUnanswered = !result.ok && isUnanswered(result.failure);
      return result;
    },
    async ensureAccessToken(shouldRefresh) {
      if (tokens.current() === null)
        return autoLoginAccount === null ? "failed" : autoLogin(autoLoginAccount);
      if (!shouldRefresh && tokens.isFresh()) return "ok";
      const token = tokens.current()?.accessToken ?? null;
      const outcome = await tokens.refresh();
      if (outcome === "ended") onTokenRejected(token);
      return outcome;
    },
    onTokenRejected,
    endByServer,
  };
}

/** The user has logged out meanwhile, or another login has begun. */
const SUPERSEDED: Failure = { kind: "loggedOut" };

function registerBody(form: RegisterForm, ports: Ports) {
  const { os, browser } = ports.environment;
  return {
    terminal: Terminal.WEB,
    userName: form.userName,
    nickName: form.nickName.trim(),
    password: form.password,
    confirmPassword: form.confirmPassword,
    registerDevice: `${os} ${browser}`,
    spreadCode: form.inviteCode.trim() === "" ? null : form.inviteCode.trim(),
    headImage: form.headImage,
    headImageThumb: form.headImageThumb,
  };
}
