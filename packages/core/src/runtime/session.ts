import { loadGlobalSetting, login, logout, modifyPwd, register } from "@parley/protocol/endpoints/account";
import { uploadImage } from "@parley/protocol/endpoints/uploads";
import { self } from "@parley/protocol/endpoints/users";
import type { UserInfo } from "@parley/protocol/entities";
import type { LogoutReason } from "@parley/protocol/envelope";
import { Terminal } from "@parley/protocol/codes";
import type { LoginForm, RegisterForm } from "../model/forms.ts";
import type { Failure, Result, SessionEnd } from "../model/state.ts";
import type { Accounts, KeptAccount } from "./accounts.ts";
import { type Api, fail, isUnanswered } from "./api.ts";
import type { SessionActions } from "./client-api.ts";
import { tellLoggedOut } from "./logouts.ts";
import type { Ports } from "./ports.ts";
import type { Server } from "./server.ts";
import type { Store } from "./store.ts";
import type { TokenKeeper } from "./tokens.ts";

export interface Session extends Omit<
  SessionActions,
  "retryConnection" | "sessions" | "endSession" | "unregister"
> {
  /** Makes sure of an access token before the socket logs in; without any it logs in with the remembered password. */
  prepare(renew: boolean): Promise<"ok" | "ended" | "failed">;
  /** The server no longer takes the session of this token. */
  sessionOver(token: string | null): void;
  /** Another tab has logged this person out; null: what this browser keeps was cleared, and everybody is out. */
  endByTab(userId: number | null): void;
  /** Cmd 2, ban, deregistration: like an explicit logout (protocol §12). */
  endByServer(reason: LogoutReason, text: string): void;
}

export interface SessionDeps {
  ports: Ports;
  api: Api;
  store: Store;
  tokens: TokenKeeper;
  accounts: Accounts;
  server: Server;
  /** Shows what is on disk for this person, then connects. */
  enter(userId: number): Promise<void>;
  /** Forgets everything of the person in memory. */
  leave(ended: SessionEnd | null): void;
}

export function createSession(deps: SessionDeps): Session {
  const { ports, api, store, tokens, accounts, server } = deps;
  /** Whose password logs in again when there is no token: a new tab. */
  let automatic: KeptAccount | null = null;

  /** Rises with each try to get in and with each end: what comes of a try before is nobody's any more. */
  let attempt = 0;

  /** What was to be registered, or whether a password was to be changed, when no answer came: it may have been done. */
  let unansweredName: string | null = null;
  let isChangeUnanswered = false;

  async function getIn(mine: number, userName: string, password: string): Promise<Result<UserInfo>> {
    const body = { terminal: Terminal.WEB, userName, password };
    const pair = await api.call(login, { body }, { quiet: true });
    if (mine !== attempt) {
      // The server has a session now that nobody is going to use.
      if (pair.ok) void api.call(logout, {}, { quiet: true, accessToken: pair.value.accessToken });
      return fail(OVERTAKEN);
    }
    if (!pair.ok) return pair;
    tokens.begin(pair.value);
    const user = await api.call(self, {}, { quiet: true });
    if (mine !== attempt) return fail(OVERTAKEN);
    if (!user.ok) tokens.drop();
    return user;
  }

  async function signIn(form: LoginForm): Promise<Result<null>> {
    if (store.get().session.kind !== "anonymous") end(null);
    const mine = ++attempt;
    // Beside the login, which takes longer: the socket's first try is then one that can succeed.
    if (server.lacksScheme()) void loadDisplaySettings();
    const user = await getIn(mine, form.userName.trim(), form.password);
    if (!user.ok) return user;
    const password = form.rememberPassword ? form.password : null;
    await accounts.remember(user.value, { name: form.rememberName, password });
    if (mine !== attempt) return fail(OVERTAKEN);
    accounts.setLoggedOut(false);
    tokens.keep(user.value.id, user.value.userName);
    store.set({ me: user.value });
    await deps.enter(user.value.id);
    return { ok: true, value: null };
  }

  async function loadDisplaySettings(): Promise<void> {
    const origin = server.origin();
    const display = await api.call(loadGlobalSetting, {}, { quiet: true });
    if (!display.ok || origin !== server.origin()) return;
    server.noteSocketSecure(display.value.socketSecure);
    store.set({ display: display.value });
  }

  function end(ended: SessionEnd | null): void {
    attempt++;
    automatic = null;
    tokens.drop();
    deps.leave(ended);
  }

  /** The call takes its token along; the screen does not wait for the answer. */
  function leaveServer(): void {
    if (tokens.current() !== null) void api.call(logout, {}, { quiet: true });
    end(null);
  }

  function sessionOver(token: string | null): void {
    if (token === null || token !== tokens.current()?.accessToken) return;
    const told = tokens.end();
    // Also to whoever is just coming in.
    if (told !== null) endByServer(told.reason, told.text);
    else if (store.get().session.kind !== "anonymous") end({ reason: "expired", text: null });
  }

  function endByServer(reason: LogoutReason, text: string): void {
    accounts.setLoggedOut(true);
    end({ reason, text: text === "" ? null : text });
  }

  /** A new tab logs in by itself; what is on disk is shown meanwhile. */
  async function logInAgain(account: KeptAccount): Promise<"ok" | "ended" | "failed"> {
    const mine = ++attempt;
    const password = await accounts.password(account.userName);
    if (mine !== attempt) return "ended";
    const user = password === null ? fail(OVERTAKEN) : await getIn(mine, account.userName, password);
    if (mine !== attempt) return "ended";
    if (user.ok && user.value.id === account.userId) {
      tokens.keep(user.value.id, user.value.userName);
      return "ok";
    }
    const isPassing = !user.ok && (user.failure.kind === "network" || user.failure.kind === "http");
    if (isPassing) return "failed";
    if (store.get().session.kind !== "anonymous") end(null);
    return "ended";
  }

  return {
    async resume() {
      if (store.get().session.kind !== "anonymous") return;
      const kept = tokens.restore();
      if (kept !== null) return deps.enter(kept.userId);
      automatic = accounts.automatic();
      if (automatic !== null) await deps.enter(automatic.userId);
    },
    login: signIn,
    async register(form) {
      const { userName, password } = form;
      const getInAtOnce = async () =>
        (await signIn({ userName, password, rememberName: true, rememberPassword: false })).ok;
      if (unansweredName === userName && (await getInAtOnce()))
        return { ok: true, value: { loggedIn: true } };
      const mine = attempt;
      const registered = await api.call(register, { body: registerBody(form, ports) });
      unansweredName = !registered.ok && isUnanswered(registered.failure) ? userName : null;
      if (!registered.ok) return registered;
      // Whoever has come in meanwhile stays.
      return { ok: true, value: { loggedIn: mine === attempt && (await getInAtOnce()) } };
    },
    uploadAvatar: (file, name) => api.call(uploadImage, {}, { file: { file, name } }),
    async logout() {
      accounts.setLoggedOut(true);
      const { session } = store.get();
      if (session.kind !== "anonymous") tellLoggedOut(ports, session.userId);
      leaveServer();
    },
    endByTab(userId) {
      const { session } = store.get();
      if (session.kind !== "anonymous" && (userId ?? session.userId) === session.userId) leaveServer();
    },
    acknowledgeEnd() {
      const { session } = store.get();
      if (session.kind === "anonymous" && session.ended !== null) {
        store.set({ session: { kind: "anonymous", ended: null } });
      }
    },
    loadDisplaySettings,
    savedAccounts: () => accounts.list(),
    savedTicks: () => accounts.ticks(),
    forgetAccount: (userName) => accounts.forget(userName),
    savedPassword: (userName) => accounts.password(userName),
    canRememberPassword: ports.storage.vault !== null,
    customServer: () => server.custom(),
    setCustomServer: (origin) => server.setCustom(origin),
    async changePassword(oldPassword, newPassword) {
      const change = (from: string, options = {}) =>
        api.call(modifyPwd, { body: { oldPassword: from, newPassword } }, options);
      if (isChangeUnanswered) {
        const again = await change(newPassword, { quiet: true });
        isChangeUnanswered = !again.ok;
        if (again.ok) return again;
      }
      const result = await change(oldPassword);
      isChangeUnanswered = !result.ok && isUnanswered(result.failure);
      return result;
    },
    async prepare(renew) {
      if (tokens.current() === null) return automatic === null ? "failed" : logInAgain(automatic);
      if (!renew && tokens.isFresh()) return "ok";
      const token = tokens.current()?.accessToken ?? null;
      const outcome = await tokens.refresh();
      if (outcome === "ended") sessionOver(token);
      return outcome;
    },
    sessionOver,
    endByServer,
  };
}

/** Somebody has left meanwhile, or somebody else comes in. */
const OVERTAKEN: Failure = { kind: "loggedOut" };

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
