import { findGroup, listGroups } from "@parley/protocol/endpoints/groups";
import type { GroupCard, GroupVO } from "@parley/protocol/entities";
import { PRESENCE_REFRESH_MS } from "@parley/protocol/limits";
import {
  groupChanged,
  groupFound,
  hasChangedSince,
  judgeAnswer,
  mergeGroupList,
  nextVersion,
  NO_VERSIONS,
} from "../model/groups/group-versions.ts";
import { isGroupLeader } from "../model/groups/groups-state.ts";
import type { Result } from "../model/state.ts";
import { DONE, SILENT, type Api } from "../connection/api.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";
import type { GroupStore } from "./group-store.ts";
import type { JoinRequests } from "./join-requests.ts";

/** The groups as the server has them: loaded again where a push and an answer may contradict each other. */
export interface GroupRepository extends Pick<GroupStore, "get" | "update" | "put"> {
  patch(id: number, part: Partial<GroupVO>): void;
  /** The current version, for `hasChangedSince`. */
  version(): number;
  /** Records a change of a group, so that answers requested before it are outdated. `isWhole`: a push brought the whole group. */
  markChanged(id: number, isWhole?: boolean): void;
  hasChangedSince(id: number, version: number): boolean;
  /** Whether this client has changed the group over this connection, so that a push may be older than its answer. */
  hasLocalAction(id: number): boolean;
  /** Loads all groups and requests, with two calls. */
  reload(): Promise<Result<null>>;
  reloadRequests(): Promise<Result<null>>;
  /** Loads one group from the server. */
  refetch(id: number): Promise<void>;
  stop(): void;
}

/** What the group repository needs. */
export interface GroupRepositoryDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  groupStore: GroupStore;
  joinRequests: JoinRequests;
}

/** Creates the repository; nothing is loaded yet. */
export function createGroupRepository(deps: GroupRepositoryDeps): GroupRepository {
  const { ports, api, stateStore, groupStore, joinRequests } = deps;
  const { get, update } = groupStore;
  let versions = NO_VERSIONS;
  let newestListRequest = 0;
  const locallyChanged = new Set<number>();
  let cancelRetry: (() => void) | null = null;

  function beginRequest(): number {
    versions = nextVersion(versions);
    return versions.latest;
  }

  function markChanged(id: number, isWhole = false): void {
    versions = groupChanged(versions, id, isWhole);
    if (!isWhole) locallyChanged.add(id);
  }

  function put(group: GroupVO): void {
    const before = get(group.id);
    groupStore.put(group);
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
    const requestedAt = beginRequest();
    newestListRequest = requestedAt;
    const list = await api.call(listGroups, {}, SILENT);
    if (requestedAt !== newestListRequest) return DONE;
    if (!list.ok) {
      scheduleRetry();
      return list;
    }
    const merged = mergeGroupList(versions, stateStore.get().groups.byId, list.value, requestedAt);
    versions = merged.versions;
    for (const id of merged.incompleteIds) void refetch(id);
    groupStore.putAll(merged.groups);
    return DONE;
  }

  async function reloadRequests(): Promise<Result<null>> {
    const requests = await joinRequests.reload();
    if (!requests.ok) scheduleRetry();
    return requests;
  }

  async function reload(): Promise<Result<null>> {
    const groups = await reloadGroups();
    // After the groups, because the requests depend on the groups that the user leads.
    const requests = await reloadRequests();
    return groups.ok ? requests : groups;
  }

  async function refetch(id: number): Promise<void> {
    const requestedAt = beginRequest();
    const answer = await api.call(findGroup, { params: { id } }, SILENT);
    const verdict = judgeAnswer(versions, id, requestedAt);
    if (verdict === "again") return refetch(id);
    if (verdict === "drop") return;
    if (!answer.ok) return scheduleRetry();
    if (!isFullGroup(answer.value)) return;
    versions = groupFound(versions, id, requestedAt);
    put(answer.value);
  }

  return {
    get,
    update,
    put,
    patch(id, part) {
      const group = get(id);
      if (group !== undefined) put({ ...group, ...part });
    },
    version: () => versions.latest,
    markChanged,
    hasChangedSince: (id, version) => hasChangedSince(versions, id, version),
    hasLocalAction: (id) => locallyChanged.has(id),
    reload,
    reloadRequests,
    refetch,
    stop() {
      cancelRetry?.();
      cancelRetry = null;
      locallyChanged.clear();
    },
  };
}

/** Whether the server sent the whole group, as it does to members, and not only its card. */
export function isFullGroup(group: GroupVO | GroupCard): group is GroupVO {
  return "role" in group;
}
