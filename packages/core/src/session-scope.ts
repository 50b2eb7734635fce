import { ChatType } from "@parley/protocol/codes";
import { endSession, listSessions, unregister } from "@parley/protocol/endpoints/account";
import type { LogoutReason } from "@parley/protocol/envelope";
import { alertsOf, shouldSound } from "./model/alerts/chat-alerts.ts";
import { isMuteTip } from "./model/groups/groups-state.ts";
import { readFrame } from "./model/connection/read-frame.ts";
import { mentionedUserIds, nextMention, shiftMentions } from "./model/chats/mentions.ts";
import { newChat } from "./model/chats/new-chat.ts";
import { parseChatKey } from "./model/chats/chat-rows.ts";
import { restoreChat } from "./model/chats/saved-chat.ts";
import type { ChatKey, DraftMention, Result } from "./model/state.ts";
import { type Api, fail } from "./connection/api.ts";
import type { ChatActions, ContactActions, GroupActions, Notice, SessionActions } from "./client-api.ts";
import { createMessageActions } from "./chats/message-actions.ts";
import { createChatStore } from "./chats/chat-store.ts";
import { createDraftStash } from "./chats/draft-stash.ts";
import { createGroupService } from "./groups/group-service.ts";
import { createDeletions } from "./chats/deletions.ts";
import { createHistory } from "./chats/history.ts";
import { createInbox } from "./chats/inbox.ts";
import { lazyActions, type LazySource } from "./lazy-actions.ts";
import { type ChatFrame, createSocketConnection } from "./connection/socket-connection.ts";
import { createOutbox, NOT_SENDABLE } from "./chats/outbox.ts";
import { createContactService } from "./contacts/contact-service.ts";
import type { LocalDatabase } from "./storage/local-database.ts";
import type { Ports } from "./ports.ts";
import { createReadPositions } from "./chats/read-positions.ts";
import type { MessageSearch } from "./search/message-search.ts";
import type { ServerAddress } from "./connection/server-address.ts";
import { createAlertSound } from "./alerts/alert-sound.ts";
import { INITIAL_STATE, type StateStore } from "./state-store.ts";
import { createTabSync } from "./storage/tab-sync.ts";
import { searchTermsOf } from "./search/search-terms.ts";
import { createEviction, type EvictionWork } from "./chats/eviction.ts";

/** Everything that lives between login and logout: chats, contacts, groups and the socket. */
export interface SignedInClient {
  readonly chats: ChatActions;
  readonly contacts: ContactActions;
  readonly groups: GroupActions;
  readonly account: Pick<SessionActions, "sessions" | "endSession" | "unregister">;
  /** Shows the contents of the open local database. Stops at its next step when `isOver` returns true. */
  restore(isOver: () => boolean): Promise<void>;
  /** Connects. */
  start(): void;
  /** Disconnects and drops everything of the person from memory. */
  leave(): void;
  /** Connects at once instead of waiting. */
  reconnectNow(): void;
  close(): void;
}

/** Sizes that tests reduce, to reach the ends of pages and windows with few messages. */
export interface SignedInClientOptions {
  /** Number of messages in a page of history. */
  readonly pageSize?: number;
  /** Number of messages that a chat keeps in memory while it is not open. */
  readonly closedWindow?: number;
}

/** What the signed-in client gets from the assembled client. */
export interface SignedInClientDeps extends SignedInClientOptions {
  readonly ports: Ports;
  readonly stateStore: StateStore;
  readonly database: LocalDatabase;
  readonly api: Api;
  readonly serverAddress: ServerAddress;
  readonly deviceNo: string;
  readonly clientId: string;
  /** The id of the person signed in; -1 for nobody. */
  me(): number;
  accessToken(): string | null;
  ensureAccessToken(shouldRefresh: boolean): Promise<"ok" | "ended" | "failed">;
  notify(notice: Notice): void;
  /** The person has deleted their account. */
  onUnregistered(userName: string | null): void;
  onEnd(reason: LogoutReason, text: string): void;
}

/** If the login of the socket takes longer, contacts and groups are loaded without waiting for it. */
const SOCKET_LOGIN_WAIT_MS = 100;

/** Creates a signed-in client with its lazy modules chosen. */
export type CreateSignedInClient = (deps: SignedInClientDeps) => SignedInClient;

/** Creates the services of a signed-in person and connects them. */
export function createSignedInClient(
  options: SignedInClientDeps & { readonly lazy: LazySource },
): SignedInClient {
  const { ports, stateStore, database, api, serverAddress, me, lazy, ...rest } = options;
  const alertSound = createAlertSound(ports, database);
  const chatStore = createChatStore(stateStore, database, rest.closedWindow);
  const draftStash = createDraftStash(ports);
  const deps = { ports, api, stateStore, database, chatStore, me };
  const outbox = createOutbox(deps);
  const history = createHistory({ ...deps, ...(rest.pageSize !== undefined && { pageSize: rest.pageSize }) });
  const messageSearch = lazyActions<MessageSearch>(
    lazy,
    me,
    { find: true, days: true },
    ({ createMessageSearch }) => createMessageSearch(deps),
  );
  const evictionWork = lazyActions<EvictionWork>(lazy, me, { evict: true }, ({ createEvictionWork }) =>
    createEvictionWork({ ...deps, broadcast: (trim) => tabSync.broadcast(trim) }),
  );
  const eviction = createEviction({ ...deps, work: evictionWork });
  const readPositions = createReadPositions(deps);
  const groupService = createGroupService({ ...deps, lazy });
  const contactService = createContactService({
    ...deps,
    lazy,
    watchedUserIds: groupService.watchedUserIds,
    onPresence: groupService.applyPresence,
  });
  const tabSync = createTabSync({
    ...deps,
    onDraft: (key) => draftStash.remove(key),
    onCleared() {
      // The data that is being read may be from before the clearing.
      if (stateStore.get().session.kind === "restoring") wasClearedMeanwhile = true;
      else reloadAll(true);
    },
  });
  const inbox = createInbox({
    ...deps,
    onLiveRow({ key, message }) {
      const chat = stateStore.get().chats.byKey[key] ?? newChat(key, chatStore.newChatContext());
      if (shouldSound(message, chat, { isLoading: false })) alertSound(key, message.id ?? 0);
    },
    onLiveRowsApplied(rows, before) {
      for (const chatAlert of alertsOf(rows, before, stateStore.get().chats)) rest.notify(chatAlert);
    },
    onServerBehind: (key) => readPositions.report(key),
    onReset: reset,
  });
  let cancelSocketWait: (() => void) | null = null;
  /** Another tab has cleared the local database while this one was reading it. */
  let wasClearedMeanwhile = false;
  const deletions = createDeletions(deps);
  const messageActions = createMessageActions({
    ...deps,
    outbox,
    pauseCursor: (type) => inbox.pauseCursor(type),
    resync: (type) => inbox.resync(type),
  });
  const socket = createSocketConnection({
    ports,
    stateStore,
    serverAddress,
    deviceNo: rest.deviceNo,
    clientId: rest.clientId,
    accessToken: () => rest.accessToken(),
    ensureAccessToken: (shouldRefresh) => rest.ensureAccessToken(shouldRefresh),
    onOnline(epoch) {
      cancelSocketWait?.();
      inbox.start(epoch);
      contactService.start();
      groupService.start();
      retryAll();
    },
    onOffline() {
      inbox.stop();
      contactService.stop();
      groupService.stop();
    },
    onFrame,
    onLost: () => rest.notify({ kind: "connectionLost" }),
    onEnd: (reason, text) => rest.onEnd(reason, text),
  });

  /** Retries everything that could not be sent. */
  function retryAll(): void {
    inbox.retry();
    outbox.retry();
    readPositions.retry();
    deletions.retry();
    loadPreviews();
  }

  /** Loads preview and time of chats whose newest message was deleted, from the message before it. */
  function loadPreviews(): void {
    for (const chat of Object.values(stateStore.get().chats.byKey))
      if (chat.sync.needsPreview) void history.loadPreview(chat.key);
  }

  // A socket may survive a short loss of the network; then no login follows that would retry.
  const stopWatching = ports.environment.onChange(() => {
    if (ports.environment.hasNetwork()) retryAll();
  });

  chatStore.onPreviewNeeded = (key) => void history.loadPreview(key);
  chatStore.onRows = (rows) => {
    const ownTmpIds: string[] = [];
    const keys = new Set<ChatKey>();
    for (const { key, message } of rows) {
      keys.add(key);
      if (message.selfSend && message.tmpId !== null) ownTmpIds.push(message.tmpId);
      if (isMuteTip(message.tip)) markGroupMembersStale(key);
    }
    if (ownTmpIds.length > 0) outbox.confirm(ownTmpIds);
    if (stateStore.get().contacts.isLoaded) loadUnknownSenders(keys);
  };

  // A person who writes while reading old messages wants to see the new message.
  chatStore.onLocalEchoOutsideWindow = (key) => void history.showNewest(key);
  database.searchTermsOf = searchTermsOf;
  database.onCorruption = () => {
    reloadAll(false);
    const startUserId = me();
    // Broadcast after the write that clears the database, so that later writes of other tabs stay.
    void database.flush().then(() => startUserId === me() && tabSync.broadcastCleared());
  };

  function reloadAll(isCleared: boolean): void {
    inbox.invalidate(isCleared);
    if (stateStore.get().connection.kind === "online")
      void Promise.all([contactService.reload(), groupService.reload()]);
  }

  function loadUnknownSenders(keys: ReadonlySet<ChatKey>): void {
    const chats = [...keys].flatMap((key) => parseChatKey(key) ?? []);
    contactService.loadUnknownUsers(
      chats.filter(({ type }) => type === ChatType.PRIVATE).map(({ targetId }) => targetId),
    );
  }

  function markGroupMembersStale(key: ChatKey): void {
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) groupService.markMembersStale(target.targetId);
  }

  function onFrame(frame: ChatFrame): void {
    const incoming = readFrame(frame, me());
    switch (incoming.kind) {
      case "chat":
      case "loading":
        return inbox.receive(incoming);
      case "changes":
        if (incoming.isAboutContacts) void contactService.reload();
        return inbox.receive(incoming);
      case "friend":
      case "friendDeleted":
      case "request":
        return contactService.receive(incoming);
      case "groupLeft":
        // If my messages were removed with me, only the remaining members got that push; and pushes of the last messages may be missing.
        void inbox.resync(ChatType.GROUP);
        return groupService.receive(incoming);
      case "group":
      case "groupRequest":
        return groupService.receive(incoming);
      case "ended":
        return socket.endByServer(incoming.reason, incoming.text);
      case "ignored":
        return ports.log.debug("ignored a frame", { type: incoming.type });
      default:
        incoming satisfies never;
    }
  }

  /** Drops all stored messages, which are not valid any more. Only drafts and the outbox stay (protocol §7). */
  function reset(isOtherServer: boolean, isCleared: boolean): void {
    const { chats } = stateStore.get();
    const withDrafts = Object.values(chats.byKey).filter(
      ({ draft, draftEdit }) => draft !== "" || (draftEdit !== null && !isOtherServer),
    );
    stateStore.set({ chats: { ...INITIAL_STATE.chats, openKey: null } });
    if (isCleared) database.dropPendingMessages();
    else database.save({ clearMessages: true });
    chatStore.dispatch(
      [
        ...withDrafts.flatMap(
          ({ key, draft: text, draftMentions: mentions, draftQuote: quote, draftEdit: edit }) => [
            { kind: "open", key, now: ports.clock.now() } as const,
            // Quotes and edits contain ids, which belong to other messages in another database.
            { kind: "draft", key, text, mentions, ...(!isOtherServer && { quote, edit }) } as const,
          ],
        ),
        chats.openKey === null
          ? ({ kind: "close" } as const)
          : ({ kind: "open", key: chats.openKey, now: ports.clock.now() } as const),
      ],
      { lastOpen: chats.openKey },
    );
    outbox.reset(isOtherServer);
    groupService.reset();
    if (!isOtherServer) return;
    // Ids belong to other messages in another database.
    deletions.forget();
    readPositions.forget();
    messageActions.forget();
  }

  function setTop(key: ChatKey, isTop: boolean): Promise<Result<null>> {
    const target = parseChatKey(key);
    if (target?.type === ChatType.PRIVATE) return contactService.setSettings(target.targetId, { isTop });
    if (target?.type === ChatType.GROUP) return groupService.setSettings(target.targetId, { isTop });
    const chat = stateStore.get().chats.byKey[key];
    // The pin of the system chat is stored only on this device.
    if (target?.type !== ChatType.SYSTEM || chat === undefined) return Promise.resolve(fail(NOT_SENDABLE));
    chatStore.dispatch([{ kind: "settings", key, isTop, msgRemind: chat.msgRemind }]);
    return Promise.resolve({ ok: true, value: null });
  }

  function setAlerts(key: ChatKey, msgRemind: number): Promise<Result<null>> {
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) {
      const level = msgRemind === 1 || msgRemind === 2 ? msgRemind : 0;
      return groupService.setSettings(target.targetId, { msgRemind: level, isDnd: level === 2 });
    }
    if (target?.type !== ChatType.PRIVATE) return Promise.resolve(fail(NOT_SENDABLE));
    const isDnd = msgRemind === 0;
    return contactService.setSettings(target.targetId, { msgRemind: isDnd ? 0 : 1, isDnd });
  }

  /** The draft's mentions that are still complete in this text. */
  function remainingMentions(key: ChatKey, text: string): readonly DraftMention[] {
    const chat = stateStore.get().chats.byKey[key];
    return chat === undefined ? [] : shiftMentions(chat.draft, chat.draftMentions, text);
  }

  function openChat(key: ChatKey): void {
    chatStore.dispatch([{ kind: "open", key, now: ports.clock.now() }], { lastOpen: key });
    const target = parseChatKey(key);
    if (target?.type === ChatType.GROUP) groupService.onChatShown(target.targetId);
  }

  return {
    contacts: contactService,
    groups: groupService,
    chats: {
      open(key) {
        openChat(key);
        void history.loadInitial(key);
      },
      closeOpen: () => chatStore.dispatch([{ kind: "close" }], { lastOpen: null }),
      sendText(key, text, { mentions, receipt = false } = {}) {
        if (text.trim() === "") return;
        const quote = stateStore.get().chats.byKey[key]?.draftQuote ?? null;
        const isGroup = parseChatKey(key)?.type === ChatType.GROUP;
        const atUserIds = isGroup ? mentionedUserIds(mentions ?? remainingMentions(key, text)) : [];
        history.cancelNavigation(key);
        stateStore.batch(() => {
          if (quote !== null) tabSync.dispatch({ kind: "draft", key, quote: null });
          outbox.sendText(key, text, { quote, atUserIds, receipt: isGroup && receipt });
        });
      },
      sendContent(key, type, content) {
        history.cancelNavigation(key);
        outbox.send(key, type, content);
      },
      resend: (key, tmpId) => outbox.resend(key, tmpId),
      discard: (key, tmpId) => outbox.discard(key, tmpId),
      loadOlder: (key) => void history.loadOlder(key),
      loadNewer: (key) => void history.loadNewer(key),
      showNewest: (key) => void history.showNewest(key),
      jumpTo(key, to) {
        openChat(key);
        return history.jumpTo(key, to);
      },
      search: (query) => messageSearch.find(query),
      daysWithMessages: (key, starts) => messageSearch.days(key, starts),
      markReadUpTo: (key, upTo) => readPositions.markReadUpTo(key, upTo),
      setDraft(key, text, mentions = remainingMentions(key, text)) {
        const edit = stateStore.get().chats.byKey[key]?.draftEdit ?? null;
        draftStash.save(me(), { key, text, mentions, edit });
        tabSync.dispatch({ kind: "draft", key, text, mentions });
      },
      setDraftEdit(key, edit) {
        const chat = stateStore.get().chats.byKey[key];
        if (chat === undefined || (edit === null && chat.draftEdit === null)) return;
        draftStash.save(me(), { key, text: chat.draft, mentions: chat.draftMentions, edit });
        tabSync.dispatch({ kind: "draft", key, edit });
      },
      nextMention: (key) => nextMention(stateStore.get().chats.byKey[key]),
      setQuote(key, id) {
        const message = stateStore.get().chats.byKey[key]?.window.messages.find((known) => known.id === id);
        if (id === null) tabSync.dispatch({ kind: "draft", key, quote: null });
        else if (message !== undefined) {
          const { sendId, sendNickName, type, content } = message;
          tabSync.dispatch({ kind: "draft", key, quote: { id, sendId, sendNickName, type, content } });
        }
      },
      setTop,
      setAlerts,
      markUnread: (key) => tabSync.dispatch({ kind: "mark", key, isOn: true }),
      markRead(key) {
        tabSync.dispatch({ kind: "mark", key, isOn: false });
        readPositions.markAllRead(key);
      },
      remove(key) {
        stateStore.batch(() => {
          draftStash.remove(key);
          readPositions.markAllRead(key);
          tabSync.dispatch({ kind: "remove", key });
        });
      },
      editText: messageActions.editText,
      recall: messageActions.recall,
      recalledText: messageActions.recalledText,
      restoreQuote(key, id) {
        const quote = messageActions.recalledQuoteOf(key, id);
        const currentQuote = stateStore.get().chats.byKey[key]?.draftQuote ?? null;
        if (quote !== null && currentQuote === null) tabSync.dispatch({ kind: "draft", key, quote });
      },
      deleteForMe: (key, ids) => deletions.deleteForMe(key, ids),
      forward: messageActions.forward,
      async clearHistory() {
        const result = await messageActions.clearHistory();
        // Required by spec §7. If this fails, the next login loads them.
        if (result.ok) void Promise.all([contactService.reload(), groupService.reload()]);
        return result;
      },
      loadNotice: messageActions.loadNotice,
    },
    account: {
      sessions: () => api.call(listSessions, {}),
      endSession: (id) => api.call(endSession, { query: id === null ? {} : { id } }),
      async unregister() {
        const userName = stateStore.get().me?.userName ?? null;
        const result = await api.call(unregister, {});
        if (result.ok) rest.onUnregistered(userName);
        return result;
      },
    },
    async restore(isOver) {
      // Read the cursors before the chats: if another tab writes in between, some rows only arrive twice.
      const cursorsRestored = [chatStore.restore(isOver), inbox.restore(isOver)];
      const [stored, lastOpen] = await Promise.all([
        database.chats(),
        database.value("lastOpen"),
        ...cursorsRestored,
        contactService.restore(isOver),
        groupService.restore(isOver),
        readPositions.restore(),
        deletions.restore(),
        outbox.restore(),
      ]);
      if (isOver()) return;
      if (stored.length === 0) eviction.markIndexed();
      const chats = stored.flatMap((value) => restoreChat(value) ?? []);
      const hasUnreadableChat = chats.length < stored.length;
      const lastOpenKey = typeof lastOpen === "string" ? parseChatKey(lastOpen)?.key : undefined;
      const lastOpenChat = chats.find((chat) => chat.key === lastOpenKey);
      const stashedDraft = draftStash.load(me());
      stateStore.batch(() => {
        chatStore.dispatch([
          { kind: "restore", chats },
          ...(stashedDraft === null ? [] : [{ kind: "draft", ...stashedDraft } as const]),
          ...(lastOpenChat === undefined
            ? []
            : [{ kind: "open", key: lastOpenChat.key, now: ports.clock.now() } as const]),
        ]);
        outbox.showLocalEchoes();
      });
      if (hasUnreadableChat) database.reportCorruption("a chat");
      else if (wasClearedMeanwhile) reloadAll(true);
      wasClearedMeanwhile = false;
      if (lastOpenChat !== undefined) await history.loadInitial(lastOpenChat.key);
    },
    start() {
      socket.start();
      eviction.start();
      // The login of the socket loads them again, because pushes from before it were missed.
      cancelSocketWait = ports.clock.after(SOCKET_LOGIN_WAIT_MS, () => {
        contactService.load();
        void groupService.reload();
      });
    },
    leave() {
      wasClearedMeanwhile = false;
      cancelSocketWait?.();
      eviction.stop();
      socket.stop();
      inbox.forget();
      chatStore.forget();
      outbox.forget();
      readPositions.forget();
      deletions.forget();
      messageActions.forget();
      contactService.stop();
      groupService.forget();
    },
    reconnectNow: () => socket.reconnectNow(),
    close() {
      cancelSocketWait?.();
      eviction.stop();
      socket.close();
      stopWatching();
      tabSync.close();
      groupService.close();
    },
  };
}
