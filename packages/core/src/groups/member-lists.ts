import { listGroupMembers } from "@parley/protocol/endpoints/groups";
import type { GroupMemberVO } from "@parley/protocol/entities";
import { ONLINE_QUERY_MAX } from "@parley/protocol/limits";
import { removeMemberLists, setMembersState, setMembers } from "../model/groups/groups-state.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { Result } from "../model/state.ts";
import { DONE, SILENT, type Api } from "../connection/api.ts";
import type { GroupRepository } from "./group-repository.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";

/**
 * The members of groups, loaded when a screen needs them. Visible lists (that of the open chat, and the one requested last) are kept
 * current; other lists are loaded again when they are needed again.
 */
export interface MemberLists {
  load(id: number): Promise<Result<null>>;
  /** Something may have changed. A burst of such changes loads the list once. */
  markStale(id: number): void;
  /** Called when this group's chat is shown. */
  refreshIfStale(id: number): void;
  /** Users whose presence is to be requested. */
  watchedUserIds(): readonly number[];
  start(): void;
  stop(): void;
  /** The server has another database. */
  forget(): void;
}

/** What member lists need. */
export interface MemberListsDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  repository: GroupRepository;
}

/** How many lists stay in memory. */
const LISTS_MAX = 20;
/** How long changes are collected: the minimum, and the time per member of a list. */
const DEBOUNCE_MS = 1_000;
const DEBOUNCE_PER_MEMBER_MS = 10;
const RETRY_MS = 5_000;

/** Creates the member lists; none is loaded yet. */
export function createMemberLists({ ports, api, stateStore, repository }: MemberListsDeps): MemberLists {
  /** Groups whose lists were requested, the latest at the end. */
  let requestedIds: readonly number[] = [];
  const stale = new Set<number>();
  const requests = new Map<number, Promise<Result<null>>>();
  let cancelRefresh: (() => void) | null = null;

  function visibleIds(): number[] {
    const open = parseChatKey(stateStore.get().chats.openKey ?? "");
    const ids = new Set(requestedIds.slice(-1));
    if (open?.type === "GROUP" && requestedIds.includes(open.targetId)) ids.add(open.targetId);
    return [...ids];
  }

  function refreshIn(ms: number): void {
    cancelRefresh ??= ports.clock.after(ms, refresh);
  }

  function stop(): void {
    cancelRefresh?.();
    cancelRefresh = null;
  }

  function refresh(): void {
    stop();
    for (const id of visibleIds()) if (stale.has(id)) void request(id);
  }

  function request(id: number): Promise<Result<null>> {
    const running = requests.get(id);
    if (running !== undefined) return running;
    stale.delete(id);
    if (stateStore.get().groups.members[id]?.state !== "loaded")
      repository.update((groups) => setMembersState(groups, id, "loading"));
    const newRequest = api.call(listGroupMembers, { params: { id } }, SILENT).then((list) => {
      // Not if all lists were dropped during the request.
      if (requests.get(id) === newRequest) applyAnswer(id, list);
      return list.ok ? DONE : list;
    });
    requests.set(id, newRequest);
    return newRequest;
  }

  function applyAnswer(id: number, list: Result<GroupMemberVO[]>): void {
    requests.delete(id);
    if (list.ok) repository.update((groups) => setMembers(groups, id, list.value));
    else markFailed(id, list.failure.kind === "refused");
    if (stale.has(id)) refreshIn(list.ok ? debounceMs(stateStore.get().groups.members[id]) : RETRY_MS);
  }

  function markFailed(id: number, isFinal: boolean): void {
    if (!isFinal) stale.add(id);
    if (isFinal || stateStore.get().groups.members[id]?.state !== "loaded")
      repository.update((groups) => setMembersState(groups, id, "failed"));
  }

  function recordUse(id: number): void {
    requestedIds = [...requestedIds.filter((other) => other !== id), id];
    if (requestedIds.length <= LISTS_MAX) return;
    const retained = new Set([...requestedIds.slice(-LISTS_MAX), ...visibleIds()]);
    const dropped = requestedIds.filter((other) => !retained.has(other));
    requestedIds = requestedIds.filter((other) => retained.has(other));
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
      if (!requests.has(id) && visibleIds().includes(id))
        refreshIn(debounceMs(stateStore.get().groups.members[id]));
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
    stop,
    forget() {
      requestedIds = [];
      stale.clear();
      requests.clear();
      stop();
    },
  };
}

/** Every viewer of a group loads its list after each change, so changes of a larger group are collected for longer. */
function debounceMs(list: { readonly order: readonly number[] } | undefined): number {
  return Math.max(DEBOUNCE_MS, (list?.order.length ?? 0) * DEBOUNCE_PER_MEMBER_MS);
}
