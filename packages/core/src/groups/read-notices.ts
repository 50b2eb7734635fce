import * as z from "zod/mini";
import type { LocalDatabase } from "../storage/local-database.ts";
import { broadcastToTabs, listenToOwnTabs } from "../storage/tab-messages.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";
import type { GroupRepository } from "./group-repository.ts";

/** Which notice of a group was read on this device, in any of its tabs. The server does not store it. */
export interface ReadNotices {
  restore(): Promise<void>;
  /** The current notice of this group was read. */
  read(groupId: number): void;
  /** The server has another database. */
  forget(): void;
}

/** What read notices need. */
export interface ReadNoticesDeps {
  ports: Ports;
  stateStore: StateStore;
  database: LocalDatabase;
  repository: GroupRepository;
  /** The id of the person signed in. */
  me: number;
}

const noticesByGroup = z.record(z.string(), z.string());

/** Creates the read notices and listens to the other tabs. */
export function createReadNotices(deps: ReadNoticesDeps): ReadNotices {
  const { ports, stateStore, database, repository, me } = deps;

  function save(groupId: number, text: string): void {
    if (stateStore.get().groups.readNotices[groupId] === text) return;
    repository.update((groups) => ({ ...groups, readNotices: { ...groups.readNotices, [groupId]: text } }));
    database.save({ values: { readNotices: stateStore.get().groups.readNotices } });
  }

  listenToOwnTabs(ports.tabs, me, "noticeRead", ({ groupId, notice }) => save(groupId, notice));

  return {
    async restore() {
      const { data: readNotices } = noticesByGroup.safeParse(await database.value("readNotices"));
      if (readNotices !== undefined) repository.update((groups) => ({ ...groups, readNotices }));
    },
    read(groupId) {
      const notice = repository.get(groupId)?.notice;
      if (!notice) return;
      save(groupId, notice);
      broadcastToTabs(ports.tabs, { kind: "noticeRead", userId: me, groupId, notice });
    },
    forget() {
      repository.update((groups) => ({ ...groups, readNotices: {} }));
      database.save({ values: { readNotices: {} } });
    },
  };
}
