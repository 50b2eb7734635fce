import { listGroupMembers } from "@parley/protocol/endpoints/groups";
import { ONLINE_QUERY_MAX } from "@parley/protocol/limits";
import { removeMemberLists, setMembersState, setMembers } from "../model/groups/groups-state.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { Result } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { GroupRepository } from "./group-repository.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/**
 * Who is in a group: asked for when a screen needs it. What is looked at (the open chat's list, and the one asked for last) is kept
 * current; others are asked for again when they are needed again.
 */
export interface MemberLists {
  load(id: number): Promise<Result<null>>;
  /** Something may have changed. However often this is said in a burst, the list is asked for once. */
  markStale(id: number): void;
  /** This group's chat is shown. */
  refreshIfStale(id: number): void;
  /** Whose presence is worth asking for. */
  watchedUserIds(): readonly number[];
  start(): void;
  stop(): void;
  /** Nobody is logged in any more, or the groups of the server are others. */
  forget(): void;
}

export interface MemberListsDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  repository: GroupRepository;
  me(): number;
}

/** Lists kept in memory. */
const LISTS_MAX = 20;
/** How long changes are gathered: at least, and for each member of a list. */
const DEBOUNCE_MS = 1_000;
const DEBOUNCE_PER_MEMBER_MS = 10;
const RETRY_MS = 5_000;

export function createMemberLists({ ports, api, stateStore, repository, me }: MemberListsDeps): MemberLists {
  /** Lists that were asked for, the last one at the end. */
  let requestedIds: readonly number[] = [];
  const stale = new Set<number>();
  const requests = new Map<number, Promise<Result<null>>>();
  let cancelRefresh: (() => void) | null = null;
  /** Rises when lists are forgotten: answers that are under way are dropped. */
  let revision = 0;

  function visibleIds(): number[] {
    const open = parseChatKey(stateStore.get().chats.openKey ?? "");
    const ids = new Set(requestedIds.slice(-1));
    if (open?.type === "GROUP" && requestedIds.includes(open.targetId)) ids.add(open.targetId);
    return [...ids];
  }

  /** Everybody who looks at a large group asks for its list after each change: the larger it is, the more is gathered. */
  function debounceMs(id: number): number {
    const count = stateStore.get().groups.members[id]?.order.length ?? 0;
    return Math.max(DEBOUNCE_MS, count * DEBOUNCE_PER_MEMBER_MS);
  }

  function refreshIn(ms: number): void {
    cancelRefresh ??= ports.clock.after(ms, refresh);
  }

  function refresh(): void {
    cancelRefresh?.();
    cancelRefresh = null;
    for (const id of visibleIds()) if (stale.has(id)) void request(id);
  }

  function request(id: number): Promise<Result<null>> {
    const running = requests.get(id);
    if (running !== undefined) return running;
    const asking = fetch(id);
    requests.set(id, asking);
    return asking;
  }

  async function fetch(id: number): Promise<Result<null>> {
    const [startUserId, startRevision] = [me(), revision];
    stale.delete(id);
    if (stateStore.get().groups.members[id]?.state !== "loaded")
      repository.update((groups) => setMembersState(groups, id, "loading"));
    const list = await api.call(listGroupMembers, { params: { id } }, { silent: true });
    if (startUserId !== me() || startRevision !== revision) return list.ok ? { ok: true, value: null } : list;
    requests.delete(id);
    if (list.ok) repository.update((groups) => setMembers(groups, id, list.value));
    else markFailed(id, list.failure.kind === "refused");
    if (stale.has(id)) refreshIn(list.ok ? debounceMs(id) : RETRY_MS);
    return list.ok ? { ok: true, value: null } : list;
  }

  function markFailed(id: number, isFinal: boolean): void {
    if (!isFinal) stale.add(id);
    if (isFinal || stateStore.get().groups.members[id]?.state !== "loaded")
      repository.update((groups) => setMembersState(groups, id, "failed"));
  }

  function recordUse(id: number): void {
    requestedIds = [...requestedIds.filter((known) => known !== id), id];
    if (requestedIds.length <= LISTS_MAX) return;
    const retained = new Set([...requestedIds.slice(-LISTS_MAX), ...visibleIds()]);
    const dropped = requestedIds.filter((known) => !retained.has(known));
    requestedIds = requestedIds.filter((known) => retained.has(known));
    repository.update((groups) => removeMemberLists(groups, dropped));
  }

  return {
    load(id) {
      recordUse(id);
      return request(id);
    },
    markStale(id) {
      if (!requestedIds.includes(id)) return;
      stale.add(id);
      if (!requests.has(id) && visibleIds().includes(id)) refreshIn(debounceMs(id));
    },
    refreshIfStale(id) {
      if (stale.has(id) && requestedIds.includes(id)) void request(id);
    },
    watchedUserIds() {
      const { members } = stateStore.get().groups;
      const lists = visibleIds().map((id) => members[id]?.order ?? []);
      return lists.filter((ids) => ids.length <= ONLINE_QUERY_MAX).flat();
    },
    start() {
      for (const id of requestedIds) stale.add(id);
      refresh();
    },
    stop() {
      cancelRefresh?.();
      cancelRefresh = null;
    },
    forget() {
      revision++;
      requestedIds = [];
      stale.clear();
      requests.clear();
      cancelRefresh?.();
      cancelRefresh = null;
    },
  };
}
