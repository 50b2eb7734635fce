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
import type { ServerAddress } from "../connection/server-address.ts";
import type { StateStore } from "../state-store.ts";
import type { TokenStore } from "./token-store.ts";

export interface SessionService extends Omit<
  SessionActions,
  "reconnectNow" | "sessions" | "endSession" | "unregister"
> {
  /** Makes sure of an access token before the socket logs in; without any it logs in with the remembered password. */
  ensureAccessToken(renew: boolean): Promise<"ok" | "ended" | "failed">;
  /** The server no longer takes the session of this token. */
  onTokenRejected(token: string | null): void;
  /** Another tab has logged this person out; null: what this browser keeps was cleared, and everybody is out. */
  endByOtherTab(userId: number | null): void;
  /** Cmd 2, ban, deregistration: like an explicit logout (protocol §12). */
  endByServer(reason: LogoutReason, text: string): void;
}

export interface SessionServiceDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  tokens: TokenStore;
  accounts: Accounts;
  serverAddress: ServerAddress;
  /** Shows what is on disk for this person, then connects. */
  openSession(userId: number): Promise<void>;
  /** Forgets everything of the person in memory. */
  closeSession(ended: SessionEnd | null): void;
}

export function createSessionService(deps: SessionServiceDeps): SessionService {
  const { ports, api, stateStore, tokens, accounts, serverAddress } = deps;
  /** Whose password logs in again when there is no token: a new tab. */
  let autoLoginAccount: AccountRecord | null = null;

  /** Rises with each try to get in and with each end: what comes of a try before is nobody's any more. */
  let loginAttempt = 0;

  /** What was to be registered, or whether a password was to be changed, when no answer came: it may have been done. */
  let unansweredName: string | null = null;
  let isChangeUnanswered = false;

  async function authenticate(
    startAttempt: number,
    userName: string,
    password: string,
  ): Promise<Result<UserInfo>> {
    const body = { terminal: Terminal.WEB, userName, password };
    const pair = await api.call(login, { body }, { silent: true });
    if (startAttempt !== loginAttempt) {
      // The server has a session now that nobody is going to use.
      if (pair.ok) void api.call(logout, {}, { silent: true, accessToken: pair.value.accessToken });
      return fail(SUPERSEDED);
    }
    if (!pair.ok) return pair;
    tokens.startSession(pair.value);
    const user = await api.call(self, {}, { silent: true });
    if (startAttempt !== loginAttempt) return fail(SUPERSEDED);
    if (!user.ok) tokens.clear();
    return user;
  }

  async function signIn(form: LoginForm): Promise<Result<null>> {
    if (stateStore.get().session.kind !== "anonymous") end(null);
    const startAttempt = ++loginAttempt;
    // Beside the login, which takes longer: the socket's first try is then one that can succeed.
    if (serverAddress.isSchemeUnknown()) void loadDisplaySettings();
    const user = await authenticate(startAttempt, form.userName.trim(), form.password);
    if (!user.ok) return user;
    const loadPassword = form.rememberPassword ? form.password : null;
    await accounts.remember(user.value, { name: form.rememberName, loadPassword });
    if (startAttempt !== loginAttempt) return fail(SUPERSEDED);
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
    loginAttempt++;
    autoLoginAccount = null;
    tokens.clear();
    deps.closeSession(ended);
  }

  /** The call takes its token along; the screen does not wait for the answer. */
  function logOutOfServer(): void {
    if (tokens.current() !== null) void api.call(logout, {}, { silent: true });
    end(null);
  }

  function onTokenRejected(token: string | null): void {
    if (token === null || token !== tokens.current()?.accessToken) return;
    const endReason = tokens.endReason();
    // Also to whoever is just coming in.
    if (endReason !== null) endByServer(endReason.reason, endReason.text);
    else if (stateStore.get().session.kind !== "anonymous") end({ reason: "expired", text: null });
  }

  function endByServer(reason: LogoutReason, text: string): void {
    accounts.setLoggedOut(true);
    end({ reason, text: text === "" ? null : text });
  }

  /** A new tab logs in by itself; what is on disk is shown meanwhile. */
  async function autoLogin(account: AccountRecord): Promise<"ok" | "ended" | "failed"> {
    const startAttempt = ++loginAttempt;
    const password = await accounts.password(account.userName);
    if (startAttempt !== loginAttempt) return "ended";
    const user =
      password === null ? fail(SUPERSEDED) : await authenticate(startAttempt, account.userName, password);
    if (startAttempt !== loginAttempt) return "ended";
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
      const startAttempt = loginAttempt;
      const registered = await api.call(register, { body: registerBody(form, ports) });
      unansweredName = !registered.ok && isUnanswered(registered.failure) ? userName : null;
      if (!registered.ok) return registered;
      // Whoever has come in meanwhile stays.
      return { ok: true, value: { loggedIn: startAttempt === loginAttempt && (await logInWithForm()) } };
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

/** Somebody has left meanwhile, or somebody else comes in. */
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
