import type { SessionEnd } from "./model/state.ts";
import { createAccounts, loadDeviceNumber } from "./session/accounts.ts";
import { loadSystemConfig } from "@parley/protocol/endpoints/account";
import { createApi, SILENT } from "./connection/api.ts";
import { withNetworkEvidence } from "./connection/network-evidence.ts";
import type { Client } from "./client-api.ts";
import { listenForLogouts } from "./session/logout-sync.ts";
import type { Notice } from "./notice.ts";
import type { Ports } from "./ports.ts";
import type { SignedInClient, SignedInClientDeps } from "./signed-in-client.ts";
import { createServerAddress } from "./connection/server-address.ts";
import { SIGNED_OUT_ACTIONS } from "./signed-out-actions.ts";
import { createScope, type Scope } from "./session-scope.ts";
import { createSessionService } from "./session/session-service.ts";
import { createStateStore, INITIAL_STATE } from "./state-store.ts";
import { createTokenStore } from "./session/token-store.ts";
import { LOCAL_KEYS, writeValue } from "./storage/key-value-storage.ts";

/** Creates a client. It does nothing before `session.resume()` or `session.login()`; both reject if `createSignedInClient` does. */
export function assembleClient(
  outside: Ports,
  createSignedInClient: (deps: SignedInClientDeps) => SignedInClient | Promise<SignedInClient>,
): Client {
  const network = withNetworkEvidence(outside, () => {
    if (signedIn !== null) void api.call(loadSystemConfig, {}, SILENT);
  });
  const { ports } = network;
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
    notify,
    openSession,
    closeSession: (ended) => endSession("leave", ended),
    leaveSession: () => endSession("close", null),
    removeData,
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
      databaseName: databaseNameOf(userId),
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
      async onUnregistered() {
        // The server's push about the closed account may have arrived first.
        if (!session.isOver()) sessionService.endByServer("unregistered", "");
        await removeData(userId);
      },
      onOwnInfo: accounts.update,
    });
    // Without a pause if it is there already: then the chats can be used from the first moment on.
    const client = created instanceof Promise ? await created : created;
    if (session.isOver()) return;
    signedIn = client;
    // What it asks the server for is under way before the screen is rendered.
    const restored = client.restore();
    stateStore.set({ session: { kind: "restoring", userId } });
    await restored;
    if (session.isOver()) return;
    stateStore.set({ session: { kind: "active", userId } });
    client.start();
  }

  // Not `parley:`, under which browsers of developers have databases of a higher version.
  const databaseNameOf = (userId: number) => `parley-chats:${serverAddress.origin()}:${userId}`;

  function endSession(how: "leave" | "close", ended: SessionEnd | null): void {
    stateStore.batch(() => {
      signedIn?.[how]();
      signedIn = null;
      beginScope();
      const { display } = stateStore.get();
      stateStore.set({ ...INITIAL_STATE, display, session: { kind: "anonymous", ended } });
    });
  }

  async function removeData(userId: number): Promise<boolean> {
    accounts.forgetUser(userId);
    writeValue(ports.storage.local, `${LOCAL_KEYS.pulled}${databaseNameOf(userId)}`, null);
    try {
      await ports.storage.remove(databaseNameOf(userId));
      return true;
    } catch (error) {
      ports.log.error("the stored data cannot be deleted", { reason: String(error) });
      return false;
    }
  }

  const stopLogoutSync = listenForLogouts(ports, (userId) => sessionService.endByOtherTab(userId));

  const signedInActions = () => signedIn?.actions ?? SIGNED_OUT_ACTIONS;

  return {
    getState: stateStore.get,
    subscribe: stateStore.subscribe,
    onNotice(listener) {
      noticeListeners.add(listener);
      return () => noticeListeners.delete(listener);
    },
    api,
    session: {
      ...sessionService.actions,
      reconnectNow: () => signedIn?.reconnectNow(),
      checkServer: serverAddress.check,
      checkSocket: () => signedIn?.checkSocket() ?? Promise.resolve(null),
    },
    get account() {
      return signedInActions().account;
    },
    get chats() {
      return signedInActions().chats;
    },
    get contacts() {
      return signedInActions().contacts;
    },
    get groups() {
      return signedInActions().groups;
    },
    get broadcast() {
      return signedInActions().broadcast;
    },
    get calls() {
      return signedInActions().calls;
    },
    get storage() {
      return signedInActions().storage;
    },
    get webPush() {
      return signedInActions().webPush;
    },
    fileUrl: (path) => (/^https?:\/\//i.test(path) ? path : serverAddress.origin() + path),
    close() {
      signedIn?.close();
      tokens.close();
      stopLogoutSync();
      network.stop();
    },
  };
}
