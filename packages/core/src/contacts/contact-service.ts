import { loadSystemConfig } from "@parley/protocol/endpoints/account";
import {
  findFriend,
  listBlacklist,
  listFriendRequests,
  listFriends,
  setFriendMsgRemind,
  setFriendTop,
} from "@parley/protocol/endpoints/contacts";
import { findOnlineTerminals, findUser, self } from "@parley/protocol/endpoints/users";
import { type FriendVO, friendVO, userInfo } from "@parley/protocol/entities";
import { ONLINE_QUERY_MAX, PRESENCE_REFRESH_MS } from "@parley/protocol/limits";
import {
  removeRequest,
  endFriendship,
  noteToSelfEntry,
  putFriend,
  putRequest,
  putUsers,
  setFriends,
  setOnline,
  setRequests,
} from "../model/contacts/contacts-state.ts";
import type { Incoming } from "../model/connection/read-frame.ts";
import { chatKey } from "../model/chats/chat-rows.ts";
import type { Contacts, Failure, Result } from "../model/state.ts";
import { type Api, fail } from "../connection/api.ts";
import type { ContactActions } from "../client-api.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { lazyActions, type LazySource } from "../lazy-actions.ts";
import type { LazyContactActions } from "./contact-actions.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/** What pushes say about contacts. */
export type ContactIncoming = Extract<Incoming, { kind: "friend" | "friendDeleted" | "request" }>;

/** Friends, friend requests, presence, and other known users. */
export interface ContactService extends ContactActions {
  restore(): Promise<void>;
  /** Loads everything once. */
  load(): void;
  /** Called at each socket login: loads what pushes may have missed. */
  start(): void;
  stop(): void;
  receive(incoming: ContactIncoming): void;
  /** Loads those of these users who are not known yet. */
  loadUnknownUsers(userIds: readonly number[]): void;
  /** Pins or mutes a friend's chat at once, and undoes it when the server refuses. */
  setSettings(userId: number, part: FriendSettings): Promise<Result<null>>;
}

/** The settings of a friend's chat: pinned or alert level. */
export type FriendSettings =
  | Readonly<Pick<FriendVO, "isTop">>
  | { readonly msgRemind: 0 | 1; readonly isDnd: boolean };

/** What the contact service needs. */
export interface ContactServiceDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  /** The id of the person signed in. */
  me: number;
  /** Users whose presence is requested besides that of friends. */
  watchedUserIds(): readonly number[];
  /** Called when the presence of these users has been loaded. */
  onPresence(requestedIds: ReadonlySet<number>): void;
  lazy: LazySource;
}

const SILENT = { silent: true };

/** Creates the contact service; it loads nothing before `load` or `start`. */
export function createContactService(deps: ContactServiceDeps): ContactService {
  const { ports, api, stateStore, database, chatStore, me } = deps;
  let cancelPresence: (() => void) | null = null;
  let cancelRecheck: (() => void) | null = null;
  /** When a friend was last changed by a push or by an action of this client. */
  const changedAt = new Map<number, number>();
  /** By friend whose data may be stale: cancels the scheduled check. */
  const pendingChecks = new Map<number, () => void>();
  const requestedUserIds = new Set<number>();
  /** Rises with every push about contacts; a list that was requested before is outdated. */
  let version = 0;
  /** Whether the last load of the lists failed. */
  let areListsStale = false;
  /** The number of the newest reload; answers to earlier ones are dropped. */
  let newestReload = 0;

  function update(work: (contacts: Contacts) => Contacts): void {
    const before = stateStore.get().contacts;
    const contacts = work(before);
    if (contacts === before) return;
    stateStore.set({ contacts });
    if (contacts.friends !== before.friends)
      database.save({ values: { friends: Object.values(contacts.friends) } });
  }

  /** Applies the friends' settings to their chats. */
  function applyChatSettings(friends: readonly FriendVO[]): void {
    chatStore.dispatch(
      friends.map((friend) => ({
        kind: "settings",
        key: chatKey("PRIVATE", friend.id),
        isTop: friend.isTop,
        msgRemind: friend.msgRemind,
      })),
    );
  }

  function storeFriend(friend: FriendVO): void {
    changedAt.set(friend.id, ports.clock.now());
    stateStore.batch(() => {
      update((contacts) => putFriend(contacts, friend));
      applyChatSettings([friend]);
    });
  }

  async function reload(): Promise<Result<null>> {
    const versionAtStart = version;
    const number = ++newestReload;
    const [friends, requests, blocked] = await Promise.all([
      api.call(listFriends, {}, SILENT),
      api.call(listFriendRequests, {}, SILENT),
      api.call(listBlacklist, {}, SILENT),
    ]);
    if (number !== newestReload) return { ok: true, value: null };
    if (versionAtStart !== version) return reload();
    stateStore.batch(() => {
      if (friends.ok) {
        update((contacts) => setFriends(contacts, friends.value));
        applyChatSettings(friends.value);
      }
      if (requests.ok) update((contacts) => setRequests(contacts, requests.value, me));
      if (blocked.ok)
        update((contacts) => ({
          ...putUsers(contacts, blocked.value),
          blacklist: blocked.value.map((user) => user.id),
        }));
    });
    areListsStale = !(friends.ok && requests.ok && blocked.ok);
    if (!friends.ok) return friends;
    return requests.ok ? { ok: true, value: null } : requests;
  }

  async function refreshPresence(): Promise<void> {
    const requestedIds = new Set([...stateStore.get().contacts.order, ...deps.watchedUserIds()]);
    const ids = [...requestedIds];
    const batches: number[][] = [];
    for (let i = 0; i < ids.length; i += ONLINE_QUERY_MAX) batches.push(ids.slice(i, i + ONLINE_QUERY_MAX));
    const answers = await Promise.all(
      batches.map((userIds) => api.call(findOnlineTerminals, { query: { userIds } }, SILENT)),
    );
    if (answers.some((answer) => !answer.ok)) return;
    const online = answers.flatMap((answer) => (answer.ok ? answer.value : []));
    stateStore.batch(() => {
      update((contacts) => setOnline(contacts, online));
      deps.onPresence(requestedIds);
    });
  }

  /** Schedules a reload of the lists, because a push that changes the set of friends may be older than an answer. */
  function recheckLists(): void {
    cancelRecheck?.();
    cancelRecheck = ports.clock.after(RECHECK_MS, () => {
      cancelRecheck = null;
      void reload();
    });
  }

  function schedulePresence(): void {
    cancelPresence?.();
    cancelPresence = ports.clock.after(PRESENCE_REFRESH_MS, () => {
      if (areListsStale) void reload();
      void refreshPresence();
      schedulePresence();
    });
  }

  function load(): void {
    void loadMe();
    void reload().then(() => refreshPresence());
  }

  async function loadMe(): Promise<void> {
    const [user, config] = await Promise.all([
      api.call(self, {}, SILENT),
      api.call(loadSystemConfig, {}, SILENT),
    ]);
    if (user.ok && user.value.id === me) {
      stateStore.set({ me: user.value });
      database.save({ values: { me: user.value } });
    }
    if (config.ok) stateStore.set({ config: config.value });
  }

  /** Applies an action of this client when it is answered; if pushes arrived meanwhile, reloads the lists instead. */
  async function perform<T>(call: Promise<Result<T>>, applyLocally: (value: T) => void): Promise<Result<T>> {
    const versionAtStart = version;
    const result = await call;
    const isStale = versionAtStart !== version;
    version++;
    if (result.ok && !isStale) applyLocally(result.value);
    // A refused action may have been handled on another device, an unanswered one may have been done: the lists may be stale.
    if (isStale || !result.ok) void reload();
    return result;
  }

  async function loadNewFriend(userId: number): Promise<void> {
    await refetchFriend(userId);
    void refreshPresence();
  }

  /** Loads one friend from the server. */
  async function refetchFriend(userId: number): Promise<void> {
    const versionAtStart = version;
    const friend = await api.call(findFriend, { params: { id: userId } }, SILENT);
    if (versionAtStart !== version) return void reload();
    areListsStale ||= !friend.ok;
    if (!friend.ok) return;
    version++;
    storeFriend(friend.value);
  }

  /** Verifies a friend when pushes, or a push and an action of this client, are close together and may be in the wrong order. */
  function recheckIfRecent(userId: number): void {
    const last = changedAt.get(userId);
    if (last === undefined || ports.clock.now() - last >= RECENT_MS) return;
    pendingChecks.get(userId)?.();
    const cancel = ports.clock.after(RECHECK_MS, () => {
      pendingChecks.delete(userId);
      void refetchFriend(userId);
    });
    pendingChecks.set(userId, cancel);
  }

  async function setSettings(userId: number, part: FriendSettings): Promise<Result<null>> {
    const { contacts, me: user } = stateStore.get();
    const isMe = userId === user?.id;
    const before = contacts.friends[userId] ?? (isMe ? noteToSelfEntry(user) : undefined);
    // The chat with a former friend can only be unpinned; the chat with oneself can also be pinned.
    const isPin = "isTop" in part && (isMe || !part.isTop);
    if (before === undefined || (before.isDeleted && !isPin)) return fail(NOT_A_FRIEND);
    const applySettings = (settings: FriendSettings) =>
      storeFriend({ ...(stateStore.get().contacts.friends[userId] ?? before), ...settings });
    version++;
    applySettings(part);
    const call =
      "isTop" in part
        ? api.call(setFriendTop, { body: { friendId: userId, isTop: part.isTop } }, SILENT)
        : api.call(setFriendMsgRemind, { body: { friendId: userId, msgRemind: part.msgRemind } }, SILENT);
    const result = await perform(call, () => applySettings(part));
    if (!result.ok) {
      const { isTop, msgRemind, isDnd } = before;
      applySettings("isTop" in part ? { isTop } : { msgRemind: msgRemind === 0 ? 0 : 1, isDnd });
    }
    return result;
  }

  const actions = lazyActions<LazyContactActions>(deps.lazy, LAZY_ACTION_NAMES, ({ createContactActions }) =>
    createContactActions({
      api,
      stateStore,
      database,
      me,
      update,
      storeFriend,
      perform,
      loadNewFriend,
      reload,
    }),
  );

  return {
    reload,
    setSettings,
    ...actions,
    async restore() {
      const [stored, user] = [await database.value("friends"), await database.value("me")];
      const friends = Array.isArray(stored) ? stored.filter(isFriend) : [];
      const storedUser = userInfo.safeParse(user);
      stateStore.batch(() => {
        if (storedUser.success && storedUser.data.id === me) stateStore.set({ me: storedUser.data });
        if (friends.length > 0) stateStore.set({ contacts: setFriends(stateStore.get().contacts, friends) });
      });
    },
    load,
    start() {
      load();
      schedulePresence();
    },
    stop() {
      cancelPresence?.();
      cancelPresence = null;
      cancelRecheck?.();
      cancelRecheck = null;
      for (const cancel of pendingChecks.values()) cancel();
      pendingChecks.clear();
      changedAt.clear();
      requestedUserIds.clear();
    },
    receive(incoming) {
      version++;
      if (!isKnownFriendUpdate(stateStore.get().contacts, incoming)) recheckLists();
      else recheckIfRecent(incoming.friend.id);
      switch (incoming.kind) {
        case "friend":
          storeFriend(incoming.friend);
          if (incoming.requestId !== null) {
            const { requestId } = incoming;
            update((contacts) => removeRequest(contacts, requestId));
          }
          void refreshPresence();
          return;
        case "friendDeleted":
          return update((contacts) => endFriendship(contacts, incoming.userId));
        case "request":
          return update((contacts) => putRequest(contacts, incoming.request, me));
        default:
          incoming satisfies never;
      }
    },
    loadUnknownUsers(userIds) {
      const { contacts } = stateStore.get();
      for (const id of userIds) {
        if (contacts.friends[id] || contacts.users[id] || requestedUserIds.has(id) || id === me) continue;
        requestedUserIds.add(id);
        void api.call(findUser, { params: { id } }, SILENT).then((user) => {
          if (user.ok) update((current) => putUsers(current, [user.value]));
        });
      }
    },
  };
}

const NOT_A_FRIEND: Failure = {
  kind: "refused",
  code: 0,
  key: "friend.notFriend",
  params: {},
  message: "",
};

const RECHECK_MS = 2_000;
/** Pushes about one friend that are closer together than this may be in the wrong order. */
const RECENT_MS = 10_000;

/** Whether this is a push 80 about an existing friend: a new name or setting. */
function isKnownFriendUpdate(
  contacts: Contacts,
  incoming: ContactIncoming,
): incoming is Extract<ContactIncoming, { kind: "friend" }> {
  return incoming.kind === "friend" && contacts.friends[incoming.friend.id]?.isDeleted === false;
}

function isFriend(value: unknown): value is FriendVO {
  return friendVO.safeParse(value).success;
}

const LAZY_ACTION_NAMES = {
  search: true,
  loadUser: true,
  apply: true,
  approve: true,
  reject: true,
  recall: true,
  remove: true,
  setRemark: true,
  block: true,
  unblock: true,
  setManualApprove: true,
} as const;
