import { setGroupMsgRemind, setGroupTop } from "@parley/protocol/endpoints/groups";
import type { GroupVO } from "@parley/protocol/entities";
import { isIn, mayConcernMembers, setMembersOnline } from "../model/groups.ts";
import type { Incoming } from "../model/incoming.ts";
import type { Failure, Result } from "../model/state.ts";
import { fail } from "./api.ts";
import type { GroupActions } from "./client-api.ts";
import type { GroupActs } from "./group-acts.ts";
import { createGroupBook, type GroupBookDeps } from "./group-book.ts";
import { createGroupPeople } from "./group-members.ts";
import { isRecord } from "./keep.ts";
import { lateActs, type LateSource } from "./late.ts";

export type GroupIncoming = Extract<Incoming, { kind: "group" | "groupOut" | "groupRequest" }>;

/** Groups, who is in them, and who wants to be. */
export interface GroupRoom extends GroupActions {
  restore(isOver: () => boolean): Promise<void>;
  /** At each login of the socket: what pushes did not tell meanwhile. */
  start(): void;
  stop(): void;
  receive(incoming: GroupIncoming): void;
  /** Pins a group's chat or makes it silent: at once, and back when the server refuses. */
  setSettings(id: number, part: GroupSettings): Promise<Result<null>>;
  /** This group's chat is shown. */
  show(id: number): void;
  /** A message tells that something about this group's people has changed. */
  touch(id: number): void;
  /** Whose presence is worth asking for. */
  watched(): readonly number[];
  /** Who is online of those that were asked about. */
  takePresence(asked: ReadonlySet<number>): void;
  /** The server has another database: its groups are others. */
  startOver(): void;
  /** Nobody is logged in any more. */
  forget(): void;
  close(): void;
}

export type GroupSettings =
  | Readonly<Pick<GroupVO, "isTop">>
  | { readonly msgRemind: 0 | 1 | 2; readonly isDnd: boolean };

/** Pushes that come closer than this may have overtaken each other. */
const SETTLE_MS = 2_000;
const QUIET = { quiet: true };

export function createGroupRoom(deps: GroupBookDeps & { late: LateSource }): GroupRoom {
  const { ports, api, store, disk, me } = deps;
  const book = createGroupBook(deps);
  const people = createGroupPeople({ ...deps, book });
  const acts = lateActs<GroupActs>(deps.late, me, ACTS, ({ createGroupActs }) =>
    createGroupActs({ api, book, people, me, random: ports.random, readNotice }),
  );
  /** What the last push over this connection told, and when: a push differs from it by one change, unless I have done something as well. */
  const pushed = new Map<number, { group: GroupVO; at: number }>();
  /** Groups a push came for just now. */
  const fresh = new Map<number, { cancel(): void }>();

  function keepRead(id: number, text: string): void {
    if (store.get().groups.readNotices[id] === text) return;
    book.change((groups) => ({ ...groups, readNotices: { ...groups.readNotices, [id]: text } }));
    disk.keep({ values: { readNotices: store.get().groups.readNotices } });
  }

  function readNotice(id: number): void {
    const notice = book.get(id)?.notice;
    if (!notice) return;
    keepRead(id, notice);
    ports.tabs.tell({ kind: "noticeRead", userId: me(), groupId: id, notice });
  }

  const stopListening = ports.tabs.listen((message) => {
    if (!isRecord(message) || message["kind"] !== "noticeRead" || message["userId"] !== me()) return;
    const { groupId, notice } = message;
    if (typeof groupId === "number" && typeof notice === "string") keepRead(groupId, notice);
  });

  /**
   * Of several pushes in a row the last one need not be the newest, and none need be newer than what I have done myself: of that only my
   * other devices are told. One that says that I am in a group may have been under way when I left.
   */
  function settle(id: number, bringsMeIn: boolean): void {
    const before = fresh.get(id);
    before?.cancel();
    const isInDoubt = before !== undefined || bringsMeIn || book.hasActed(id);
    const cancel = ports.clock.after(SETTLE_MS, () => {
      fresh.delete(id);
      if (isInDoubt) void book.find(id);
    });
    fresh.set(id, { cancel });
  }

  function rest(): void {
    for (const { cancel } of fresh.values()) cancel();
    fresh.clear();
    pushed.clear();
    book.stop();
    people.stop();
  }

  async function setSettings(id: number, part: GroupSettings): Promise<Result<null>> {
    const before = book.get(id);
    if (before === undefined || !isIn(before)) return fail(NOT_IN);
    const owner = me();
    book.note(id);
    book.patch(id, part);
    const asOf = book.now();
    const result =
      "isTop" in part
        ? await api.call(setGroupTop, { body: { groupId: id, isTop: part.isTop } }, QUIET)
        : await api.call(setGroupMsgRemind, { body: { groupId: id, msgRemind: part.msgRemind } }, QUIET);
    if (owner !== me()) return result;
    const isTold = book.isSince(id, asOf);
    book.note(id);
    if (!result.ok) {
      const { isTop, msgRemind, isDnd } = before;
      book.patch(id, "isTop" in part ? { isTop } : { msgRemind, isDnd });
      void book.reload();
    } else if (isTold) void book.find(id);
    else book.patch(id, part);
    return result;
  }

  return {
    ...acts,
    reload: book.reload,
    loadMembers: people.load,
    readNotice,
    setSettings,
    restore: book.restore,
    start() {
      void book.reload();
      people.start();
    },
    stop: rest,
    receive(incoming) {
      switch (incoming.kind) {
        case "group": {
          const { group } = incoming;
          const last = pushed.get(group.id);
          const before = book.get(group.id);
          const isOfMembers =
            last === undefined || book.isSince(group.id, last.at) || mayConcernMembers(last.group, group);
          book.note(group.id, true);
          pushed.set(group.id, { group, at: book.now() });
          book.put(group);
          if (isOfMembers) people.touch(group.id);
          return settle(group.id, isIn(group) && (before === undefined || !isIn(before)));
        }
        case "groupOut":
          book.note(incoming.groupId);
          // Out, or is it gone as a whole? Either way nothing is written there any more.
          book.patch(incoming.groupId, { quit: true });
          people.touch(incoming.groupId);
          return void book.find(incoming.groupId);
        case "groupRequest":
          return book.putRequest(incoming.request);
        default:
          incoming satisfies never;
      }
    },
    show: people.show,
    touch: people.touch,
    watched: people.watched,
    takePresence(asked) {
      const { online } = store.get().contacts;
      book.change((groups) => setMembersOnline(groups, asked, (id) => (online[id]?.length ?? 0) > 0));
    },
    startOver() {
      people.forget();
      book.change((groups) => ({ ...groups, members: {}, readNotices: {} }));
      disk.keep({ values: { readNotices: {} } });
    },
    forget() {
      rest();
      people.forget();
    },
    close: stopListening,
  };
}

const NOT_IN: Failure = { kind: "refused", code: 0, key: "group.notMember", params: {}, message: "" };

const ACTS = {
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
