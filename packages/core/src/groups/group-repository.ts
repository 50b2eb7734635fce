import { ChatType } from "@parley/protocol/codes";
import { findGroup, listGroupRequests, listGroups } from "@parley/protocol/endpoints/groups";
import { type GroupCard, type GroupRequestVO, type GroupVO, groupVO } from "@parley/protocol/entities";
import { PRESENCE_REFRESH_MS } from "@parley/protocol/limits";
import {
  removeGroupRequest,
  isCurrentMember,
  isGroupLeader,
  putGroup,
  putGroupRequest,
  setGroupRequests,
  setGroups,
} from "../model/groups/groups-state.ts";
import { chatKey } from "../model/chats/chat-rows.ts";
import type { Groups, Result } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/** What is known of groups and requests: kept on disk, asked anew where pushes may have told more, or less, than an answer. */
export interface GroupRepository {
  update(work: (groups: Groups) => Groups): void;
  get(id: number): GroupVO | undefined;
  /** A group as it now stands; its chat is pinned and silent as it says. */
  put(group: GroupVO): void;
  patch(id: number, part: Partial<GroupVO>): void;
  putRequest(request: GroupRequestVO): void;
  removeRequest(requestId: number): void;
  /** A moment, for `isSince`. */
  version(): number;
  /** Something happens to this group: answers that were asked for before are old. `isTold`: all of it is known, since the server told it. */
  markChanged(id: number, isTold?: boolean): void;
  hasChangedSince(id: number, moment: number): boolean;
  /** I have done something to this group over this connection: a push may be older than what I was answered. */
  hasLocalAction(id: number): boolean;
  /** All groups and requests: two calls. */
  reload(): Promise<Result<null>>;
  reloadRequests(): Promise<Result<null>>;
  /** One group, from the server. */
  refetch(id: number): Promise<void>;
  restore(isOver: () => boolean): Promise<void>;
  stop(): void;
}

export interface GroupRepositoryDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  me(): number;
}

const SILENT = { silent: true };
const DONE = { ok: true, value: null } as const;

export function createGroupRepository({
  ports,
  api,
  stateStore,
  database,
  chatStore,
  me,
}: GroupRepositoryDeps): GroupRepository {
  let version = 0;
  /** By group: the version of its last news, and of the last that told all of it. */
  const changedAt = new Map<number, number>();
  const fullyKnownAt = new Map<number, number>();
  const locallyChanged = new Set<number>();
  let requestsAt = 0;
  /** Requests I have answered over this connection: the push that tells of one may come behind my answer. */
  const answered = new Set<number>();
  /** Of several answers the one that was asked for last counts, be it of all groups or of one. */
  let requestNumber = 0;
  let newestList = 0;
  let listedAt = 0;
  const foundAt = new Map<number, number>();
  let newestRequests = 0;
  let cancelRetry: (() => void) | null = null;

  const hasChangedSince = (id: number, moment: number) => (changedAt.get(id) ?? 0) > moment;
  const isFullyKnownSince = (id: number, moment: number) => (fullyKnownAt.get(id) ?? 0) > moment;

  function update(work: (groups: Groups) => Groups): void {
    const before = stateStore.get().groups;
    const groups = work(before);
    if (groups === before) return;
    stateStore.set({ groups });
    if (groups.byId === before.byId) return;
    database.save({ values: { groups: Object.values(groups.byId) } });
    // Whoever is out is told of nothing: what was taken back meanwhile still stands here as it was.
    const rejoined = Object.values(groups.byId).filter((group) => hasRejoined(group, before.byId[group.id]));
    for (const { id } of rejoined)
      chatStore.dispatch([{ kind: "invalidate", key: chatKey(ChatType.GROUP, id) }]);
  }

  function applyChatSettings(groups: readonly GroupVO[]): void {
    chatStore.dispatch(
      groups.map(({ id, isTop, msgRemind }) => ({
        kind: "settings",
        key: chatKey(ChatType.GROUP, id),
        isTop,
        msgRemind,
      })),
    );
  }

  function put(group: GroupVO): void {
    const known = stateStore.get().groups.byId[group.id];
    stateStore.batch(() => {
      update((groups) => putGroup(groups, group));
      applyChatSettings([group]);
    });
    // Who begins or ends to lead a group sees other requests.
    if (isGroupLeader(known) !== isGroupLeader(group)) void reloadRequests();
  }

  /** The lists could not be had: asked for again after a while. */
  function scheduleRetry(): void {
    if (stateStore.get().connection.kind !== "online") return;
    cancelRetry ??= ports.clock.after(PRESENCE_REFRESH_MS, () => {
      cancelRetry = null;
      void reload();
    });
  }

  async function reloadGroups(): Promise<Result<null>> {
    const [startUserId, startVersion, number] = [me(), version, ++requestNumber];
    newestList = number;
    const list = await api.call(listGroups, {}, SILENT);
    if (startUserId !== me() || number !== newestList) return DONE;
    if (!list.ok) return list;
    // What has happened to a group meanwhile is not in the answer, or not yet.
    const { byId } = stateStore.get().groups;
    for (const id of changedAt.keys())
      if (hasChangedSince(id, startVersion) && !isFullyKnownSince(id, startVersion)) void refetch(id);
    const listedIds = new Set(list.value.map((group) => group.id));
    const addedMeanwhile = Object.values(byId).filter(
      ({ id }) => !listedIds.has(id) && hasChangedSince(id, startVersion),
    );
    const isOutdated = (id: number) => hasChangedSince(id, startVersion) || (foundAt.get(id) ?? 0) > number;
    const groups = list.value.map((group) => (isOutdated(group.id) ? (byId[group.id] ?? group) : group));
    listedAt = number;
    stateStore.batch(() => {
      update((known) => setGroups(known, [...groups, ...addedMeanwhile]));
      applyChatSettings(groups);
    });
    return DONE;
  }

  async function reloadRequests(): Promise<Result<null>> {
    const [startUserId, startVersion, number] = [me(), requestsAt, ++newestRequests];
    const requests = await api.call(listGroupRequests, {}, SILENT);
    if (startUserId !== me() || number !== newestRequests) return DONE;
    if (!requests.ok) {
      scheduleRetry();
      return requests;
    }
    if (startVersion !== requestsAt) return reloadRequests();
    update((groups) => setGroupRequests(groups, requests.value, startUserId));
    return DONE;
  }

  async function reload(): Promise<Result<null>> {
    const groups = await reloadGroups();
    if (!groups.ok) scheduleRetry();
    // Behind the groups: which requests there are goes by what I lead.
    const requests = await reloadRequests();
    return groups.ok ? requests : groups;
  }

  async function refetch(id: number): Promise<void> {
    const [startUserId, startVersion, number] = [me(), version, ++requestNumber];
    const answer = await api.call(findGroup, { params: { id } }, SILENT);
    if (startUserId !== me() || isFullyKnownSince(id, startVersion)) return;
    if (hasChangedSince(id, startVersion)) return refetch(id);
    if (!answer.ok) return scheduleRetry();
    if (number < Math.max(listedAt, foundAt.get(id) ?? 0) || !isFullGroup(answer.value)) return;
    foundAt.set(id, number);
    put(answer.value);
  }

  return {
    update,
    get: (id) => stateStore.get().groups.byId[id],
    put,
    patch(id, part) {
      const group = stateStore.get().groups.byId[id];
      if (group !== undefined) put({ ...group, ...part });
    },
    putRequest(request) {
      if (answered.has(request.id)) return;
      requestsAt++;
      update((groups) => putGroupRequest(groups, request, me()));
    },
    removeRequest(requestId) {
      requestsAt++;
      answered.add(requestId);
      update((groups) => removeGroupRequest(groups, requestId));
    },
    version: () => version,
    markChanged(id, isFullyKnown = false) {
      changedAt.set(id, ++version);
      if (isFullyKnown) fullyKnownAt.set(id, version);
      else locallyChanged.add(id);
    },
    hasChangedSince,
    hasLocalAction: (id) => locallyChanged.has(id),
    reload,
    reloadRequests,
    refetch,
    async restore(isOver) {
      const stored = await database.value("groups");
      const groups = Array.isArray(stored) ? stored.filter(isGroup) : [];
      const notices = await database.value("readNotices");
      if (isOver()) return;
      stateStore.batch(() => {
        if (isRecord(notices)) update((known) => ({ ...known, readNotices: parseTexts(notices) }));
        if (groups.length > 0) stateStore.set({ groups: setGroups(stateStore.get().groups, groups) });
      });
    },
    stop() {
      cancelRetry?.();
      cancelRetry = null;
      locallyChanged.clear();
      answered.clear();
    },
  };
}

/** In again, whether or not this device has heard that I was out meanwhile. */
function hasRejoined(group: GroupVO, before: GroupVO | undefined): boolean {
  if (before === undefined || !isCurrentMember(group)) return false;
  return before.quit || (before.stayFrom !== undefined && group.stayFrom !== before.stayFrom);
}

/** A member is told all of a group, somebody else its card. */
export function isFullGroup(group: GroupVO | GroupCard): group is GroupVO {
  return "role" in group;
}

function isGroup(value: unknown): value is GroupVO {
  return groupVO.safeParse(value).success;
}

function parseTexts(value: Record<string, unknown>): Record<number, string> {
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}
