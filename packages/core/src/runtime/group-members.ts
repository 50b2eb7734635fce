import { listGroupMembers } from "@parley/protocol/endpoints/groups";
import { ONLINE_QUERY_MAX } from "@parley/protocol/limits";
import { dropMembers, markMembers, setMembers } from "../model/groups.ts";
import { parseChatKey } from "../model/rows.ts";
import type { Result } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { GroupBook } from "./group-book.ts";
import type { Ports } from "./ports.ts";
import type { Store } from "./store.ts";

/**
 * Who is in a group: asked for when a screen needs it. What is looked at (the open chat's list, and the one asked for last) is kept
 * current; others are asked for again when they are needed again.
 */
export interface GroupPeople {
  load(id: number): Promise<Result<null>>;
  /** Something may have changed. However often this is said in a burst, the list is asked for once. */
  touch(id: number): void;
  /** This group's chat is shown. */
  show(id: number): void;
  /** Whose presence is worth asking for. */
  watched(): readonly number[];
  start(): void;
  stop(): void;
  /** Nobody is logged in any more, or the groups of the server are others. */
  forget(): void;
}

export interface GroupPeopleDeps {
  ports: Ports;
  api: Api;
  store: Store;
  book: GroupBook;
  me(): number;
}

/** Lists kept in memory. */
const KEPT_MAX = 20;
/** How long changes are gathered: at least, and for each member of a list. */
const GATHER_MS = 1_000;
const GATHER_MEMBER_MS = 10;
const RETRY_MS = 5_000;

export function createGroupPeople({ ports, api, store, book, me }: GroupPeopleDeps): GroupPeople {
  /** Lists that were asked for, the last one at the end. */
  let asked: readonly number[] = [];
  const stale = new Set<number>();
  const busy = new Map<number, Promise<Result<null>>>();
  let cancelRefresh: (() => void) | null = null;
  /** Rises when lists are forgotten: answers that are under way are dropped. */
  let generation = 0;

  function shown(): number[] {
    const open = parseChatKey(store.get().chats.openKey ?? "");
    const ids = new Set(asked.slice(-1));
    if (open?.type === "GROUP" && asked.includes(open.targetId)) ids.add(open.targetId);
    return [...ids];
  }

  /** Everybody who looks at a large group asks for its list after each change: the larger it is, the more is gathered. */
  function gatherMs(id: number): number {
    const count = store.get().groups.members[id]?.order.length ?? 0;
    return Math.max(GATHER_MS, count * GATHER_MEMBER_MS);
  }

  function refreshIn(ms: number): void {
    cancelRefresh ??= ports.clock.after(ms, refresh);
  }

  function refresh(): void {
    cancelRefresh?.();
    cancelRefresh = null;
    for (const id of shown()) if (stale.has(id)) void ask(id);
  }

  function ask(id: number): Promise<Result<null>> {
    const running = busy.get(id);
    if (running !== undefined) return running;
    const asking = fetch(id);
    busy.set(id, asking);
    return asking;
  }

  async function fetch(id: number): Promise<Result<null>> {
    const [owner, mine] = [me(), generation];
    stale.delete(id);
    if (store.get().groups.members[id]?.state !== "loaded")
      book.change((groups) => markMembers(groups, id, "loading"));
    const list = await api.call(listGroupMembers, { params: { id } }, { quiet: true });
    if (owner !== me() || mine !== generation) return list.ok ? { ok: true, value: null } : list;
    busy.delete(id);
    if (list.ok) book.change((groups) => setMembers(groups, id, list.value));
    else fail(id, list.failure.kind === "refused");
    if (stale.has(id)) refreshIn(list.ok ? gatherMs(id) : RETRY_MS);
    return list.ok ? { ok: true, value: null } : list;
  }

  function fail(id: number, isFinal: boolean): void {
    if (!isFinal) stale.add(id);
    if (isFinal || store.get().groups.members[id]?.state !== "loaded")
      book.change((groups) => markMembers(groups, id, "failed"));
  }

  function use(id: number): void {
    asked = [...asked.filter((known) => known !== id), id];
    if (asked.length <= KEPT_MAX) return;
    const keep = new Set([...asked.slice(-KEPT_MAX), ...shown()]);
    const dropped = asked.filter((known) => !keep.has(known));
    asked = asked.filter((known) => keep.has(known));
    book.change((groups) => dropMembers(groups, dropped));
  }

  return {
    load(id) {
      use(id);
      return ask(id);
    },
    touch(id) {
      if (!asked.includes(id)) return;
      stale.add(id);
      if (!busy.has(id) && shown().includes(id)) refreshIn(gatherMs(id));
    },
    show(id) {
      if (stale.has(id) && asked.includes(id)) void ask(id);
    },
    watched() {
      const { members } = store.get().groups;
      const lists = shown().map((id) => members[id]?.order ?? []);
      return lists.filter((ids) => ids.length <= ONLINE_QUERY_MAX).flat();
    },
    start() {
      for (const id of asked) stale.add(id);
      refresh();
    },
    stop() {
      cancelRefresh?.();
      cancelRefresh = null;
    },
    forget() {
      generation++;
      asked = [];
      stale.clear();
      busy.clear();
      cancelRefresh?.();
      cancelRefresh = null;
    },
  };
}
