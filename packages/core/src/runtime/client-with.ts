import type { SessionEnd } from "../model/state.ts";
import { createAccounts, deviceNumber } from "./accounts.ts";
import { createApi, fail } from "./api.ts";
import type { ChatActions, Client, ContactActions, GroupActions, Notice } from "./client-api.ts";
import { createDisk } from "./persist.ts";
import { followTabs } from "./logouts.ts";
import type { Ports } from "./ports.ts";
import type { CreateRoom, Room } from "./room.ts";
import { createServer } from "./server.ts";
import { createSession } from "./session.ts";
import { createStateStore, INITIAL_STATE } from "./store.ts";
import { createTokenKeeper } from "./tokens.ts";

/** The part for people who are signed in: at hand, or loaded when the first one comes in (a login screen does without its code). */
export type RoomSource = { readonly create: CreateRoom } | { readonly load: () => Promise<CreateRoom> };

/** Makes a client. Nothing happens before `session.resume()` or `session.login()`; both reject when the room cannot be loaded. */
export function createClientWith(ports: Ports, source: RoomSource): Client {
  const store = createStateStore();
  const noticeListeners = new Set<(notice: Notice) => void>();
  const notify = (notice: Notice) => noticeListeners.forEach((listener) => listener(notice));
  const deviceNo = deviceNumber(ports);
  const clientId = ports.random.id();
  const server = createServer(ports);
  /** Rises with each person who comes or goes; work for the one before stops at its next step. */
  let visit = 0;

  const me = () => {
    const { session } = store.get();
    return session.kind === "anonymous" ? -1 : session.userId;
  };

  const disk = createDisk(ports, () => {
    if (store.get().storage === "memory") return;
    store.set({ storage: "memory" });
    notify({ kind: "storageRefused" });
  });
  const api = createApi(ports, {
    base: server.base,
    deviceNo,
    clientId,
    credentials: {
      visit: () => visit,
      accessToken: () => tokens.current()?.accessToken ?? null,
      refresh: () => tokens.refresh(),
      sessionOver: (token) => session.sessionOver(token),
    },
    onFailure: (failure) => notify({ kind: "failure", failure }),
  });
  const tokens = createTokenKeeper(ports, disk, () => api);
  const accounts = createAccounts(ports, server.origin);
  const session = createSession({ ports, api, store, tokens, accounts, server, enter, leave });

  const make = (create: CreateRoom): Room =>
    create({
      ports,
      store,
      disk,
      api,
      server,
      deviceNo,
      clientId,
      me,
      accessToken: () => tokens.current()?.accessToken ?? null,
      prepare: (renew) => session.prepare(renew),
      notify,
      onEnd: (reason, text) => session.endByServer(reason, text),
      onUnregistered(userName) {
        if (userName !== null) accounts.forget(userName);
        // The server's own word that the account is closed may have come first.
        if (store.get().session.kind !== "anonymous") void session.logout();
      },
    });
  let room: Room | null = "create" in source ? make(source.create) : null;

  /** What is on disk first, then the network: a warm start paints before the server answers. */
  async function enter(userId: number): Promise<void> {
    const mine = ++visit;
    if (room === null && "load" in source) {
      const create = await source.load();
      if (mine !== visit) return;
      room ??= make(create);
    }
    store.set({ session: { kind: "restoring", userId } });
    await disk.open(`parley:${server.origin()}:${userId}`);
    if (mine !== visit) return;
    await room?.restore(() => mine !== visit);
    if (mine !== visit) return;
    store.set({ session: { kind: "active", userId } });
    room?.start();
  }

  function leave(ended: SessionEnd | null): void {
    visit++;
    store.batch(() => {
      room?.leave();
      void disk.close();
      const { display } = store.get();
      store.set({ ...INITIAL_STATE, display, session: { kind: "anonymous", ended } });
    });
  }

  /** Nobody does anything before signing in, though the room may be there already and a token be on its way. */
  const entered = () => (store.get().session.kind === "anonymous" ? null : room);

  const stopFollowing = followTabs(ports, (userId) => session.endByTab(userId));

  return {
    getState: store.get,
    subscribe: store.subscribe,
    onNotice(listener) {
      noticeListeners.add(listener);
      return () => noticeListeners.delete(listener);
    },
    session: {
      ...session,
      retryConnection: () => entered()?.hurry(),
      sessions: () => entered()?.account.sessions() ?? nobody(),
      endSession: (id) => entered()?.account.endSession(id) ?? nobody(),
      unregister: () => entered()?.account.unregister() ?? nobody(),
    },
    contacts: contactsOf(entered),
    groups: groupsOf(entered),
    chats: chatsOf(entered),
    fileUrl: (path) => (/^https?:\/\//i.test(path) ? path : server.origin() + path),
    close() {
      room?.close();
      tokens.close();
      stopFollowing();
      void disk.close();
    },
  };
}

const nobody = () => Promise.resolve(fail({ kind: "loggedOut" } as const));

/** Before anybody is signed in there is nothing to do. */
function chatsOf(room: () => Room | null): ChatActions {
  return {
    open: (key) => room()?.chats.open(key),
    closeOpen: () => room()?.chats.closeOpen(),
    sendText: (key, text, how) => room()?.chats.sendText(key, text, how),
    resend: (key, tmpId) => room()?.chats.resend(key, tmpId),
    discard: (key, tmpId) => room()?.chats.discard(key, tmpId),
    loadOlder: (key) => room()?.chats.loadOlder(key),
    loadNewer: (key) => room()?.chats.loadNewer(key),
    toNewest: (key) => room()?.chats.toNewest(key),
    jumpTo: (key, to) => room()?.chats.jumpTo(key, to) ?? Promise.resolve(null),
    search: (query) => room()?.chats.search(query) ?? nobody(),
    daysWithMessages: (key, starts) => room()?.chats.daysWithMessages(key, starts) ?? nobody(),
    markSeen: (key, upTo) => room()?.chats.markSeen(key, upTo),
    setDraft: (key, text, mentions) => room()?.chats.setDraft(key, text, mentions),
    setDraftEdit: (key, edit) => room()?.chats.setDraftEdit(key, edit),
    nextMention: (key) => room()?.chats.nextMention(key) ?? null,
    setQuote: (key, id) => room()?.chats.setQuote(key, id),
    sendContent: (key, type, content) => room()?.chats.sendContent(key, type, content),
    editText: (key, id, text) => room()?.chats.editText(key, id, text) ?? nobody(),
    recall: (key, id) => room()?.chats.recall(key, id) ?? nobody(),
    reeditText: (key, id) => room()?.chats.reeditText(key, id) ?? null,
    requote: (key, id) => room()?.chats.requote(key, id),
    hide: (key, ids) => room()?.chats.hide(key, ids) ?? nobody(),
    forward: (from, ids, to) => room()?.chats.forward(from, ids, to) ?? nobody(),
    setTop: (key, isTop) => room()?.chats.setTop(key, isTop) ?? nobody(),
    setRemind: (key, msgRemind) => room()?.chats.setRemind(key, msgRemind) ?? nobody(),
    markUnread: (key) => room()?.chats.markUnread(key),
    markRead: (key) => room()?.chats.markRead(key),
    remove: (key) => room()?.chats.remove(key),
    clearHistory: () => room()?.chats.clearHistory() ?? nobody(),
    loadNotice: (id) => room()?.chats.loadNotice(id) ?? nobody(),
  };
}

function contactsOf(room: () => Room | null): ContactActions {
  return {
    reload: () => room()?.contacts.reload() ?? nobody(),
    search: (name) => room()?.contacts.search(name) ?? nobody(),
    loadUser: (id) => room()?.contacts.loadUser(id) ?? nobody(),
    apply: (userId, remark, source) => room()?.contacts.apply(userId, remark, source) ?? nobody(),
    approve: (requestId) => room()?.contacts.approve(requestId) ?? nobody(),
    reject: (requestId) => room()?.contacts.reject(requestId) ?? nobody(),
    recall: (requestId) => room()?.contacts.recall(requestId) ?? nobody(),
    remove: (userId) => room()?.contacts.remove(userId) ?? nobody(),
    setRemark: (userId, remark) => room()?.contacts.setRemark(userId, remark) ?? nobody(),
    block: (userId) => room()?.contacts.block(userId) ?? nobody(),
    unblock: (userId) => room()?.contacts.unblock(userId) ?? nobody(),
    setManualApprove: (isOn) => room()?.contacts.setManualApprove(isOn) ?? nobody(),
  };
}

function groupsOf(room: () => Room | null): GroupActions {
  return {
    reload: () => room()?.groups.reload() ?? nobody(),
    create: (form) => room()?.groups.create(form) ?? nobody(),
    modify: (id, part) => room()?.groups.modify(id, part) ?? nobody(),
    setRights: (id, part) => room()?.groups.setRights(id, part) ?? nobody(),
    invite: (id, friendIds) => room()?.groups.invite(id, friendIds) ?? nobody(),
    apply: (id, remark) => room()?.groups.apply(id, remark) ?? nobody(),
    approve: (requestId) => room()?.groups.approve(requestId) ?? nobody(),
    reject: (requestId) => room()?.groups.reject(requestId) ?? nobody(),
    find: (id) => room()?.groups.find(id) ?? nobody(),
    search: (name) => room()?.groups.search(name) ?? nobody(),
    loadMembers: (id) => room()?.groups.loadMembers(id) ?? nobody(),
    removeMembers: (id, userIds, deleteMessages) =>
      room()?.groups.removeMembers(id, userIds, deleteMessages) ?? nobody(),
    setMuted: (id, userIds, isMuted) => room()?.groups.setMuted(id, userIds, isMuted) ?? nobody(),
    setAllMuted: (id, isMuted) => room()?.groups.setAllMuted(id, isMuted) ?? nobody(),
    setManagers: (id, userIds, isManager) => room()?.groups.setManagers(id, userIds, isManager) ?? nobody(),
    transfer: (id, userId) => room()?.groups.transfer(id, userId) ?? nobody(),
    quit: (id) => room()?.groups.quit(id) ?? nobody(),
    dissolve: (id) => room()?.groups.dissolve(id) ?? nobody(),
    readNotice: (id) => room()?.groups.readNotice(id),
    readers: (id, messageId, who) => room()?.groups.readers(id, messageId, who) ?? nobody(),
  };
}
