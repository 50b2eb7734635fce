import type { SessionEnd } from "./model/state.ts";
import { createAccounts, loadDeviceNumber } from "./session/accounts.ts";
import { createApi, fail } from "./connection/api.ts";
import type { ChatActions, Client, ContactActions, GroupActions, Notice } from "./client-api.ts";
import { createLocalDatabase } from "./storage/local-database.ts";
import { listenForLogouts } from "./session/logout-sync.ts";
import type { Ports } from "./ports.ts";
import type { CreateSignedInClient, SignedInClient } from "./session-scope.ts";
import { createServerAddress } from "./connection/server-address.ts";
import { createSessionService } from "./session/session-service.ts";
import { createStateStore, INITIAL_STATE } from "./state-store.ts";
import { createTokenStore } from "./session/token-store.ts";

/** Where the signed-in client comes from: it is loaded, or gets loaded at the first login, so that the login screen needs less code. */
export type SignedInClientSource =
  | { readonly create: CreateSignedInClient }
  | { readonly load: () => Promise<CreateSignedInClient> };

/** Creates a client. It does nothing before `session.resume()` or `session.login()`; both reject if the code for chats cannot be loaded. */
export function assembleClient(ports: Ports, source: SignedInClientSource): Client {
  const stateStore = createStateStore();
  const noticeListeners = new Set<(notice: Notice) => void>();
  const notify = (notice: Notice) => noticeListeners.forEach((listener) => listener(notice));
  const deviceNo = loadDeviceNumber(ports);
  const clientId = ports.random.id();
  const serverAddress = createServerAddress(ports);
  /** Increased at each login and logout. Work that started under another number stops at its next step. */
  let sessionNumber = 0;

  const me = () => {
    const { session } = stateStore.get();
    return session.kind === "anonymous" ? -1 : session.userId;
  };

  const database = createLocalDatabase(ports, () => {
    if (stateStore.get().storage === "memory") return;
    stateStore.set({ storage: "memory" });
    notify({ kind: "storageRefused" });
  });
  const api = createApi(ports, {
    base: serverAddress.base,
    deviceNo,
    clientId,
    credentials: {
      sessionNumber: () => sessionNumber,
      accessToken: () => tokens.current()?.accessToken ?? null,
      refresh: () => tokens.refresh(),
      onTokenRejected: (token) => sessionService.onTokenRejected(token),
    },
    onFailure: (failure) => notify({ kind: "failure", failure }),
  });
  const tokens = createTokenStore(ports, database, () => api);
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

  const createSignedIn = (create: CreateSignedInClient): SignedInClient =>
    create({
      ports,
      stateStore,
      database,
      api,
      serverAddress,
      deviceNo,
      clientId,
      me,
      accessToken: () => tokens.current()?.accessToken ?? null,
      ensureAccessToken: (shouldRefresh) => sessionService.ensureAccessToken(shouldRefresh),
      notify,
      onEnd: (reason, text) => sessionService.endByServer(reason, text),
      onUnregistered(userName) {
        if (userName !== null) accounts.forget(userName);
        // The server's push about the closed account may have arrived first.
        if (stateStore.get().session.kind !== "anonymous") void sessionService.logout();
      },
    });
  let signedIn: SignedInClient | null = "create" in source ? createSignedIn(source.create) : null;

  /** Shows the local database first, then connects, so that a start with data shows chats before the server answers. */
  async function openSession(userId: number): Promise<void> {
    const ownSessionNumber = ++sessionNumber;
    if (signedIn === null && "load" in source) {
      const create = await source.load();
      if (ownSessionNumber !== sessionNumber) return;
      signedIn ??= createSignedIn(create);
    }
    stateStore.set({ session: { kind: "restoring", userId } });
    await database.open(`parley:${serverAddress.origin()}:${userId}`);
    if (ownSessionNumber !== sessionNumber) return;
    await signedIn?.restore(() => ownSessionNumber !== sessionNumber);
    if (ownSessionNumber !== sessionNumber) return;
    stateStore.set({ session: { kind: "active", userId } });
    signedIn?.start();
  }

  function closeSession(ended: SessionEnd | null): void {
    sessionNumber++;
    stateStore.batch(() => {
      signedIn?.leave();
      void database.close();
      const { display } = stateStore.get();
      stateStore.set({ ...INITIAL_STATE, display, session: { kind: "anonymous", ended } });
    });
  }

  /** The signed-in client while somebody is signed in. It may exist before, for example during a login. */
  const activeClient = () => (stateStore.get().session.kind === "anonymous" ? null : signedIn);

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
      reconnectNow: () => activeClient()?.reconnectNow(),
      sessions: () => activeClient()?.account.sessions() ?? notSignedIn(),
      endSession: (id) => activeClient()?.account.endSession(id) ?? notSignedIn(),
      unregister: () => activeClient()?.account.unregister() ?? notSignedIn(),
    },
    contacts: contactActionsOf(activeClient),
    groups: groupActionsOf(activeClient),
    chats: chatActionsOf(activeClient),
    fileUrl: (path) => (/^https?:\/\//i.test(path) ? path : serverAddress.origin() + path),
    close() {
      signedIn?.close();
      tokens.close();
      stopLogoutSync();
      void database.close();
    },
  };
}

const notSignedIn = () => Promise.resolve(fail({ kind: "loggedOut" } as const));

/** Actions that do nothing while nobody is signed in. */
function chatActionsOf(signedIn: () => SignedInClient | null): ChatActions {
  return {
    open: (key) => signedIn()?.chats.open(key),
    closeOpen: () => signedIn()?.chats.closeOpen(),
    sendText: (key, text, options) => signedIn()?.chats.sendText(key, text, options),
    resend: (key, tmpId) => signedIn()?.chats.resend(key, tmpId),
    discard: (key, tmpId) => signedIn()?.chats.discard(key, tmpId),
    loadOlder: (key) => signedIn()?.chats.loadOlder(key),
    loadNewer: (key) => signedIn()?.chats.loadNewer(key),
    showNewest: (key) => signedIn()?.chats.showNewest(key),
    jumpTo: (key, to) => signedIn()?.chats.jumpTo(key, to) ?? Promise.resolve(null),
    search: (query) => signedIn()?.chats.search(query) ?? notSignedIn(),
    daysWithMessages: (key, starts) => signedIn()?.chats.daysWithMessages(key, starts) ?? notSignedIn(),
    markReadUpTo: (key, upTo) => signedIn()?.chats.markReadUpTo(key, upTo),
    setDraft: (key, text, mentions) => signedIn()?.chats.setDraft(key, text, mentions),
    setDraftEdit: (key, edit) => signedIn()?.chats.setDraftEdit(key, edit),
    nextMention: (key) => signedIn()?.chats.nextMention(key) ?? null,
    setQuote: (key, id) => signedIn()?.chats.setQuote(key, id),
    sendContent: (key, type, content) => signedIn()?.chats.sendContent(key, type, content),
    editText: (key, id, text) => signedIn()?.chats.editText(key, id, text) ?? notSignedIn(),
    recall: (key, id) => signedIn()?.chats.recall(key, id) ?? notSignedIn(),
    recalledText: (key, id) => signedIn()?.chats.recalledText(key, id) ?? null,
    restoreQuote: (key, id) => signedIn()?.chats.restoreQuote(key, id),
    deleteForMe: (key, ids) => signedIn()?.chats.deleteForMe(key, ids) ?? notSignedIn(),
    forward: (from, ids, to) => signedIn()?.chats.forward(from, ids, to) ?? notSignedIn(),
    setTop: (key, isTop) => signedIn()?.chats.setTop(key, isTop) ?? notSignedIn(),
    setAlerts: (key, msgRemind) => signedIn()?.chats.setAlerts(key, msgRemind) ?? notSignedIn(),
    markUnread: (key) => signedIn()?.chats.markUnread(key),
    markRead: (key) => signedIn()?.chats.markRead(key),
    remove: (key) => signedIn()?.chats.remove(key),
    clearHistory: () => signedIn()?.chats.clearHistory() ?? notSignedIn(),
    loadNotice: (id) => signedIn()?.chats.loadNotice(id) ?? notSignedIn(),
  };
}

function contactActionsOf(signedIn: () => SignedInClient | null): ContactActions {
  return {
    reload: () => signedIn()?.contacts.reload() ?? notSignedIn(),
    search: (name) => signedIn()?.contacts.search(name) ?? notSignedIn(),
    loadUser: (id) => signedIn()?.contacts.loadUser(id) ?? notSignedIn(),
    apply: (userId, remark, source) => signedIn()?.contacts.apply(userId, remark, source) ?? notSignedIn(),
    approve: (requestId) => signedIn()?.contacts.approve(requestId) ?? notSignedIn(),
    reject: (requestId) => signedIn()?.contacts.reject(requestId) ?? notSignedIn(),
    recall: (requestId) => signedIn()?.contacts.recall(requestId) ?? notSignedIn(),
    remove: (userId) => signedIn()?.contacts.remove(userId) ?? notSignedIn(),
    setRemark: (userId, remark) => signedIn()?.contacts.setRemark(userId, remark) ?? notSignedIn(),
    block: (userId) => signedIn()?.contacts.block(userId) ?? notSignedIn(),
    unblock: (userId) => signedIn()?.contacts.unblock(userId) ?? notSignedIn(),
    setManualApprove: (isOn) => signedIn()?.contacts.setManualApprove(isOn) ?? notSignedIn(),
  };
}

function groupActionsOf(signedIn: () => SignedInClient | null): GroupActions {
  return {
    reload: () => signedIn()?.groups.reload() ?? notSignedIn(),
    create: (form) => signedIn()?.groups.create(form) ?? notSignedIn(),
    modify: (id, part) => signedIn()?.groups.modify(id, part) ?? notSignedIn(),
    setRights: (id, part) => signedIn()?.groups.setRights(id, part) ?? notSignedIn(),
    invite: (id, friendIds) => signedIn()?.groups.invite(id, friendIds) ?? notSignedIn(),
    apply: (id, remark) => signedIn()?.groups.apply(id, remark) ?? notSignedIn(),
    approve: (requestId) => signedIn()?.groups.approve(requestId) ?? notSignedIn(),
    reject: (requestId) => signedIn()?.groups.reject(requestId) ?? notSignedIn(),
    find: (id) => signedIn()?.groups.find(id) ?? notSignedIn(),
    search: (name) => signedIn()?.groups.search(name) ?? notSignedIn(),
    loadMembers: (id) => signedIn()?.groups.loadMembers(id) ?? notSignedIn(),
    removeMembers: (id, userIds, deleteMessages) =>
      signedIn()?.groups.removeMembers(id, userIds, deleteMessages) ?? notSignedIn(),
    setMuted: (id, userIds, isMuted) => signedIn()?.groups.setMuted(id, userIds, isMuted) ?? notSignedIn(),
    setAllMuted: (id, isMuted) => signedIn()?.groups.setAllMuted(id, isMuted) ?? notSignedIn(),
    setManagers: (id, userIds, isManager) =>
      signedIn()?.groups.setManagers(id, userIds, isManager) ?? notSignedIn(),
    transfer: (id, userId) => signedIn()?.groups.transfer(id, userId) ?? notSignedIn(),
    quit: (id) => signedIn()?.groups.quit(id) ?? notSignedIn(),
    dissolve: (id) => signedIn()?.groups.dissolve(id) ?? notSignedIn(),
    readNotice: (id) => signedIn()?.groups.readNotice(id),
    readers: (id, messageId, who) => signedIn()?.groups.readers(id, messageId, who) ?? notSignedIn(),
  };
}
