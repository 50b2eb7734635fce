import type { CallActions } from "./call-actions.ts";
import { ChatType } from "@parley/protocol/codes";
import type { UserInfo } from "@parley/protocol/entities";
import type { LogoutReason } from "@parley/protocol/envelope";
import { createAlertSound } from "./alerts/alert-sound.ts";
import { type BroadcastService, createBroadcastService } from "./broadcast/broadcast-service.ts";
import { createWebPush, type WebPushActions, type WebPushService } from "./alerts/web-push.ts";
import { createLazyCalls, isCallType, type LazyCalls, type LoadCalls } from "./calls/lazy-calls.ts";
import { createChatActions } from "./chats/chat-actions.ts";
import { type ChatDeps, createChatStore } from "./chats/chat-store.ts";
import { createDeletions, type Deletions } from "./chats/deletions.ts";
import { createDraftFiles, type DraftFiles } from "./chats/draft-files.ts";
import { createDraftStash, type DraftStash } from "./chats/draft-stash.ts";
import { createEviction, type Eviction } from "./chats/eviction.ts";
import { createFirstChats, type FirstChatsLoader } from "./chats/first-chats.ts";
import { createHistory, type History } from "./chats/history.ts";
import { createInbox, type Inbox } from "./chats/inbox.ts";
import { createMessageActions, type MessageActions } from "./chats/message-actions.ts";
import { createOutbox, type Outbox } from "./chats/outbox.ts";
import { createPlayedVoices, type PlayedVoices } from "./chats/played-voices.ts";
import { createReadPositions, type ReadPositions } from "./chats/read-positions.ts";
import { showStoredChats } from "./chats/show-stored-chats.ts";
import { createFileUploads, type FileUploads } from "./chats/uploads.ts";
import type {
  BroadcastActions,
  ChatActions,
  ContactActions,
  GroupActions,
  Notice,
  StorageActions,
} from "./client-api.ts";
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
import { parseChatKey } from "./model/chats/chat-rows.ts";
import { newChat } from "./model/chats/new-chat.ts";
import { inputsAfterReset } from "./model/chats/reset-inputs.ts";
import { readFrame } from "./model/connection/read-frame.ts";
import { isMuteTip } from "./model/groups/groups-state.ts";
import type { ChatKey } from "./model/state.ts";
import type { Ports } from "./ports.ts";
import { createMessageSearch, type MessageSearch } from "./search/message-search.ts";
import { searchTermsOf } from "./search/search-terms.ts";
import { type AccountActions, createAccountActions } from "./session/account-actions.ts";
import { bindToSession, createScope, type Scope } from "./session-scope.ts";
import { INITIAL_STATE, type StateStore } from "./state-store.ts";
import { createLocalDatabase, type LocalDatabase } from "./storage/local-database.ts";
import { UNSENT_VALUES, type ValuesToSave } from "./storage/stored-values.ts";
import { createTabSync, type TabSync } from "./storage/tab-sync.ts";

/** Everything that lives from login to logout: chats, contacts, groups, the local database and the socket. */
export interface SignedInClient {
  readonly chats: ChatActions;
  readonly contacts: ContactActions;
  readonly groups: GroupActions;
  readonly broadcast: BroadcastActions;
  readonly calls: CallActions;
  readonly storage: StorageActions;
  readonly webPush: WebPushActions;
  readonly account: AccountActions;
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
  readonly draftStash: DraftStash;
  readonly uploads: FileUploads;
  readonly outbox: Outbox;
  readonly draftFiles: DraftFiles;
  readonly playedVoices: PlayedVoices;
  readonly history: History;
  readonly firstChats: FirstChatsLoader;
  readonly readPositions: ReadPositions;
  readonly deletions: Deletions;
  readonly groupService: GroupService;
  readonly contactService: ContactService;
  readonly tabSync: TabSync;
  readonly inbox: Inbox;
  readonly messageActions: MessageActions;
  readonly messageSearch: MessageSearch;
  readonly eviction: Eviction;
  readonly broadcastService: BroadcastService;
  readonly calls: LazyCalls;
  readonly socket: SocketConnection;
  readonly webPush: WebPushService;
  /** The time before the first login of the socket. */
  readonly untilOnline: Scope;
  /** Another tab has cleared the local database while this one was reading it. */
  wasClearedWhileRestoring: boolean;
}

/** What replaces the stored people and groups after a logout. Chats stay on the device (spec §3). */
const PEOPLE_OF_NOBODY: ValuesToSave = { me: null, friends: [], groups: [], readNotices: {} };

/** If the login of the socket takes longer, contacts and groups are loaded without waiting for it. */
const SOCKET_LOGIN_WAIT_MS = 500;

/** Creates the client of one session; it shows nothing before `restore` and connects with `start`. */
export function createSignedInClient(options: SignedInClientDeps): SignedInClient {
  const { session, databaseName } = options;
  const services = createServices(options);
  const { ports, api, database, contactService, groupService, socket } = services;
  // A socket may survive a short loss of the network; then no login follows that would retry.
  ports.environment.onChange(() => {
    if (ports.environment.hasNetwork()) retryAll(services);
  });

  function end(): void {
    services.calls.leave();
    socket.stop();
    session.end();
    void database.close();
  }

  return {
    chats: createChatActions(services),
    contacts: contactService,
    groups: groupService,
    broadcast: services.broadcastService,
    calls: services.calls.actions,
    storage: services.eviction,
    webPush: services.webPush,
    account: createAccountActions(api, options.onUnregistered),
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
      services.eviction.start();
      services.broadcastService.start();
      // The login of the socket loads them again, because pushes from before it were missed.
      const cancelWait = ports.clock.after(SOCKET_LOGIN_WAIT_MS, () => {
        contactService.load();
        void groupService.reload();
      });
      services.untilOnline.onEnd(cancelWait);
    },
    leave() {
      services.draftStash.close();
      services.messageActions.forget();
      database.save({ values: PEOPLE_OF_NOBODY });
      services.webPush.leave();
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
    onPreviewNeeded: (key) => void history.loadPreview(key),
    // A person who writes while reading old messages wants to see the new message.
    onLocalEchoOutsideWindow: (key) => void history.showNewest(key),
  });
  const deps = { me, ports, stateStore, api, database, chatStore };
  const draftStash = createDraftStash(ports);
  const uploads = createFileUploads({
    ...deps,
    accessToken: options.accessToken,
    ensureAccessToken: options.ensureAccessToken,
  });
  session.onEnd(uploads.stop);
  const outbox = createOutbox({ ...deps, uploads, clientId: options.clientId });
  const history = createHistory({ ...deps, ...(pageSize !== undefined && { pageSize }) });
  const firstChats = createFirstChats({ ...deps, databaseName: options.databaseName });
  const readPositions = createReadPositions(deps);
  const deletions = createDeletions(deps);
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
  const draftFiles = createDraftFiles({
    ...deps,
    outbox,
    tabSync,
    onNotStored() {
      // Without any storage, the person has seen another message already.
      if (stateStore.get().storage === "disk") notify({ kind: "fileNotStored" });
    },
  });
  const playedVoices = createPlayedVoices(deps);
  // Other tabs hold the lock of the sound for as long as its timer runs, so the timer must outlive the session.
  const alertSound = createAlertSound(options.ports, database);
  const inbox = createInbox({
    ...deps,
    firstChats,
    onLiveRow({ key, message }) {
      const chat = chatStore.chatOf(key) ?? newChat(key, chatStore.newChatContext());
      if (shouldSound(message, chat, { isLoading: false })) alertSound(key, message.id ?? 0);
    },
    onLiveRowsApplied(rows, before) {
      for (const chatAlert of alertsOf(rows, before, stateStore.get().chats)) notify(chatAlert);
    },
    onServerBehind: readPositions.report,
    onReset: (isOtherServer, isCleared) => reset(services, isOtherServer, isCleared),
  });
  const { pauseCursor, resync } = inbox;
  const messageActions = createMessageActions({ ...deps, outbox, pauseCursor, resync });
  const messageSearch = createMessageSearch(deps);
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
  const services: Services = {
    ...deps,
    draftStash,
    uploads,
    outbox,
    draftFiles,
    playedVoices,
    history,
    firstChats,
    readPositions,
    deletions,
    groupService,
    contactService,
    tabSync,
    inbox,
    messageActions,
    messageSearch,
    eviction,
    broadcastService,
    calls,
    socket,
    webPush,
    untilOnline: createScope(),
    wasClearedWhileRestoring: false,
  };
  return services;
}

async function restore(services: Services, resumeWrites: () => void): Promise<void> {
  const { database, chatStore, inbox, contactService, groupService, history } = services;
  // Read the cursors before the chats: if another tab writes in between, some rows only arrive twice.
  const cursorsRestored = [inbox.restore(), chatStore.restore(), services.draftFiles.restore()];
  const [stored, lastOpen] = await Promise.all([
    database.chats(),
    database.value("lastOpen"),
    ...cursorsRestored,
    contactService.restore(),
    groupService.restore(),
    services.readPositions.restore(),
    services.deletions.restore(),
    services.outbox.restore(),
    services.playedVoices.restore(),
    services.broadcastService.restore(),
  ]);
  if (stored.length === 0) services.eviction.markIndexed();
  const { openKey, hasUnreadable } = showStoredChats(services, stored, lastOpen);
  resumeWrites();
  if (hasUnreadable) database.reportCorruption("a chat");
  else if (services.wasClearedWhileRestoring) reloadAll(services, true);
  else services.draftFiles.forgetUnused();
  services.wasClearedWhileRestoring = false;
  if (openKey !== null) await history.loadInitial(openKey);
}

function wentOnline(services: Services, epoch: string): void {
  services.untilOnline.end();
  services.inbox.start(epoch);
  services.contactService.start();
  services.groupService.start();
  services.webPush.retry();
  services.calls.wentOnline();
  retryAll(services);
}

function wentOffline({ inbox, contactService, groupService, calls }: Services): void {
  calls.wentOffline();
  inbox.stop();
  contactService.stop();
  groupService.stop();
}

/** Retries everything that could not be sent or loaded. */
function retryAll({ stateStore, inbox, outbox, readPositions, deletions, history }: Services): void {
  inbox.retry();
  outbox.retry();
  readPositions.retry();
  deletions.retry();
  // Chats whose newest message was deleted show the message before it.
  for (const chat of Object.values(stateStore.get().chats.byKey))
    if (chat.sync.needsPreview) void history.loadPreview(chat.key);
}

function applyFrame(
  { me, ports, inbox, contactService, groupService, calls, socket }: Services,
  frame: ChatFrame,
) {
  if (isCallType(frame.data.type)) return calls.receive(frame.data);
  const incoming = readFrame(frame, me);
  switch (incoming.kind) {
    case "chat":
    case "loading":
      return inbox.receive(incoming);
    case "changes":
      if (incoming.isAboutContacts) contactService.reloadPeople();
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
      return incoming satisfies never;
  }
}

/** The server's rows were applied: some confirm own messages, some change members, and some are from unknown people. */
function afterRows(
  { stateStore, outbox, broadcastService, contactService, groupService }: Services,
  rows: readonly ChangedRow[],
) {
  const ownTmpIds: string[] = [];
  const keys = new Set<ChatKey>();
  for (const { key, message } of rows) {
    keys.add(key);
    if (message.selfSend && message.tmpId !== null) ownTmpIds.push(message.tmpId);
    const target = isMuteTip(message.tip) ? parseChatKey(key) : null;
    if (target?.type === ChatType.GROUP) groupService.markMembersStale(target.targetId);
  }
  if (ownTmpIds.length > 0) {
    outbox.confirm(ownTmpIds);
    broadcastService.confirm(ownTmpIds);
  }
  if (!stateStore.get().contacts.isLoaded) return;
  const chats = [...keys].flatMap((key) => parseChatKey(key) ?? []);
  contactService.loadUnknownUsers(
    chats.filter(({ type }) => type === ChatType.PRIVATE).map(({ targetId }) => targetId),
  );
}

/** Drops all stored messages, which are no longer valid. Only drafts and the outbox stay (protocol §7). */
function reset(services: Services, isOtherServer: boolean, isCleared: boolean): void {
  const { ports, stateStore, database, chatStore, outbox, groupService } = services;
  const { chats } = stateStore.get();
  stateStore.set({ chats: { ...INITIAL_STATE.chats, openKey: null } });
  if (isCleared) database.dropPendingMessages();
  else database.save({ clearMessages: true, keptValues: isOtherServer ? [] : UNSENT_VALUES });
  chatStore.dispatch(inputsAfterReset(chats, isOtherServer, ports.clock.now()), { lastOpen: chats.openKey });
  outbox.reset(isOtherServer);
  groupService.reset();
  services.playedVoices.reset(isOtherServer);
  services.broadcastService.reset(isOtherServer);
  if (!isOtherServer) {
    services.deletions.saveAll();
    services.readPositions.saveAll();
    services.deletions.reapply();
    services.readPositions.reapply();
    return;
  }
  // Ids belong to other messages in another database.
  services.deletions.drop();
  services.readPositions.drop();
  services.messageActions.forget();
}

function reloadAll(
  { stateStore, inbox, contactService, groupService }: Services,
  isDatabaseCleared: boolean,
): void {
  inbox.invalidate(isDatabaseCleared);
  if (stateStore.get().connection.kind === "online")
    void Promise.all([contactService.reload(), groupService.reload()]);
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
