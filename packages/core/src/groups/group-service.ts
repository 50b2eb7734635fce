import { ChatType } from "@parley/protocol/codes";
import { setGroupMsgRemind, setGroupTop } from "@parley/protocol/endpoints/groups";
import type { GroupVO } from "@parley/protocol/entities";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import {
  isCurrentMember,
  canAffectMembers,
  isMuteTip,
  setMembersOnline,
} from "../model/groups/groups-state.ts";
import type { Incoming } from "../model/connection/read-frame.ts";
import type { Result } from "../model/state.ts";
import { SILENT, localFailure, fail } from "../connection/api.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import type { SessionEvents } from "../session-events.ts";
import { createGroupActions, type GroupActions, type GroupActionsDeps } from "./group-actions.ts";
import { actOnGroup } from "./act-on-group.ts";
import { createGroupRepository } from "./group-repository.ts";
import { createGroupStore, type GroupStoreDeps } from "./group-store.ts";
import { createJoinRequests } from "./join-requests.ts";
import { createMemberLists } from "./member-lists.ts";

/** What pushes say about groups. */
export type GroupIncoming = Extract<Incoming, { kind: "group" | "groupLeft" | "groupRequest" }>;

/** Groups, their members, and requests to join. */
export interface GroupService extends Pick<
  SessionEvents,
  "restore" | "wentOnline" | "wentOffline" | "rowsApplied" | "reset"
> {
  readonly actions: GroupActions;
  receive(incoming: GroupIncoming): void;
  /** Pins or mutes a group's chat at once, and undoes it when the server refuses. */
  setSettings(id: number, part: GroupSettings): Promise<Result<null>>;
  /** Called when this group's chat is shown. */
  onChatShown(id: number): void;
  /** Users whose presence is to be requested. */
  watchedUserIds(): readonly number[];
  /** Takes over the presence of these users from the contacts. */
  applyPresence(requestedIds: ReadonlySet<number>): void;
}

/** The settings of a group's chat: pinned or alert level. */
export type GroupSettings =
  | Readonly<Pick<GroupVO, "isTop">>
  | { readonly msgRemind: 0 | 1 | 2; readonly isDnd: boolean; readonly msgRemindUntil: number | null };

/** What the group service needs. */
export type GroupServiceDeps = GroupStoreDeps &
  Pick<GroupActionsDeps, "ports" | "api" | "me" | "sharedValues">;

/** Pushes that are closer together than this may be in the wrong order. */
const RECHECK_MS = 2_000;

/** Creates the group service; it loads nothing before `wentOnline`. */
export function createGroupService(deps: GroupServiceDeps): GroupService {
  const { ports, api, stateStore } = deps;
  const joinRequests = createJoinRequests(deps);
  const groupStore = createGroupStore(deps);
  const repository = createGroupRepository({ ...deps, groupStore, joinRequests });
  const memberLists = createMemberLists({ ...deps, repository });
  const rechecks = createKeyedTimers<number>(ports.clock);
  /** The last push of each group over this connection. The next one differs by one change, unless this client acted in between. */
  const lastPushes = new Map<number, { group: GroupVO; at: number }>();

  function receiveGroup(group: GroupVO): void {
    const { id } = group;
    const lastPush = lastPushes.get(id);
    const before = repository.get(id);
    const affectsMembers =
      lastPush === undefined ||
      repository.hasChangedSince(id, lastPush.at) ||
      canAffectMembers(lastPush.group, group);
    repository.markChanged(id, true);
    lastPushes.set(id, { group, at: repository.version() });
    repository.put(group);
    if (affectsMembers) memberLists.markStale(id);
    // Pushes may be in the wrong order: several in a row, or one after an own action, which is pushed only to the user's other devices.
    // A push that makes the user a member may be older than the user's leaving.
    const isNewMember = isCurrentMember(group) && (before === undefined || !isCurrentMember(before));
    const isUncertain = isNewMember || repository.hasLocalAction(id) || rechecks.isSet(id);
    rechecks.set(id, RECHECK_MS, () => {
      if (isUncertain) void repository.refetch(id);
    });
  }

  async function setSettings(id: number, part: GroupSettings): Promise<Result<null>> {
    const before = repository.get(id);
    if (before === undefined || !isCurrentMember(before)) return fail(localFailure("group.notMember"));
    repository.patch(id, part);
    const call =
      "isTop" in part
        ? api.call(setGroupTop, { body: { groupId: id, isTop: part.isTop } }, SILENT)
        : api.call(
            setGroupMsgRemind,
            { body: { groupId: id, msgRemind: part.msgRemind, until: part.msgRemindUntil } },
            SILENT,
          );
    const { result, isOutdated } = await actOnGroup(repository, id, call);
    if (!result.ok) {
      const { isTop, msgRemind, isDnd, msgRemindUntil = null } = before;
      repository.patch(id, "isTop" in part ? { isTop } : { msgRemind, isDnd, msgRemindUntil });
      void repository.reload();
    } else if (isOutdated) void repository.refetch(id);
    else repository.patch(id, part);
    return result;
  }

  return {
    actions: createGroupActions({ ...deps, repository, joinRequests, memberLists }),
    setSettings,
    restore: groupStore.restore,
    wentOnline() {
      void repository.reload();
      memberLists.start();
    },
    wentOffline() {
      rechecks.cancelAll();
      lastPushes.clear();
      repository.stop();
      joinRequests.stop();
      memberLists.stop();
    },
    receive(incoming) {
      switch (incoming.kind) {
        case "group":
          return receiveGroup(incoming.group);
        case "groupLeft":
          repository.markChanged(incoming.groupId);
          // The user was removed, or the group was dissolved: in both cases nobody here can write there.
          repository.patch(incoming.groupId, { quit: true });
          memberLists.markStale(incoming.groupId);
          return void repository.refetch(incoming.groupId);
        case "groupRequest":
          return joinRequests.put(incoming.request);
        default:
          incoming satisfies never;
      }
    },
    onChatShown: memberLists.refreshIfStale,
    watchedUserIds: memberLists.watchedUserIds,
    applyPresence(requestedIds) {
      const { online } = stateStore.get().contacts;
      repository.update((groups) =>
        setMembersOnline(groups, requestedIds, (id) => (online[id]?.length ?? 0) > 0),
      );
    },
    rowsApplied(rows) {
      for (const { key, message } of rows) {
        const target = isMuteTip(message.tip) ? parseChatKey(key) : null;
        if (target?.type === ChatType.GROUP) memberLists.markStale(target.targetId);
      }
    },
    reset() {
      memberLists.forget();
      repository.update((groups) => ({ ...groups, members: {} }));
    },
  };
}
