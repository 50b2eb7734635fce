import { setGroupMsgRemind, setGroupTop } from "@parley/protocol/endpoints/groups";
import type { GroupVO } from "@parley/protocol/entities";
import { isCurrentMember, canAffectMembers, setMembersOnline } from "../model/groups/groups-state.ts";
import type { Incoming } from "../model/connection/read-frame.ts";
import type { Failure, Result } from "../model/state.ts";
import { fail } from "../connection/api.ts";
import type { GroupActions } from "../client-api.ts";
import type { LazyGroupActions } from "./group-actions.ts";
import { createGroupRepository, type GroupRepositoryDeps } from "./group-repository.ts";
import { createMemberLists } from "./member-lists.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import { lazyActions, type LazySource } from "../lazy-actions.ts";

export type GroupIncoming = Extract<Incoming, { kind: "group" | "groupLeft" | "groupRequest" }>;

/** Groups, who is in them, and who wants to be. */
export interface GroupService extends GroupActions {
  restore(isOver: () => boolean): Promise<void>;
  /** At each login of the socket: what pushes did not tell meanwhile. */
  start(): void;
  stop(): void;
  receive(incoming: GroupIncoming): void;
  /** Pins a group's chat or makes it silent: at once, and back when the server refuses. */
  setSettings(id: number, part: GroupSettings): Promise<Result<null>>;
  /** This group's chat is shown. */
  onChatShown(id: number): void;
  /** A message tells that something about this group's people has changed. */
  markMembersStale(id: number): void;
  /** Whose presence is worth asking for. */
  watchedUserIds(): readonly number[];
  /** Who is online of those that were asked about. */
  applyPresence(asked: ReadonlySet<number>): void;
  /** The server has another database: its groups are others. */
  reset(): void;
  /** Nobody is logged in any more. */
  forget(): void;
  close(): void;
}

export type GroupSettings =
  | Readonly<Pick<GroupVO, "isTop">>
  | { readonly msgRemind: 0 | 1 | 2; readonly isDnd: boolean };

/** Pushes that come closer than this may have overtaken each other. */
const VERIFY_MS = 2_000;
const SILENT = { silent: true };

export function createGroupService(deps: GroupRepositoryDeps & { lazy: LazySource }): GroupService {
  const { ports, api, stateStore, database, me } = deps;
  const repository = createGroupRepository(deps);
  const memberLists = createMemberLists({ ...deps, repository });
  const actions = lazyActions<LazyGroupActions>(deps.lazy, me, LAZY_ACTION_NAMES, ({ createGroupActions }) =>
    createGroupActions({ api, repository, memberLists, me, random: ports.random, readNotice }),
  );
  /** What the last push over this connection told, and when: a push differs from it by one change, unless I have done something as well. */
  const lastPushes = new Map<number, { group: GroupVO; at: number }>();
  /** Groups a push came for just now. */
  const pendingChecks = new Map<number, { cancel(): void }>();

  function saveReadNotice(id: number, text: string): void {
    if (stateStore.get().groups.readNotices[id] === text) return;
    repository.update((groups) => ({ ...groups, readNotices: { ...groups.readNotices, [id]: text } }));
    database.save({ values: { readNotices: stateStore.get().groups.readNotices } });
  }

  function readNotice(id: number): void {
    const notice = repository.get(id)?.notice;
    if (!notice) return;
    saveReadNotice(id, notice);
    ports.tabs.broadcast({ kind: "noticeRead", userId: me(), groupId: id, notice });
  }

  const stopListening = ports.tabs.listen((message) => {
    if (!isRecord(message) || message["kind"] !== "noticeRead" || message["userId"] !== me()) return;
    const { groupId, notice } = message;
    if (typeof groupId === "number" && typeof notice === "string") saveReadNotice(groupId, notice);
  });

  /**
   * Of several pushes in a row the last one need not be the newest, and none need be newer than what I have done myself: of that only my
   * other devices are told. One that says that I am in a group may have been under way when I left.
   */
  function verifyLater(id: number, bringsMeIn: boolean): void {
    const before = pendingChecks.get(id);
    before?.cancel();
    const maybeStale = before !== undefined || bringsMeIn || repository.hasLocalAction(id);
    const cancel = ports.clock.after(VERIFY_MS, () => {
      pendingChecks.delete(id);
      if (maybeStale) void repository.refetch(id);
    });
    pendingChecks.set(id, { cancel });
  }

  function stopTimers(): void {
    for (const { cancel } of pendingChecks.values()) cancel();
    pendingChecks.clear();
    lastPushes.clear();
    repository.stop();
    memberLists.stop();
  }

  async function setSettings(id: number, part: GroupSettings): Promise<Result<null>> {
    const before = repository.get(id);
    if (before === undefined || !isCurrentMember(before)) return fail(NOT_MEMBER);
    const startUserId = me();
    repository.markChanged(id);
    repository.patch(id, part);
    const startVersion = repository.version();
    const result =
      "isTop" in part
        ? await api.call(setGroupTop, { body: { groupId: id, isTop: part.isTop } }, SILENT)
        : await api.call(setGroupMsgRemind, { body: { groupId: id, msgRemind: part.msgRemind } }, SILENT);
    if (startUserId !== me()) return result;
    const hasChanged = repository.hasChangedSince(id, startVersion);
    repository.markChanged(id);
    if (!result.ok) {
      const { isTop, msgRemind, isDnd } = before;
      repository.patch(id, "isTop" in part ? { isTop } : { msgRemind, isDnd });
      void repository.reload();
    } else if (hasChanged) void repository.refetch(id);
    else repository.patch(id, part);
    return result;
  }

  return {
    ...actions,
    reload: repository.reload,
    loadMembers: memberLists.load,
    readNotice,
    setSettings,
    restore: repository.restore,
    start() {
      void repository.reload();
      memberLists.start();
    },
    stop: stopTimers,
    receive(incoming) {
      switch (incoming.kind) {
        case "group": {
          const { group } = incoming;
          const last = lastPushes.get(group.id);
          const before = repository.get(group.id);
          const affectsMembers =
            last === undefined ||
            repository.hasChangedSince(group.id, last.at) ||
            canAffectMembers(last.group, group);
          repository.markChanged(group.id, true);
          lastPushes.set(group.id, { group, at: repository.version() });
          repository.put(group);
          if (affectsMembers) memberLists.markStale(group.id);
          return verifyLater(
            group.id,
            isCurrentMember(group) && (before === undefined || !isCurrentMember(before)),
          );
        }
        case "groupLeft":
          repository.markChanged(incoming.groupId);
          // Out, or is it gone as a whole? Either way nothing is written there any more.
          repository.patch(incoming.groupId, { quit: true });
          memberLists.markStale(incoming.groupId);
          return void repository.refetch(incoming.groupId);
        case "groupRequest":
          return repository.putRequest(incoming.request);
        default:
          incoming satisfies never;
      }
    },
    onChatShown: memberLists.refreshIfStale,
    markMembersStale: memberLists.markStale,
    watchedUserIds: memberLists.watchedUserIds,
    applyPresence(asked) {
      const { online } = stateStore.get().contacts;
      repository.update((groups) => setMembersOnline(groups, asked, (id) => (online[id]?.length ?? 0) > 0));
    },
    reset() {
      memberLists.forget();
      repository.update((groups) => ({ ...groups, members: {}, readNotices: {} }));
      database.save({ values: { readNotices: {} } });
    },
    forget() {
      stopTimers();
      memberLists.forget();
    },
    close: stopListening,
  };
}

const NOT_MEMBER: Failure = { kind: "refused", code: 0, key: "group.notMember", params: {}, message: "" };

const LAZY_ACTION_NAMES = {
  create: true,
  modify: true,
  setRights: true,
  invite: true,
  apply: true,
  approve: true,
  reject: true,
  find: true,
  search: true,
  removeMembers: true,
  setMuted: true,
  setAllMuted: true,
  setManagers: true,
  transfer: true,
  quit: true,
  dissolve: true,
  readers: true,
} as const;
