import type { Result, SessionEnd } from "./model/state.ts";
import { createAccounts, loadDeviceNumber } from "./session/accounts.ts";
import { createApi, fail } from "./connection/api.ts";
import type { ChatActions, Client, ContactActions, GroupActions, Notice } from "./client-api.ts";
import { listenForLogouts } from "./session/logout-sync.ts";
import type { Ports } from "./ports.ts";
import type { SignedInClient, SignedInClientDeps } from "./signed-in-client.ts";
import { createServerAddress } from "./connection/server-address.ts";
import { createScope, type Scope } from "./session-scope.ts";
import { createSessionService } from "./session/session-service.ts";
import { createStateStore, INITIAL_STATE } from "./state-store.ts";
import { createTokenStore } from "./session/token-store.ts";

/** Creates a client. It does nothing before `session.resume()` or `session.login()`; both reject if `createSignedInClient` does. */
export function assembleClient(
  ports: Ports,
  createSignedInClient: (deps: SignedInClientDeps) => SignedInClient | Promise<SignedInClient>,
): Client {
  const stateStore = createStateStore();
  const noticeListeners = new Set<(notice: Notice) => void>();
  const notify = (notice: Notice) => noticeListeners.forEach((listener) => listener(notice));
  const deviceNo = loadDeviceNumber(ports);
  const clientId = ports.random.id();
  const serverAddress = createServerAddress(ports);
  /** The session, or the time between two sessions. */
  let scope = createScope();
  let signedIn: SignedInClient | null = null;

  const accessToken = () => tokens.current()?.accessToken ?? null;
  const api = createApi(ports, {
    base: serverAddress.base,
    deviceNo,
    clientId,
    credentials: {
      scope: () => scope,
      accessToken,
      refresh: () => tokens.refresh(),
      onTokenRejected: (token) => sessionService.onTokenRejected(token),
    },
    onFailure: (failure) => notify({ kind: "failure", failure }),
  });
  const tokens = createTokenStore(
    ports,
    () => signedIn?.database ?? null,
    () => api,
  );
  const accounts = createAccounts(ports, serverAddress.origin);
  const sessionService = createSessionService({
    ports,
    api,
    stateStore,
    tokens,
    accounts,
    serverAddress,
    openSession,
    closeSession,
  });

  function beginScope(): Scope {
    scope.end();
    scope = createScope();
    return scope;
  }

  /** Shows the local database first, then connects, so that a start with data shows chats before the server answers. */
  async function openSession(userId: number): Promise<void> {
    const session = beginScope();
    const created = createSignedInClient({
      session,
      me: userId,
      databaseName: `parley:${serverAddress.origin()}:${userId}`,
      ports,
      stateStore,
      api,
      serverAddress,
      deviceNo,
      clientId,
      accessToken,
      ensureAccessToken: sessionService.ensureAccessToken,
      notify,
      onEnd: sessionService.endByServer,
      onUnregistered(userName) {
        if (userName !== null) accounts.forget(userName);
        // The server's push about the closed account may have arrived first.
        if (!session.isOver()) void sessionService.logout();
      },
    });
    // Without a pause if it is there already: then the chats can be used from the first moment on.
    const client = created instanceof Promise ? await created : created;
    if (session.isOver()) return;
    signedIn = client;
    stateStore.set({ session: { kind: "restoring", userId } });
    await client.restore();
    if (session.isOver()) return;
    stateStore.set({ session: { kind: "active", userId } });
    client.start();
  }

  function closeSession(ended: SessionEnd | null): void {
    stateStore.batch(() => {
      signedIn?.leave();
      signedIn = null;
      beginScope();
      const { display } = stateStore.get();
      stateStore.set({ ...INITIAL_STATE, display, session: { kind: "anonymous", ended } });
    });
  }

  const stopLogoutSync = listenForLogouts(ports, (userId) => sessionService.endByOtherTab(userId));

  return {
    getState: stateStore.get,
    subscribe: stateStore.subscribe,
    onNotice(listener) {
      noticeListeners.add(listener);
      return () => noticeListeners.delete(listener);
    },
    session: {
      ...sessionService,
      reconnectNow: () => signedIn?.reconnectNow(),
      sessions: () => signedIn?.account.sessions() ?? notSignedIn(),
      endSession: (id) => signedIn?.account.endSession(id) ?? notSignedIn(),
      unregister: () => signedIn?.account.unregister() ?? notSignedIn(),
    },
    get chats() {
      return signedIn?.chats ?? SIGNED_OUT.chats;
    },
    get contacts() {
      return signedIn?.contacts ?? SIGNED_OUT.contacts;
    },
    get groups() {
      return signedIn?.groups ?? SIGNED_OUT.groups;
    },
    fileUrl: (path) => (/^https?:\/\//i.test(path) ? path : serverAddress.origin() + path),
    close() {
      signedIn?.close();
      tokens.close();
      stopLogoutSync();
    },
  };
}

const notSignedIn = () => Promise.resolve(fail({ kind: "loggedOut" }));

/** The actions whose answer is no result, and which therefore cannot just fail. */
type Unfailing<Actions> = {
  [
    Name in keyof Actions as Actions[Name] extends (...args: never[]) => Promise<Result<unknown>> | void
      ? never
      : Name
  ]: Actions[Name];
};

/** Actions while nobody is signed in: each changes nothing and fails, except `unfailing`. */
function signedOutActions<Actions extends object>(unfailing: Unfailing<Actions>): Actions {
  return new Proxy(unfailing, { get: (known, name) => Reflect.get(known, name) ?? notSignedIn }) as Actions;
}

const SIGNED_OUT = {
  chats: signedOutActions<ChatActions>({
    draftFile: () => Promise.resolve(null),
    localFile: () => undefined,
    jumpTo: () => Promise.resolve(null),
    nextMention: () => null,
    recalledText: () => null,
  }),
  contacts: signedOutActions<ContactActions>({}),
  groups: signedOutActions<GroupActions>({}),
};
