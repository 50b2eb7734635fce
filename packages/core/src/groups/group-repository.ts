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
import { createSyncedList } from "../connection/synced-list.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/** Groups and join requests: saved in the local database, and loaded again where a push and an answer may contradict each other. */
export interface GroupRepository {
  update(work: (groups: Groups) => Groups): void;
  get(id: number): GroupVO | undefined;
  /** Stores a group in its current form and applies its settings to its chat. */
  put(group: GroupVO): void;
  patch(id: number, part: Partial<GroupVO>): void;
  putRequest(request: GroupRequestVO): void;
  removeRequest(requestId: number): void;
  /** The current version, for `hasChangedSince`. */
  version(): number;
  /** Records a change of a group, so that answers requested before it are outdated. `isFullyKnown`: a push brought the whole group. */
  markChanged(id: number, isFullyKnown?: boolean): void;
  hasChangedSince(id: number, sinceVersion: number): boolean;
  /** Whether this client has changed the group over this connection, so that a push may be older than its answer. */
  hasLocalAction(id: number): boolean;
  /** Loads all groups and requests, with two calls. */
  reload(): Promise<Result<null>>;
  reloadRequests(): Promise<Result<null>>;
  /** Loads one group from the server. */
  refetch(id: number): Promise<void>;
  restore(): Promise<void>;
  stop(): void;
}

/** What the group repository needs. */
export interface GroupRepositoryDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
  /** The id of the person signed in. */
  me: number;
}

const SILENT = { silent: true };
const DONE = { ok: true, value: null } as const;

/** Creates the repository; `restore` reads what the local database holds. */
export function createGroupRepository({
  ports,
  api,
  stateStore,
  database,
  chatStore,
  me,
}: GroupRepositoryDeps): GroupRepository {
  let version = 0;
  /** By group: the version of its last change, and of the last one that brought the whole group. */
  const changedAt = new Map<number, number>();
  const fullyKnownAt = new Map<number, number>();
  const locallyChanged = new Set<number>();
  /** Requests that this client has answered over this connection; a push of such a request may arrive later and is ignored. */
  const answered = new Set<number>();
  /** Numbers the requests for one group and for all groups: the answer to the latest request wins. */
  let requestNumber = 0;
  let newestList = 0;
  let listedAt = 0;
  const foundAt = new Map<number, number>();
  let cancelRetry: (() => void) | null = null;

  const hasChangedSince = (id: number, sinceVersion: number) => (changedAt.get(id) ?? 0) > sinceVersion;
  const isFullyKnownSince = (id: number, sinceVersion: number) => (fullyKnownAt.get(id) ?? 0) > sinceVersion;

  function update(work: (groups: Groups) => Groups): void {
    const before = stateStore.get().groups;
    const groups = work(before);
    if (groups === before) return;
    stateStore.set({ groups });
    if (groups.byId === before.byId) return;
    database.save({ values: { groups: Object.values(groups.byId) } });
    // A user outside the group gets no events: messages that were recalled meanwhile are unchanged here.
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
    const before = stateStore.get().groups.byId[group.id];
    stateStore.batch(() => {
      update((groups) => putGroup(groups, group));
      applyChatSettings([group]);
    });
    // A user who becomes or stops being owner or admin sees other requests.
    if (isGroupLeader(before) !== isGroupLeader(group)) void reloadRequests();
  }

  /** Loads the lists again later, after they could not be loaded. */
  function scheduleRetry(): void {
    if (stateStore.get().connection.kind !== "online") return;
    cancelRetry ??= ports.clock.after(PRESENCE_REFRESH_MS, () => {
      cancelRetry = null;
      void reload();
    });
  }

  async function reloadGroups(): Promise<Result<null>> {
    const [versionAtStart, number] = [version, ++requestNumber];
    newestList = number;
    const list = await api.call(listGroups, {}, SILENT);
    if (number !== newestList) return DONE;
    if (!list.ok) return list;
    // The answer may lack what has changed in a group meanwhile.
    const { byId } = stateStore.get().groups;
    for (const id of changedAt.keys())
      if (hasChangedSince(id, versionAtStart) && !isFullyKnownSince(id, versionAtStart)) void refetch(id);
    const listedIds = new Set(list.value.map((group) => group.id));
    const addedMeanwhile = Object.values(byId).filter(
      ({ id }) => !listedIds.has(id) && hasChangedSince(id, versionAtStart),
    );
    const isOutdated = (id: number) => hasChangedSince(id, versionAtStart) || (foundAt.get(id) ?? 0) > number;
    const groups = list.value.map((group) => (isOutdated(group.id) ? (byId[group.id] ?? group) : group));
    listedAt = number;
    stateStore.batch(() => {
      update((current) => setGroups(current, [...groups, ...addedMeanwhile]));
      applyChatSettings(groups);
    });
    return DONE;
  }

  const requestList = createSyncedList(
    () => api.call(listGroupRequests, {}, SILENT),
    (requests) => {
      if (requests.ok) update((groups) => setGroupRequests(groups, requests.value, me));
      else scheduleRetry();
      return requests.ok ? DONE : requests;
    },
  );
  const reloadRequests = requestList.reload;

  async function reload(): Promise<Result<null>> {
    const groups = await reloadGroups();
    if (!groups.ok) scheduleRetry();
    // After the groups, because the requests depend on the groups that the user leads.
    const requests = await reloadRequests();
    return groups.ok ? requests : groups;
  }

  async function refetch(id: number): Promise<void> {
    const [versionAtStart, number] = [version, ++requestNumber];
    const answer = await api.call(findGroup, { params: { id } }, SILENT);
    if (isFullyKnownSince(id, versionAtStart)) return;
    if (hasChangedSince(id, versionAtStart)) return refetch(id);
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
      requestList.markChanged();
      update((groups) => putGroupRequest(groups, request, me));
    },
    removeRequest(requestId) {
      requestList.markChanged();
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
    async restore() {
      const stored = await database.value("groups");
      const groups = Array.isArray(stored) ? stored.filter(isGroup) : [];
      if (groups.length > 0) stateStore.set({ groups: setGroups(stateStore.get().groups, groups) });
    },
    stop() {
      cancelRetry?.();
      cancelRetry = null;
      locallyChanged.clear();
      answered.clear();
    },
  };
}

/** Whether the user has joined again, even if this device did not hear of the leaving. */
function hasRejoined(group: GroupVO, before: GroupVO | undefined): boolean {
  if (before === undefined || !isCurrentMember(group)) return false;
  return before.quit || (before.stayFrom !== undefined && group.stayFrom !== before.stayFrom);
}

/** Whether the server sent the whole group, as it does to members, and not only its card. */
export function isFullGroup(group: GroupVO | GroupCard): group is GroupVO {
  return "role" in group;
}

function isGroup(value: unknown): value is GroupVO {
  return groupVO.safeParse(value).success;
}
