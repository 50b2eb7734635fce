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
  dropRequest,
  endFriendship,
  ownChatRow,
  putFriend,
  putRequest,
  putUsers,
  setFriends,
  setOnline,
  setRequests,
} from "../model/contacts.ts";
import type { Incoming } from "../model/incoming.ts";
import { chatKey } from "../model/rows.ts";
import type { Contacts, Failure, Result } from "../model/state.ts";
import { type Api, fail } from "./api.ts";
import type { ContactActions } from "./client-api.ts";
import type { Desk } from "./desk.ts";
import { lateActs, type LateSource } from "./late.ts";
import type { PeopleActs } from "./people-acts.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import type { Store } from "./store.ts";

export type PersonIncoming = Extract<Incoming, { kind: "friend" | "friendGone" | "request" }>;

/** Friends, requests, who is online, and others one has met. */
export interface People extends ContactActions {
  restore(isOver: () => boolean): Promise<void>;
  /** Asks for everything once. */
  load(): void;
  /** At each login of the socket: what pushes did not tell meanwhile. */
  start(): void;
  stop(): void;
  receive(incoming: PersonIncoming): void;
  /** Learns who these people are, if nobody knows them yet. */
  meet(userIds: readonly number[]): void;
  /** Pins a friend's chat or makes it silent: at once, and back when the server refuses. */
  setSettings(userId: number, part: FriendSettings): Promise<Result<null>>;
}

export type FriendSettings =
  | Readonly<Pick<FriendVO, "isTop">>
  | { readonly msgRemind: 0 | 1; readonly isDnd: boolean };

export interface PeopleDeps {
  ports: Ports;
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
  me(): number;
  /** Whose presence is asked for beside that of friends. */
  watched(): readonly number[];
  /** The presence of these people has come. */
  onPresence(asked: ReadonlySet<number>): void;
  late: LateSource;
}

const QUIET = { quiet: true };

export function createPeople(deps: PeopleDeps): People {
  const { ports, api, store, disk, desk, me } = deps;
  let cancelPresence: (() => void) | null = null;
  let cancelLook: (() => void) | null = null;
  /** When something about a friend was last told, or done here. */
  const newsAt = new Map<number, number>();
  /** Friends in doubt who are to be asked about; the answers cancel that. */
  const doubts = new Map<number, () => void>();
  const asked = new Set<number>();
  /** Rises with every push about people: a list that was asked for before is old. */
  let version = 0;
  /** The lists could not be had when they were needed. */
  let isBehind = false;
  /** Of several answers the one that was asked for last counts. */
  let newestReload = 0;

  function change(work: (contacts: Contacts) => Contacts): void {
    const before = store.get().contacts;
    const contacts = work(before);
    if (contacts === before) return;
    store.set({ contacts });
    if (contacts.friends !== before.friends)
      disk.keep({ values: { friends: Object.values(contacts.friends) } });
  }

  /** A chat is pinned and silent as its friend is. */
  function settings(friends: readonly FriendVO[]): void {
    desk.apply(
      friends.map((friend) => ({
        kind: "settings",
        key: chatKey("PRIVATE", friend.id),
        isTop: friend.isTop,
        msgRemind: friend.msgRemind,
      })),
    );
  }

  function put(friend: FriendVO): void {
    newsAt.set(friend.id, ports.clock.now());
    store.batch(() => {
      change((contacts) => putFriend(contacts, friend));
      settings([friend]);
    });
  }

  async function reload(): Promise<Result<null>> {
    const owner = me();
    const asOf = version;
    const number = ++newestReload;
    const [friends, requests, blocked] = await Promise.all([
      api.call(listFriends, {}, QUIET),
      api.call(listFriendRequests, {}, QUIET),
      api.call(listBlacklist, {}, QUIET),
    ]);
    if (owner !== me() || number !== newestReload) return { ok: true, value: null };
    if (asOf !== version) return reload();
    store.batch(() => {
      if (friends.ok) {
        change((contacts) => setFriends(contacts, friends.value));
        settings(friends.value);
      }
      if (requests.ok) change((contacts) => setRequests(contacts, requests.value, owner));
      if (blocked.ok)
        change((contacts) => ({
          ...putUsers(contacts, blocked.value),
          blacklist: blocked.value.map((user) => user.id),
        }));
    });
    isBehind = !(friends.ok && requests.ok && blocked.ok);
    if (!friends.ok) return friends;
    return requests.ok ? { ok: true, value: null } : requests;
  }

  async function refreshPresence(): Promise<void> {
    const asked = new Set([...store.get().contacts.order, ...deps.watched()]);
    const ids = [...asked];
    const batches: number[][] = [];
    for (let i = 0; i < ids.length; i += ONLINE_QUERY_MAX) batches.push(ids.slice(i, i + ONLINE_QUERY_MAX));
    const owner = me();
    const answers = await Promise.all(
      batches.map((userIds) => api.call(findOnlineTerminals, { query: { userIds } }, QUIET)),
    );
    if (owner !== me() || answers.some((answer) => !answer.ok)) return;
    const online = answers.flatMap((answer) => (answer.ok ? answer.value : []));
    store.batch(() => {
      change((contacts) => setOnline(contacts, online));
      deps.onPresence(asked);
    });
  }

  /** Pushes may come later than answers that know more: what changes who is a friend is checked against the lists. */
  function lookAgain(): void {
    cancelLook?.();
    cancelLook = ports.clock.after(LOOK_AGAIN_MS, () => {
      cancelLook = null;
      void reload();
    });
  }

  function keepPresence(): void {
    cancelPresence?.();
    cancelPresence = ports.clock.after(PRESENCE_REFRESH_MS, () => {
      if (isBehind) void reload();
      void refreshPresence();
      keepPresence();
    });
  }

  function load(): void {
    void loadMe();
    void reload().then(() => refreshPresence());
  }

  async function loadMe(): Promise<void> {
    const [user, config] = await Promise.all([
      api.call(self, {}, QUIET),
      api.call(loadSystemConfig, {}, QUIET),
    ]);
    if (user.ok && user.value.id === me()) {
      store.set({ me: user.value });
      disk.keep({ values: { me: user.value } });
    }
    if (config.ok) store.set({ config: config.value });
  }

  /** An action of my own: shown at once, unless pushes came meanwhile; then the lists tell what holds now. */
  async function act<T>(call: Promise<Result<T>>, show: (value: T) => void): Promise<Result<T>> {
    const [owner, asOf] = [me(), version];
    const result = await call;
    if (owner !== me()) return result;
    const isStale = asOf !== version;
    version++;
    if (result.ok && !isStale) show(result.value);
    // Refused: handled elsewhere, perhaps. No answer: done, perhaps. Either way the lists here may be behind.
    if (isStale || !result.ok) void reload();
    return result;
  }

  async function gain(userId: number): Promise<void> {
    await find(userId);
    void refreshPresence();
  }

  /** One friend, as the server has it. */
  async function find(userId: number): Promise<void> {
    const [owner, asOf] = [me(), version];
    const friend = await api.call(findFriend, { params: { id: userId } }, QUIET);
    if (owner !== me()) return;
    if (asOf !== version) return void reload();
    isBehind ||= !friend.ok;
    if (!friend.ok) return;
    version++;
    put(friend.value);
  }

  /** Of pushes close to each other, or to what I have done myself, the last one need not be the newest: the server tells. */
  function findIfInDoubt(userId: number): void {
    const last = newsAt.get(userId);
    if (last === undefined || ports.clock.now() - last >= DOUBT_MS) return;
    doubts.get(userId)?.();
    const cancel = ports.clock.after(LOOK_AGAIN_MS, () => {
      doubts.delete(userId);
      void find(userId);
    });
    doubts.set(userId, cancel);
  }

  async function setSettings(userId: number, part: FriendSettings): Promise<Result<null>> {
    const { contacts, me: user } = store.get();
    const isMe = userId === user?.id;
    const before = contacts.friends[userId] ?? (isMe ? ownChatRow(user) : undefined);
    // What outlived a friendship can only be unpinned; notes to oneself can be pinned too.
    const isPin = "isTop" in part && (isMe || !part.isTop);
    if (before === undefined || (before.isDeleted && !isPin)) return fail(NOT_A_FRIEND);
    const change = (settings: FriendSettings) =>
      put({ ...(store.get().contacts.friends[userId] ?? before), ...settings });
    version++;
    change(part);
    const call =
      "isTop" in part
        ? api.call(setFriendTop, { body: { friendId: userId, isTop: part.isTop } }, QUIET)
        : api.call(setFriendMsgRemind, { body: { friendId: userId, msgRemind: part.msgRemind } }, QUIET);
    const owner = me();
    const result = await act(call, () => change(part));
    if (!result.ok && owner === me()) {
      const { isTop, msgRemind, isDnd } = before;
      change("isTop" in part ? { isTop } : { msgRemind: msgRemind === 0 ? 0 : 1, isDnd });
    }
    return result;
  }

  const acts = lateActs<PeopleActs>(deps.late, me, ACTS, ({ createPeopleActs }) =>
    createPeopleActs({ api, store, disk, me, change, put, act, gain, reload }),
  );

  return {
    reload,
    setSettings,
    ...acts,
    async restore(isOver) {
      const [stored, user] = [await disk.value("friends"), await disk.value("me")];
      if (isOver()) return;
      const friends = Array.isArray(stored) ? stored.filter(isFriend) : [];
      const known = userInfo.safeParse(user);
      store.batch(() => {
        if (known.success && known.data.id === me()) store.set({ me: known.data });
        if (friends.length > 0) store.set({ contacts: setFriends(store.get().contacts, friends) });
      });
    },
    load,
    start() {
      load();
      keepPresence();
    },
    stop() {
      cancelPresence?.();
      cancelPresence = null;
      cancelLook?.();
      cancelLook = null;
      for (const cancel of doubts.values()) cancel();
      doubts.clear();
      newsAt.clear();
      asked.clear();
    },
    receive(incoming) {
      version++;
      if (!isNewsOf(store.get().contacts, incoming)) lookAgain();
      else findIfInDoubt(incoming.friend.id);
      switch (incoming.kind) {
        case "friend":
          put(incoming.friend);
          if (incoming.requestId !== null) {
            const { requestId } = incoming;
            change((contacts) => dropRequest(contacts, requestId));
          }
          void refreshPresence();
          return;
        case "friendGone":
          return change((contacts) => endFriendship(contacts, incoming.userId));
        case "request":
          return change((contacts) => putRequest(contacts, incoming.request, me()));
        default:
          incoming satisfies never;
      }
    },
    meet(userIds) {
      const { contacts } = store.get();
      const owner = me();
      for (const id of userIds) {
        if (contacts.friends[id] || contacts.users[id] || asked.has(id) || id === me()) continue;
        asked.add(id);
        void api.call(findUser, { params: { id } }, QUIET).then((user) => {
          if (user.ok && owner === me()) change((known) => putUsers(known, [user.value]));
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

const LOOK_AGAIN_MS = 2_000;
/** News of one friend that come closer than this may have overtaken each other. */
const DOUBT_MS = 10_000;

/** A push 80 about somebody who is a friend already: another name or setting. */
function isNewsOf(
  contacts: Contacts,
  incoming: PersonIncoming,
): incoming is Extract<PersonIncoming, { kind: "friend" }> {
  return incoming.kind === "friend" && contacts.friends[incoming.friend.id]?.isDeleted === false;
}

function isFriend(value: unknown): value is FriendVO {
  return friendVO.safeParse(value).success;
}

const ACTS = {
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
