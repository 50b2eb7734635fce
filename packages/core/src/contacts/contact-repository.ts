import {
  findFriend,
  listBlacklist,
  listFriendRequests,
  listFriends,
} from "@parley/protocol/endpoints/contacts";
import { type FriendVO, friendVO } from "@parley/protocol/entities";
import { putFriend, setBlacklist, setFriends, setRequests } from "../model/contacts/contacts-state.ts";
import type { ChatInput } from "../model/chats/chat-input.ts";
import { chatKey } from "../model/chats/chat-rows.ts";
import type { Contacts, Result } from "../model/state.ts";
import { DONE, SILENT, type Api } from "../connection/api.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import { createSyncedList } from "../connection/synced-list.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/** Friends, requests and blocked users: saved in the local database, and loaded again where a push and an answer may contradict each other. */
export interface ContactRepository {
  update(work: (contacts: Contacts) => Contacts): void;
  /** Stores a friend in its current form and applies its settings to the chat. */
  putFriend(friend: FriendVO): void;
  /** A push or an action of this client has changed the contacts, so that lists that were requested before are outdated. */
  markChanged(): void;
  /** Loads all lists. */
  reload(): Promise<Result<null>>;
  /** Loads all lists if that failed the last time. */
  reloadIfStale(): void;
  /** Loads all lists a moment later, because a push that changes the set of friends may be older than an answer. */
  recheckLists(): void;
  /** Loads one friend from the server. */
  refetchFriend(userId: number): Promise<void>;
  /** Verifies a friend when pushes, or a push and an action of this client, are close together and may be in the wrong order. */
  recheckIfRecent(userId: number): void;
  /** Applies an action of this client when it is answered; if pushes arrived before the answer, reloads the lists instead. */
  perform<T>(call: Promise<Result<T>>, applyLocally: (value: T) => void): Promise<Result<T>>;
  restore(): Promise<void>;
  stop(): void;
}

/** What the contact repository needs. */
export interface ContactRepositoryDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  /** The id of the person signed in. */
  me: number;
}

const RECHECK_MS = 2_000;
/** Pushes about one friend that are closer together than this may be in the wrong order. */
const RECENT_MS = 10_000;

/** Creates the repository; `restore` reads what the local database holds. */
export function createContactRepository(deps: ContactRepositoryDeps): ContactRepository {
  const { ports, api, stateStore, database, chatStore, me } = deps;
  /** When a friend was last changed by a push or by an action of this client. */
  const changedAt = new Map<number, number>();
  /** Of one friend, or of all lists. */
  const rechecks = createKeyedTimers<number | "lists">(ports.clock);
  /** Whether the last load of the lists failed. */
  let areListsStale = false;
  const lists = createSyncedList(loadLists, applyLists);
  const { reload, markChanged } = lists;

  function update(work: (contacts: Contacts) => Contacts): void {
    const before = stateStore.get().contacts;
    const contacts = work(before);
    if (contacts === before) return;
    stateStore.set({ contacts });
    if (contacts.friends !== before.friends)
      database.save({ values: { friends: Object.values(contacts.friends) } });
  }

  function storeFriend(friend: FriendVO): void {
    changedAt.set(friend.id, ports.clock.now());
    stateStore.batch(() => {
      update((contacts) => putFriend(contacts, friend));
      chatStore.dispatch(chatSettingsOf([friend]));
    });
  }

  function loadLists() {
    return Promise.all([
      api.call(listFriends, {}, SILENT),
      api.call(listFriendRequests, {}, SILENT),
      api.call(listBlacklist, {}, SILENT),
    ]);
  }

  function applyLists([friends, requests, blocked]: Awaited<ReturnType<typeof loadLists>>): Result<null> {
    stateStore.batch(() => {
      if (friends.ok) {
        update((contacts) => setFriends(contacts, friends.value));
        chatStore.dispatch(chatSettingsOf(friends.value));
      }
      if (requests.ok) update((contacts) => setRequests(contacts, requests.value, me));
      if (blocked.ok) update((contacts) => setBlacklist(contacts, blocked.value));
    });
    areListsStale = !(friends.ok && requests.ok && blocked.ok);
    if (!friends.ok) return friends;
    return requests.ok ? DONE : requests;
  }

  async function refetchFriend(userId: number): Promise<void> {
    const hasChanged = lists.watchChanges();
    const friend = await api.call(findFriend, { params: { id: userId } }, SILENT);
    if (hasChanged()) return void reload();
    areListsStale ||= !friend.ok;
    if (!friend.ok) return;
    markChanged();
    storeFriend(friend.value);
  }

  return {
    update,
    putFriend: storeFriend,
    markChanged,
    reload,
    reloadIfStale() {
      if (areListsStale) void reload();
    },
    recheckLists: () => rechecks.set("lists", RECHECK_MS, () => void reload()),
    refetchFriend,
    recheckIfRecent(userId) {
      const last = changedAt.get(userId);
      if (last === undefined || ports.clock.now() - last >= RECENT_MS) return;
      rechecks.set(userId, RECHECK_MS, () => void refetchFriend(userId));
    },
    async perform(call, applyLocally) {
      const hasChanged = lists.watchChanges();
      const result = await call;
      const isStale = hasChanged();
      markChanged();
      if (result.ok && !isStale) applyLocally(result.value);
      // A refused action may have been handled on another device, an unanswered one may have been done: the lists may be stale.
      if (isStale || !result.ok) void reload();
      return result;
    },
    async restore() {
      const stored = await database.value("friends");
      const friends = Array.isArray(stored) ? stored.filter(isFriend) : [];
      if (friends.length > 0) stateStore.set({ contacts: setFriends(stateStore.get().contacts, friends) });
    },
    stop() {
      rechecks.cancelAll();
      changedAt.clear();
    },
  };
}

/** The inputs that apply the friends' settings to their chats. */
function chatSettingsOf(friends: readonly FriendVO[]): ChatInput[] {
  return friends.map(({ id, isTop, msgRemind }) => ({
    kind: "settings",
    key: chatKey("PRIVATE", id),
    isTop,
    msgRemind,
  }));
}

function isFriend(value: unknown): value is FriendVO {
  return friendVO.safeParse(value).success;
}
