import { ChatType } from "@parley/protocol/codes";
import type { UserInfo } from "@parley/protocol/entities";
import type { LogoutReason } from "@parley/protocol/envelope";
import { createAlertSound } from "./alerts/alert-sound.ts";
import { createBroadcastService } from "./broadcast/broadcast-service.ts";
import { createWebPush } from "./alerts/web-push.ts";
import { createLazyCalls, isCallType, type LazyCalls, type LoadCalls } from "./calls/lazy-calls.ts";
import { createChatListActions } from "./chats/chat-list-actions.ts";
import { type ChatDeps, createChatStore } from "./chats/chat-store.ts";
import { createDeletions } from "./chats/deletions.ts";
import { createDraftActions } from "./chats/draft-actions.ts";
import { createDraftFiles, type DraftFiles } from "./chats/draft-files.ts";
import { createDraftStash, type DraftStash } from "./chats/draft-stash.ts";
import { createEviction, type Eviction } from "./chats/eviction.ts";
import { createFirstChats, type FirstChatsLoader } from "./chats/first-chats.ts";
import { createHistory, type History } from "./chats/history.ts";
import { createInbox, type Inbox } from "./chats/inbox.ts";
import { createMessageActions } from "./chats/message-actions.ts";
import { createOutbox, type Outbox } from "./chats/outbox.ts";
import { createExtraActs } from "./chats/extra-acts.ts";
import { createPins } from "./chats/pins.ts";
import { type ChatPrefsService, createChatPrefs } from "./chats/chat-prefs.ts";
import { createSavedMessages } from "./chats/saved-messages.ts";
import { createReactionNotices, type ReactionNotices } from "./chats/reaction-notices.ts";
import { createReadPositions } from "./chats/read-positions.ts";
import { createRecalledTexts } from "./chats/recalled-texts.ts";
import { createSendActions } from "./chats/send-actions.ts";
import { showStoredChats } from "./chats/show-stored-chats.ts";
import { createTyping, type Typing } from "./chats/typing.ts";
import { createFileUploads } from "./chats/uploads.ts";
import type { SignedInActions } from "./client-api.ts";
import type { Api } from "./connection/api.ts";
import type { ServerAddress } from "./connection/server-address.ts";
import {
  type ChatFrame,
  createSocketConnection,
  type SocketConnection,
} from "./connection/socket-connection.ts";
import { type ContactService, createContactService } from "./contacts/contact-service.ts";
import { createGroupService, type GroupService } from "./groups/group-service.ts";
import { alertsOf, shouldSound } from "./model/alerts/chat-alerts.ts";
import type { ChangedRow } from "./model/chats/chat-input.ts";
import { newChat } from "./model/chats/new-chat.ts";
import { inputsAfterReset } from "./model/chats/reset-inputs.ts";
import { readFrame } from "./model/connection/read-frame.ts";
import type { Notice } from "./notice.ts";
import type { Ports } from "./ports.ts";
import { createMessageSearch } from "./search/message-search.ts";
import { searchTermsOf } from "./search/search-terms.ts";
import { createAccountActions } from "./session/account-actions.ts";
import type { SessionEvents } from "./session-events.ts";
import { bindToSession, createScope, type Scope } from "./session-scope.ts";
import { INITIAL_STATE, type StateStore } from "./state-store.ts";
import { createLocalDatabase, type LocalDatabase } from "./storage/local-database.ts";
import { createSharedValues } from "./storage/shared-values.ts";
import { UNSENT_VALUES, type ValuesToSave } from "./storage/stored-values.ts";
import { createTabSync, type TabSync } from "./storage/tab-sync.ts";

/** Everything that lives from login to logout: chats, contacts, groups, the local database and the socket. */
export interface SignedInClient {
  readonly actions: SignedInActions;
  readonly database: LocalDatabase;
  /** Opens the local database and shows its contents. */
  restore(): Promise<void>;
  /** Connects. */
  start(): void;
  /** The person has logged out: disconnects and ends the session. */
  leave(): void;
  /** Connects at once instead of waiting. */
  reconnectNow(): void;
  checkSocket(): Promise<number | null>;
  /** The page is closed; the session continues on the next one. */
  close(): void;
}

/** What a program chooses; tests reduce the sizes, to reach the ends of pages and windows with few messages. */
export interface SignedInClientOptions {
  /** Loads the code of calls; without it this client cannot call. */
  readonly loadCalls?: LoadCalls;
  /** Number of messages in a page of history. */
  readonly pageSize?: number;
  /** Number of messages that a chat keeps in memory while it is not open. */
  readonly closedWindow?: number;
}

/** What the signed-in client gets from the assembled client. */
export interface SignedInClientDeps extends SignedInClientOptions {
  /** The session that this client lives in. */
  readonly session: Scope;
  /** The id of the person signed in. */
  readonly me: number;
  readonly databaseName: string;
  readonly ports: Ports;
  readonly stateStore: StateStore;
  readonly api: Api;
  readonly serverAddress: ServerAddress;
  readonly deviceNo: string;
  readonly clientId: string;
  accessToken(): string | null;
  ensureAccessToken(shouldRefresh: boolean): Promise<"ok" | "ended" | "failed">;
  notify(notice: Notice): void;
  /** The person has deleted their account. */
  onUnregistered(): Promise<void>;
  /** The own user info came from the server, or was changed there. */
  onOwnInfo(user: UserInfo): void;
  onEnd(reason: LogoutReason, text: string): void;
}

/** The services of one session. All are bound to it: none has an effect after its end. */
interface Services extends ChatDeps {
  readonly actions: SignedInActions;
  /** Those that hear of events. */
  readonly listeners: readonly Partial<SessionEvents>[];
  // Those that are asked by name.
  readonly draftStash: DraftStash;
  readonly outbox: Outbox;
  readonly draftFiles: DraftFiles;
  readonly history: History;
  readonly firstChats: FirstChatsLoader;
  readonly chatPrefs: ChatPrefsService;
  readonly groupService: GroupService;
  readonly contactService: ContactService;
  readonly tabSync: TabSync;
  readonly inbox: Inbox;
  readonly typing: Typing;
  readonly reactionNotices: ReactionNotices;
  readonly eviction: Eviction;
  readonly calls: LazyCalls;
  readonly socket: SocketConnection;
  /** The time before the first login of the socket. */
  readonly untilOnline: Scope;
  /** Another tab has cleared the local database while this one was reading it. */
  wasClearedWhileRestoring: boolean;
}

/** What replaces the stored people and groups after a logout. Chats stay on the device (spec §3). */
const PEOPLE_OF_NOBODY: ValuesToSave = { me: null, friends: [], groups: [] };

/** If the login of the socket takes longer, contacts and groups are loaded without waiting for it. */
const SOCKET_LOGIN_WAIT_MS = 500;

/** Creates the client of one session; it shows nothing before `restore` and connects with `start`. */
export function createSignedInClient(options: SignedInClientDeps): SignedInClient {
  const { session, databaseName } = options;
  const services = createServices(options);
  const { actions, listeners, ports, database, contactService, groupService, socket } = services;
  // A socket may survive a short loss of the network; then no login follows that would retry.
  ports.environment.onChange(() => {
    if (ports.environment.hasNetwork()) for (const listener of listeners) listener.retry?.();
  });

  function end(): void {
    services.calls.leave();
    socket.stop();
    session.end();
    void database.close();
  }

  return {
    actions,
    database,
    async restore() {
      // A person may use the first chats before the stored ones are read, which must not be replaced unread.
      const resumeWrites = database.pauseWrites();
      services.firstChats.loadEarly();
      await database.open(databaseName);
      await restore(services, resumeWrites);
    },
    start() {
      socket.start();
      for (const listener of listeners) listener.start?.();
      // The login of the socket loads them again, because pushes from before it were missed.
      const cancelWait = ports.clock.after(SOCKET_LOGIN_WAIT_MS, () => {
        contactService.load();
        void groupService.actions.reload();
      });
      services.untilOnline.onEnd(cancelWait);
    },
    leave() {
      for (const listener of listeners) listener.signedOut?.();
      database.save({ values: PEOPLE_OF_NOBODY });
      end();
    },
    reconnectNow: socket.reconnectNow,
    checkSocket: socket.check,
    close() {
      services.outbox.handOver();
      end();
    },
  };
}

function createServices(options: SignedInClientDeps): Services {
  const { session, me, serverAddress, pageSize, closedWindow } = options;
  const { ports, stateStore, api } = bindToSession(options, session);
  const notify = (notice: Notice) => session.isOver() || options.notify(notice);
  const database = createLocalDatabase({
    ports,
    searchTermsOf,
    onRefused() {
      if (stateStore.get().storage === "memory") return;
      stateStore.set({ storage: "memory" });
      notify({ kind: "storageRefused" });
    },
    onCorruption: () => reloadAfterCorruption(services),
  });
  const chatStore = createChatStore({
    stateStore,
    database,
    me,
    closedWindow,
    onRows: (rows) => afterRows(services, rows),
    onInputs(inputs) {
      pins.applied(inputs);
      reactionNotices.applied(inputs);
    },
    onPreviewNeeded: (key) => void history.loadPreview(key),
    // A person who writes while reading old messages wants to see the new message.
    onLocalEchoOutsideWindow: (key) => void history.showNewest(key),
  });
  const sharedValues = createSharedValues({ me, ports, stateStore, database });
  const deps = { me, ports, stateStore, api, database, chatStore, sharedValues };
  const draftStash = createDraftStash(ports);
  const uploads = createFileUploads({
    ...deps,
    accessToken: options.accessToken,
    ensureAccessToken: options.ensureAccessToken,
  });
  session.onEnd(uploads.stop);
  const outbox = createOutbox({ ...deps, uploads, clientId: options.clientId });
  const firstChats = createFirstChats({ ...deps, databaseName: options.databaseName });
  const groupService = createGroupService(deps);
  const contactService = createContactService({
    ...deps,
    onOwnInfo: (user) => session.isOver() || options.onOwnInfo(user),
    watchedUserIds: groupService.watchedUserIds,
    onPresence: groupService.applyPresence,
  });
  const tabSync = createTabSync({
    ...deps,
    onDraft: draftStash.remove,
    onCleared: () => reloadAfterClearing(services),
  });
  const chatPrefs = createChatPrefs({ ...deps, notify });
  const history = createHistory({
    ...deps,
    chatPrefs,
    firstChats,
    groupService,
    ...(pageSize !== undefined && { pageSize }),
  });
  const readPositions = createReadPositions({ ...deps, chatPrefs });
  const savedMessages = createSavedMessages({ ...deps, notify });
  const deletions = createDeletions({
    ...deps,
    onDeleted(ids) {
      // The server pushes nothing to the client that has acted.
      if (savedMessages.hasSome(ids)) void inbox.resync(null);
    },
  });
  const extraActs = createExtraActs({ ...deps, notify });
  const pins = createPins(deps);
  const typing = createTyping(deps);
  const reactionNotices = createReactionNotices({ ...deps, notify });
  const draftFiles = createDraftFiles({
    ...deps,
    outbox,
    history,
    tabSync,
    onNotStored() {
      // Without any storage, the person has seen another message already.
      if (stateStore.get().storage === "disk") notify({ kind: "fileNotStored" });
    },
  });
  // Other tabs hold the lock of the sound for as long as its timer runs, so the timer must outlive the session.
  const alertSound = createAlertSound(options.ports, database);
  const inbox = createInbox({
    ...deps,
    firstChats,
    onLiveRow({ key, message }) {
      typing.messageArrived(key, message.sendId);
      const chat = chatStore.chatOf(key) ?? newChat(key, chatStore.newChatContext());
      if (shouldSound(message, chat, { isLoading: false })) alertSound(key, message.id ?? 0);
    },
    onLiveRowsApplied(rows, before) {
      for (const chatAlert of alertsOf(rows, before, stateStore.get().chats)) notify(chatAlert);
    },
    onServerBehind: readPositions.report,
    onReset: (isOtherServer, isCleared) => reset(services, isOtherServer, isCleared),
  });
  const recalledTexts = createRecalledTexts(ports, me);
  const eviction = createEviction({ ...deps, broadcast: tabSync.broadcast });
  const broadcastService = createBroadcastService({
    ...deps,
    session,
    uploads,
    isOutboxSending: outbox.isSending,
    onEnded: (counts) => notify({ kind: "broadcastEnded", counts }),
  });
  const calls = createLazyCalls(options.loadCalls, {
    ...deps,
    session,
    clientId: options.clientId,
    notify,
    reconnectNow: () => socket.reconnectNow(),
    onLoadFailure: () => notify({ kind: "callsNotLoaded" }),
  });
  const socket = createSocketConnection({
    ...deps,
    serverAddress,
    deviceNo: options.deviceNo,
    clientId: options.clientId,
    accessToken: options.accessToken,
    ensureAccessToken: options.ensureAccessToken,
    onOnline: (epoch) => wentOnline(services, epoch),
    onOffline: () => wentOffline(services),
    onFrame: (frame) => applyFrame(services, frame),
    onLost: () => notify({ kind: "connectionLost" }),
    onEnd(reason, text) {
      // Tell the server while this session can still call it.
      calls.leave();
      options.onEnd(reason, text);
    },
  });
  const webPush = createWebPush({
    ...deps,
    databaseName: options.databaseName,
    endSubscription: () => options.ports.webPush.unsubscribe(),
  });
  const chatDeps = {
    ...deps,
    contactService,
    groupService,
    outbox,
    uploads,
    history,
    readPositions,
    chatPrefs,
    tabSync,
    draftStash,
    draftFiles,
    recalledTexts,
    inbox,
  };
  const services: Services = {
    ...deps,
    actions: {
      account: createAccountActions(api, options.onUnregistered),
      chats: {
        ...history.actions,
        ...createSendActions(chatDeps),
        ...outbox.actions,
        ...createDraftActions(chatDeps),
        ...draftFiles.actions,
        ...createMessageActions(chatDeps),
        ...deletions.actions,
        ...extraActs.actions,
        ...pins.actions,
        ...chatPrefs.actions,
        ...savedMessages.actions,
        ...readPositions.actions,
        ...typing.actions,
        ...createChatListActions(chatDeps),
        ...createMessageSearch(deps),
      },
      contacts: contactService.actions,
      groups: groupService.actions,
      broadcast: broadcastService.actions,
      calls: calls.actions,
      storage: eviction.actions,
      webPush: webPush.actions,
    },
    // They hear of an event in this order. The inbox comes before contacts and groups: when the socket is closed, it still applies rows, which
    // may concern people and members.
    listeners: [
      inbox,
      chatStore,
      draftFiles,
      outbox,
      contactService,
      groupService,
      sharedValues,
      eviction,
      broadcastService,
      deletions,
      extraActs,
      pins,
      chatPrefs,
      savedMessages,
      readPositions,
      typing,
      reactionNotices,
      history,
      draftStash,
      recalledTexts,
      webPush,
      calls,
    ],
    draftStash,
    outbox,
    draftFiles,
    history,
    firstChats,
    chatPrefs,
    groupService,
    contactService,
    tabSync,
    inbox,
    typing,
    reactionNotices,
    eviction,
    calls,
    socket,
    untilOnline: createScope(),
    wasClearedWhileRestoring: false,
  };
  return services;
}

async function restore(services: Services, resumeWrites: () => void): Promise<void> {
  const { database, listeners, draftFiles, history } = services;
  const restoredFirst = listeners.map((listener) => listener.restoreFirst?.());
  const [stored, lastOpen] = await Promise.all([
    database.chats(),
    database.value("lastOpen"),
    ...restoredFirst,
    ...listeners.map((listener) => listener.restore?.()),
  ]);
  if (stored.length === 0) services.eviction.markIndexed();
  const { openKey, hasUnreadable } = showStoredChats(services, stored, lastOpen);
  services.chatPrefs.adoptOldMarks(stored);
  resumeWrites();
  if (hasUnreadable) database.reportCorruption("a chat");
  else if (services.wasClearedWhileRestoring) reloadAll(services, true);
  else draftFiles.forgetUnused();
  services.wasClearedWhileRestoring = false;
  if (openKey !== null) await history.loadInitial(openKey);
}

function wentOnline({ untilOnline, listeners }: Services, epoch: string): void {
  untilOnline.end();
  for (const listener of listeners) listener.wentOnline?.(epoch);
  for (const listener of listeners) listener.retry?.();
}

function wentOffline({ listeners }: Services): void {
  for (const listener of listeners) listener.wentOffline?.();
}

function applyFrame(
  { me, ports, inbox, typing, reactionNotices, contactService, groupService, calls, socket }: Services,
  frame: ChatFrame,
) {
  if (isCallType(frame.data.type)) return calls.receive(frame.data);
  const incoming = readFrame(frame, me);
  switch (incoming.kind) {
    case "chat":
      if (incoming.told !== undefined) reactionNotices.receive(incoming.told);
      return inbox.receive(incoming);
    case "loading":
      return inbox.receive(incoming);
    case "changes":
      if (incoming.isAboutContacts) contactService.reloadPeople();
      return inbox.receive(incoming);
    case "typing":
      return typing.receive(incoming);
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
      return incoming satisfies never;
  }
}

/** Rows of the server were applied. Some confirm messages of this person. */
function afterRows({ listeners }: Services, rows: readonly ChangedRow[]): void {
  const ownTmpIds = rows.flatMap(({ message }) => (message.selfSend ? (message.tmpId ?? []) : []));
  if (ownTmpIds.length > 0) for (const listener of listeners) listener.confirm?.(ownTmpIds);
  for (const listener of listeners) listener.rowsApplied?.(rows);
}

/** Drops all stored messages, which are no longer valid. Only drafts and the outbox stay (protocol §7). */
function reset(services: Services, isOtherServer: boolean, isCleared: boolean): void {
  const { ports, stateStore, database, chatStore, listeners } = services;
  const { chats } = stateStore.get();
  stateStore.set({ chats: { ...INITIAL_STATE.chats, openKey: null } });
  if (isCleared) database.dropPendingMessages();
  else database.save({ clearMessages: true, keptValues: isOtherServer ? [] : UNSENT_VALUES });
  chatStore.dispatch(inputsAfterReset(chats, isOtherServer, ports.clock.now()), { lastOpen: chats.openKey });
  for (const listener of listeners) listener.reset?.(isOtherServer);
  if (!isOtherServer) for (const listener of listeners) listener.reapply?.();
}

function reloadAll(
  { stateStore, inbox, contactService, groupService }: Services,
  isDatabaseCleared: boolean,
): void {
  inbox.invalidate(isDatabaseCleared);
  if (stateStore.get().connection.kind === "online")
    void Promise.all([contactService.actions.reload(), groupService.actions.reload()]);
}

/** The local database was malformed: clears it, loads everything again, and tells the other tabs. */
function reloadAfterCorruption(services: Services): void {
  reloadAll(services, false);
  // Broadcast after the write that clears the database, so that later writes of other tabs stay.
  void services.database.flush().then(() => services.tabSync.broadcastCleared());
}

/** Another tab has cleared the local database. Pages that are being read now may be from before that. */
function reloadAfterClearing(services: Services): void {
  if (services.stateStore.get().session.kind === "restoring") services.wasClearedWhileRestoring = true;
  else reloadAll(services, true);
}
