import { ChatType } from "@parley/protocol/codes";
import { findGroup, listGroupRequests, listGroups } from "@parley/protocol/endpoints/groups";
import { type GroupCard, type GroupRequestVO, type GroupVO, groupVO } from "@parley/protocol/entities";
import { PRESENCE_REFRESH_MS } from "@parley/protocol/limits";
import {
  dropGroupRequest,
  isIn,
  leads,
  putGroup,
  putGroupRequest,
  setGroupRequests,
  setGroups,
} from "../model/groups.ts";
import { chatKey } from "../model/rows.ts";
import type { Groups, Result } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { Desk } from "./desk.ts";
import { isRecord } from "./keep.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import type { Store } from "./store.ts";

/** What is known of groups and requests: kept on disk, asked anew where pushes may have told more, or less, than an answer. */
export interface GroupBook {
  change(work: (groups: Groups) => Groups): void;
  get(id: number): GroupVO | undefined;
  /** A group as it now stands; its chat is pinned and silent as it says. */
  put(group: GroupVO): void;
  patch(id: number, part: Partial<GroupVO>): void;
  putRequest(request: GroupRequestVO): void;
  dropRequest(requestId: number): void;
  /** A moment, for `isSince`. */
  now(): number;
  /** Something happens to this group: answers that were asked for before are old. `isTold`: all of it is known, since the server told it. */
  note(id: number, isTold?: boolean): void;
  isSince(id: number, moment: number): boolean;
  /** I have done something to this group over this connection: a push may be older than what I was answered. */
  hasActed(id: number): boolean;
  /** All groups and requests: two calls. */
  reload(): Promise<Result<null>>;
  reloadRequests(): Promise<Result<null>>;
  /** One group, from the server. */
  find(id: number): Promise<void>;
  restore(isOver: () => boolean): Promise<void>;
  stop(): void;
}

export interface GroupBookDeps {
  ports: Ports;
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
  me(): number;
}

const QUIET = { quiet: true };
const DONE = { ok: true, value: null } as const;

export function createGroupBook({ ports, api, store, disk, desk, me }: GroupBookDeps): GroupBook {
  let version = 0;
  /** By group: the version of its last news, and of the last that told all of it. */
  const notedAt = new Map<number, number>();
  const toldAt = new Map<number, number>();
  const acted = new Set<number>();
  let requestsAt = 0;
  /** Requests I have answered over this connection: the push that tells of one may come behind my answer. */
  const answered = new Set<number>();
  /** Of several answers the one that was asked for last counts, be it of all groups or of one. */
  let asks = 0;
  let newestList = 0;
  let listedAt = 0;
  const foundAt = new Map<number, number>();
  let newestRequests = 0;
  let cancelRetry: (() => void) | null = null;

  const isSince = (id: number, moment: number) => (notedAt.get(id) ?? 0) > moment;
  const isToldSince = (id: number, moment: number) => (toldAt.get(id) ?? 0) > moment;

  function change(work: (groups: Groups) => Groups): void {
    const before = store.get().groups;
    const groups = work(before);
    if (groups === before) return;
    store.set({ groups });
    if (groups.byId === before.byId) return;
    disk.keep({ values: { groups: Object.values(groups.byId) } });
    // Whoever is out is told of nothing: what was taken back meanwhile still stands here as it was.
    const back = Object.values(groups.byId).filter((group) => isBack(group, before.byId[group.id]));
    for (const { id } of back) desk.apply([{ kind: "renew", key: chatKey(ChatType.GROUP, id) }]);
  }

  function settings(groups: readonly GroupVO[]): void {
    desk.apply(
      groups.map(({ id, isTop, msgRemind }) => ({
        kind: "settings",
        key: chatKey(ChatType.GROUP, id),
        isTop,
        msgRemind,
      })),
    );
  }

  function put(group: GroupVO): void {
    const known = store.get().groups.byId[group.id];
    store.batch(() => {
      change((groups) => putGroup(groups, group));
      settings([group]);
    });
    // Who begins or ends to lead a group sees other requests.
    if (leads(known) !== leads(group)) void reloadRequests();
  }

  /** The lists could not be had: asked for again after a while. */
  function fallBehind(): void {
    if (store.get().connection.kind !== "online") return;
    cancelRetry ??= ports.clock.after(PRESENCE_REFRESH_MS, () => {
      cancelRetry = null;
      void reload();
    });
  }

  async function reloadGroups(): Promise<Result<null>> {
    const [owner, asOf, number] = [me(), version, ++asks];
    newestList = number;
    const list = await api.call(listGroups, {}, QUIET);
    if (owner !== me() || number !== newestList) return DONE;
    if (!list.ok) return list;
    // What has happened to a group meanwhile is not in the answer, or not yet.
    const { byId } = store.get().groups;
    for (const id of notedAt.keys()) if (isSince(id, asOf) && !isToldSince(id, asOf)) void find(id);
    const listed = new Set(list.value.map((group) => group.id));
    const late = Object.values(byId).filter(({ id }) => !listed.has(id) && isSince(id, asOf));
    const isOld = (id: number) => isSince(id, asOf) || (foundAt.get(id) ?? 0) > number;
    const groups = list.value.map((group) => (isOld(group.id) ? (byId[group.id] ?? group) : group));
    listedAt = number;
    store.batch(() => {
      change((known) => setGroups(known, [...groups, ...late]));
      settings(groups);
    });
    return DONE;
  }

  async function reloadRequests(): Promise<Result<null>> {
    const [owner, asOf, number] = [me(), requestsAt, ++newestRequests];
    const requests = await api.call(listGroupRequests, {}, QUIET);
    if (owner !== me() || number !== newestRequests) return DONE;
    if (!requests.ok) {
      fallBehind();
      return requests;
    }
    if (asOf !== requestsAt) return reloadRequests();
    change((groups) => setGroupRequests(groups, requests.value, owner));
    return DONE;
  }

  async function reload(): Promise<Result<null>> {
    const groups = await reloadGroups();
    if (!groups.ok) fallBehind();
    // Behind the groups: which requests there are goes by what I lead.
    const requests = await reloadRequests();
    return groups.ok ? requests : groups;
  }

  async function find(id: number): Promise<void> {
    const [owner, asOf, number] = [me(), version, ++asks];
    const answer = await api.call(findGroup, { params: { id } }, QUIET);
    if (owner !== me() || isToldSince(id, asOf)) return;
    if (isSince(id, asOf)) return find(id);
    if (!answer.ok) return fallBehind();
    if (number < Math.max(listedAt, foundAt.get(id) ?? 0) || !isWhole(answer.value)) return;
    foundAt.set(id, number);
    put(answer.value);
  }

  return {
    change,
    get: (id) => store.get().groups.byId[id],
    put,
    patch(id, part) {
      const group = store.get().groups.byId[id];
      if (group !== undefined) put({ ...group, ...part });
    },
    putRequest(request) {
      if (answered.has(request.id)) return;
      requestsAt++;
      change((groups) => putGroupRequest(groups, request, me()));
    },
    dropRequest(requestId) {
      requestsAt++;
      answered.add(requestId);
      change((groups) => dropGroupRequest(groups, requestId));
    },
    now: () => version,
    note(id, isTold = false) {
      notedAt.set(id, ++version);
      if (isTold) toldAt.set(id, version);
      else acted.add(id);
    },
    isSince,
    hasActed: (id) => acted.has(id),
    reload,
    reloadRequests,
    find,
    async restore(isOver) {
      const stored = await disk.value("groups");
      const groups = Array.isArray(stored) ? stored.filter(isGroup) : [];
      const notices = await disk.value("readNotices");
      if (isOver()) return;
      store.batch(() => {
        if (isRecord(notices)) change((known) => ({ ...known, readNotices: readTexts(notices) }));
        if (groups.length > 0) store.set({ groups: setGroups(store.get().groups, groups) });
      });
    },
    stop() {
      cancelRetry?.();
      cancelRetry = null;
      acted.clear();
      answered.clear();
    },
  };
}

/** In again, whether or not this device has heard that I was out meanwhile. */
function isBack(group: GroupVO, before: GroupVO | undefined): boolean {
  if (before === undefined || !isIn(group)) return false;
  return before.quit || (before.stayFrom !== undefined && group.stayFrom !== before.stayFrom);
}

/** A member is told all of a group, somebody else its card. */
export function isWhole(group: GroupVO | GroupCard): group is GroupVO {
  return "role" in group;
}

function isGroup(value: unknown): value is GroupVO {
  return groupVO.safeParse(value).success;
}

function readTexts(value: Record<string, unknown>): Record<number, string> {
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}
