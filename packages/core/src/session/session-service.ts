import { loadGlobalSetting, logout } from "@parley/protocol/endpoints/account";
import type { TokenPair } from "@parley/protocol/entities";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { LoginForm } from "../model/forms/login-rules.ts";
import type { Result, SessionEnd } from "../model/state.ts";
import type { Accounts, AccountRecord, SavedAccount } from "./accounts.ts";
import { type Api, fail } from "../connection/api.ts";
import type { Notice } from "../notice.ts";
import { type AccountForms, createAccountForms } from "./account-forms.ts";
import { createAutoLogin } from "./auto-login.ts";
import { createLoginAttempts, SUPERSEDED } from "./login-attempts.ts";
import { broadcastLogout } from "./logout-sync.ts";
import type { Ports } from "../ports.ts";
import type { ProbeResult, ServerAddress } from "../connection/server-address.ts";
import type { StateStore } from "../state-store.ts";
import type { TokenStore } from "./token-store.ts";

/** Login, logout, and everything about the accounts of this browser. */
export interface LoginActions extends AccountForms {
  /** At start: continues this tab's session, or logs in with a remembered password (in a new tab, without an explicit logout before). */
  resume(): Promise<void>;
  /**
   * Stays signed out on failure. The caller shows the failure; no toast is raised. `given`: tokens that the server has answered to another
   * call just now, so that it is not asked for them.
   */
  login(form: LoginForm, given?: TokenPair): Promise<Result<null>>;
  /** An explicit logout: there is no automatic login until the person logs in again. */
  logout(): Promise<void>;
  /**
   * A logout that also removes what this device stores of the person: chats, drafts, unsent messages, the saved account and its password.
   * Resolves with false if the browser refused to delete it.
   */
  logoutAndRemoveData(): Promise<boolean>;
  /** Ends the session in this tab without a logout, like closing the tab: the socket is closed with 3000 (spec §2). */
  closeApp(): void;
  /** The person has read why the session ended. */
  acknowledgeEnd(): void;
  loadDisplaySettings(): Promise<void>;

  savedAccounts(): readonly SavedAccount[];
  /** The options of the last login in this browser, as defaults of the form. */
  savedLoginOptions(): Pick<LoginForm, "rememberName" | "rememberPassword">;
  forgetAccount(userName: string): void;
  /** The remembered password in clear text, to fill in the form; null for none. */
  savedPassword(userName: string): Promise<string | null>;
  /** Whether this browser can store a password encrypted (not on plain http). */
  readonly canRememberPassword: boolean;

  /** The origin that the person has entered; empty: the page's own. */
  customServer(): string;
  /** Probes `<origin>/api/globalSetting/load`, then without `/api`, and stores the origin if it answers. Empty: back to the page's own. */
  setCustomServer(origin: string): Promise<ProbeResult>;
}

/** Login, logout and everything else that begins or ends a session. */
export interface SessionService {
  readonly actions: LoginActions;
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
  notify(notice: Notice): void;
  /** Shows what the local database holds for this user, then connects. */
  openSession(userId: number): Promise<void>;
  /** The person has logged out: drops everything of them from memory. */
  closeSession(ended: SessionEnd | null): void;
  /** This tab is left: drops everything from memory too, but the person stays logged in. */
  leaveSession(): void;
  /** Deletes what this device stores of a user who has logged out. False: the browser refused. */
  removeData(userId: number): Promise<boolean>;
}

/** Creates the session service; it starts signed out. */
export function createSessionService(deps: SessionServiceDeps): SessionService {
  const { ports, api, stateStore, tokens, accounts, serverAddress } = deps;
  const attempts = createLoginAttempts(api, tokens);
  const autoLogin = createAutoLogin({ accounts, attempts, tokens, onRefused: endIfSignedIn });
  /** The account whose remembered password logs in while there is no token, in a new tab. */
  let autoLoginAccount: AccountRecord | null = null;

  async function signIn(form: LoginForm, given?: TokenPair): Promise<Result<null>> {
    endIfSignedIn();
    const attempt = attempts.begin();
    // Runs beside the login, which takes longer, so that the socket knows the right scheme at its first try.
    if (serverAddress.isSchemeUnknown()) void loadDisplaySettings();
    const user = await attempts.authenticate(attempt, form.userName.trim(), form.password, given);
    if (!user.ok) return user;
    const password = form.rememberPassword ? form.password : null;
    const isKept = await accounts.remember(user.value, { name: form.rememberName, password });
    if (attempt.isOver()) return fail(SUPERSEDED);
    if (!isKept) deps.notify({ kind: "passwordNotKept" });
    accounts.setLoggedOut(false);
    tokens.saveFor(user.value.id, user.value.userName);
    stateStore.set({ me: user.value });
    await deps.openSession(user.value.id);
    return { ok: true, value: null };
  }

  async function loadDisplaySettings(): Promise<void> {
    if (!serverAddress.isKnown()) return;
    const origin = serverAddress.origin();
    const display = await api.call(loadGlobalSetting, {}, { silent: true });
    if (!display.ok || origin !== serverAddress.origin()) return;
    serverAddress.setSocketSecure(display.value.socketSecure);
    stateStore.set({ display: display.value });
  }

  function end(ended: SessionEnd | null): void {
    attempts.begin();
    autoLoginAccount = null;
    tokens.clear();
    deps.closeSession(ended);
  }

  function endIfSignedIn(): void {
    if (stateStore.get().session.kind !== "anonymous") end(null);
  }

  /** The call already carries its token, so the screen does not wait for the answer. */
  function logOutOfServer(): void {
    if (tokens.current() !== null) void api.call(logout, {}, { silent: true });
    end(null);
  }

  /** An explicit logout, in all tabs of this browser. */
  function logOut(): void {
    accounts.setLoggedOut(true);
    const { session } = stateStore.get();
    if (session.kind !== "anonymous") broadcastLogout(ports, session.userId);
    logOutOfServer();
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

  const actions: LoginActions = {
    async resume() {
      if (stateStore.get().session.kind !== "anonymous") return;
      const tabSession = tokens.restore();
      if (tabSession !== null) return deps.openSession(tabSession.userId);
      autoLoginAccount = accounts.autoLoginAccount();
      if (autoLoginAccount !== null) await deps.openSession(autoLoginAccount.userId);
    },
    ...createAccountForms({ ports, api, attempts, signIn }),
    login: signIn,
    async logout() {
      logOut();
    },
    async logoutAndRemoveData() {
      const { session } = stateStore.get();
      logOut();
      return session.kind === "anonymous" || deps.removeData(session.userId);
    },
    closeApp() {
      attempts.begin();
      autoLoginAccount = null;
      deps.leaveSession();
      tokens.leaveTab();
    },
    acknowledgeEnd() {
      const { session } = stateStore.get();
      if (session.kind === "anonymous" && session.ended !== null)
        stateStore.set({ session: { kind: "anonymous", ended: null } });
    },
    loadDisplaySettings,
    savedAccounts: () => accounts.list(),
    savedLoginOptions: () => accounts.loginOptions(),
    forgetAccount: (userName) => accounts.forget(userName),
    savedPassword: (userName) => accounts.password(userName),
    canRememberPassword: ports.storage.vault !== null,
    customServer: () => serverAddress.customOrigin(),
    setCustomServer: (origin) => serverAddress.setCustom(origin),
  };

  return {
    actions,
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
    endByOtherTab(userId) {
      const { session } = stateStore.get();
      if (session.kind !== "anonymous" && (userId ?? session.userId) === session.userId) logOutOfServer();
    },
    endByServer,
  };
}
