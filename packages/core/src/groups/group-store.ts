import { ChatType } from "@parley/protocol/codes";
import { type GroupVO, groupVO } from "@parley/protocol/entities";
import type { ChatStore } from "../chats/chat-store.ts";
import { chatKey } from "../model/chats/chat-rows.ts";
import { hasRejoined, putGroup, setGroups } from "../model/groups/groups-state.ts";
import type { Groups } from "../model/state.ts";
import type { StateStore } from "../state-store.ts";
import type { LocalDatabase } from "../storage/local-database.ts";

/** The groups in the state, in the local database and in the settings of their chats, which stay in step. */
export interface GroupStore {
  get(id: number): GroupVO | undefined;
  update(work: (groups: Groups) => Groups): void;
  /** Stores a group in its current form. */
  put(group: GroupVO): void;
  /** Replaces all groups. */
  putAll(groups: readonly GroupVO[]): void;
  restore(): Promise<void>;
}

/** What the group store needs. */
export interface GroupStoreDeps {
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
}

/** Creates the store; `restore` reads what the local database holds. */
export function createGroupStore({ stateStore, database, chatStore }: GroupStoreDeps): GroupStore {
  function update(work: (groups: Groups) => Groups): void {
    const before = stateStore.get().groups;
    const groups = work(before);
    if (groups === before) return;
    stateStore.set({ groups });
    if (groups.byId === before.byId) return;
    database.save({ values: { groups: Object.values(groups.byId) } });
    // A user outside the group gets no events, so messages that were recalled in that time are unchanged here.
    const rejoined = Object.values(groups.byId).filter((group) => hasRejoined(group, before.byId[group.id]));
    for (const { id } of rejoined)
      chatStore.dispatch([{ kind: "invalidate", key: chatKey(ChatType.GROUP, id) }]);
  }

  function store(groups: readonly GroupVO[], work: (before: Groups) => Groups): void {
    stateStore.batch(() => {
      update(work);
      chatStore.dispatch(
        groups.map(({ id, isTop, msgRemind }) => ({
          kind: "settings",
          key: chatKey(ChatType.GROUP, id),
          isTop,
          msgRemind,
        })),
      );
    });
  }

  return {
    get: (id) => stateStore.get().groups.byId[id],
    update,
    put: (group) => store([group], (before) => putGroup(before, group)),
    putAll: (groups) => store(groups, (before) => setGroups(before, groups)),
    async restore() {
      const stored = await database.value("groups");
      const groups = Array.isArray(stored) ? stored.filter(isGroup) : [];
      if (groups.length > 0) stateStore.set({ groups: setGroups(stateStore.get().groups, groups) });
    },
  };
}

function isGroup(value: unknown): value is GroupVO {
  return groupVO.safeParse(value).success;
}
