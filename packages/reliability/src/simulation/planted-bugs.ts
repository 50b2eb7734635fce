/**
 * Planted bugs that the simulation must find. Each replaces a part between the modules (the store, the bus, the database of a device),
 * never the code of the product itself.
 */
import { MessageType } from "@parley/protocol/codes";
import type { Bus, BusEvent } from "@parley/server/ports/bus";
import type { ChangeSet } from "@parley/server/ports/change-store";
import type { PrivateRow } from "@parley/server/ports/private-message-store";
import type { Store, Tx } from "@parley/server/ports/store";
import type { Simulation } from "./simulation.ts";

/** A bug to plant. */
export interface PlantedBug {
  readonly name: string;
  /** Wraps the store of a node each time it starts. */
  store?(store: Store, simulation: Simulation): Store;
  bus?(bus: Bus, simulation: Simulation): Bus;
  /** The databases of devices drop messages and store the rest of the same write. */
  readonly losesMessages?: boolean;
  /** It shows only in runs with files. */
  readonly hasFiles?: boolean;
  /** It shows only in runs with reactions. */
  readonly hasReactions?: boolean;
}

/** `base` with some members replaced. */
function withReplacedParts<T extends object>(base: T, part: Partial<T>): T {
  return new Proxy(base, {
    get: (target, name): unknown => Reflect.get(Object.hasOwn(part, name) ? part : target, name),
  });
}

function withTx(store: Store, change: (tx: Tx) => Partial<Tx>): Store {
  return withReplacedParts(store, {
    write: (work) => store.write((tx) => work(withReplacedParts(tx, change(tx)))),
  });
}

/** A bus that changes pushes, or drops them where `change` returns null. */
function withPushes(
  bus: Bus,
  change: (push: Extract<BusEvent, { kind: "push" }>) => Extract<BusEvent, { kind: "push" }> | null,
): Bus {
  return withReplacedParts(bus, {
    publish(event) {
      const changed = event.kind === "push" ? change(event) : event;
      if (changed !== null) bus.publish(changed);
    },
  });
}

/** A bus that drops the pushes that contain a text. */
export function withoutPushesOf(bus: Bus, frameText: string, isDropped: () => boolean = () => true): Bus {
  return withPushes(bus, (push) => (push.frame.includes(frameText) && isDropped() ? null : push));
}

let suffixCount = 0;
/** The message with a unique tmpId, as if the store had no unique index. */
function withUniqueTmpId<M extends { tmpId: string | null }>(message: M): M {
  return message.tmpId === null ? message : { ...message, tmpId: `${message.tmpId}~${++suffixCount}` };
}

function withoutUnique(store: Store): Store {
  return withReplacedParts(store, {
    async appendPrivate(message) {
      const { row, isNew } = await store.appendPrivate(withUniqueTmpId(message));
      return { row: { ...row, tmpId: message.tmpId }, isNew };
    },
    async appendGroup(message) {
      const appended = await store.appendGroup(withUniqueTmpId(message));
      if (appended === "senderLeft") return appended;
      const { row, isNew } = appended;
      return { row: { ...row, tmpId: message.tmpId }, isNew };
    },
  });
}

/** The row that a message would become if it was stored now. */
function guessedRow(simulation: Simulation, message: Parameters<Store["appendPrivate"]>[0]): PrivateRow {
  const newest = simulation.rawDb.prepare<[], number>("select max(id) from message").pluck().get() ?? 0;
  const nothing = {
    receivedAt: null,
    tip: null,
    act: null,
    onlyFor: null,
    quote: null,
    editedAt: null,
    noticeId: null,
  };
  return { ...nothing, ...message, id: newest + 1 };
}

/** Longer than the overlap of a pull. */
const LATE_MS = 60_000;

/** All planted bugs. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: "a message is published before the commit",
    store: (store, simulation) =>
      withReplacedParts(store, {
        async appendPrivate(message) {
          if (!simulation.random.isTrueWithProbability(0.2)) return store.appendPrivate(message);
          void simulation.runLater(() => store.appendPrivate(message));
          return { row: guessedRow(simulation, message), isNew: true };
        },
      }),
  },
  {
    name: "a message is acknowledged and not stored",
    store: (store, simulation) =>
      withReplacedParts(store, {
        appendGroup: async (message) => {
          if (!simulation.random.isTrueWithProbability(0.05)) return store.appendGroup(message);
          // The commit fails after the answer, so the row is removed.
          const appended = await store.appendGroup(message);
          if (appended !== "senderLeft")
            simulation.rawDb.prepare("delete from message where id = ?").run(appended.row.id);
          return appended;
        },
      }),
  },
  { name: "(sendId, tmpId) is not unique", store: (store) => withoutUnique(store) },
  {
    name: "repeats are known only to the memory of one node",
    store(store) {
      const withoutIndex = withoutUnique(store);
      const remembered = new Map<string, Awaited<ReturnType<Store["appendPrivate"]>>["row"]>();
      return withReplacedParts(withoutIndex, {
        async appendPrivate(message) {
          const key = `${message.sendId} ${message.tmpId}`;
          const row = remembered.get(key);
          if (row !== undefined) return { row, isNew: false };
          const appended = await withoutIndex.appendPrivate(message);
          remembered.set(key, appended.row);
          return appended;
        },
      });
    },
  },
  {
    name: "a repeat is answered with another id",
    store: (store) =>
      withReplacedParts(store, {
        async appendPrivate(message) {
          const { row, isNew } = await store.appendPrivate(message);
          return isNew ? { row, isNew } : { row: { ...row, id: row.id + 1 }, isNew };
        },
      }),
  },
  {
    name: "an id is assigned before the lock of the commit",
    store(store, simulation) {
      const uncommitted = new Set<number>();
      const isCommitted = ({ id }: PrivateRow) => !uncommitted.has(id);
      return withReplacedParts(store, {
        async appendPrivate(message) {
          const appended = await store.appendPrivate(message);
          if (!simulation.random.isTrueWithProbability(0.05)) return appended;
          uncommitted.add(appended.row.id);
          // This call waits for the clock, so it must not count as in flight.
          simulation.delays.inFlight--;
          await new Promise<void>((resolve) => {
            simulation.clock.after(LATE_MS, resolve);
          });
          simulation.delays.inFlight++;
          uncommitted.delete(appended.row.id);
          return appended;
        },
        listPrivate: async (...args) => (await store.listPrivate(...args)).filter(isCommitted),
        listHistory: async (...args) =>
          (await store.listHistory(...args)).filter(({ id }) => !uncommitted.has(id)),
      });
    },
  },
  {
    name: "a pull has no overlap",
    store: (store) =>
      withReplacedParts(store, {
        startPrivatePull: (userId, window) => store.startPrivatePull(userId, { ...window, overlapMs: 0 }),
        startGroupPull: (userId, window) => store.startGroupPull(userId, { ...window, overlapMs: 0 }),
      }),
  },
  {
    name: "a pull ends one row too early",
    store: (store, simulation) =>
      withReplacedParts(store, {
        listPrivate: async (...args) => {
          const rows = await store.listPrivate(...args);
          return simulation.random.isTrueWithProbability(0.3) ? rows.slice(0, -1) : rows;
        },
      }),
  },
  {
    name: "a pull shows messages from before joining",
    store: (store, simulation) =>
      withReplacedParts(store, {
        async startGroupPull(userId, window) {
          const pull = await store.startGroupPull(userId, window);
          const all = simulation.rawDb
            .prepare<[number], number>(
              `select m.id from message m join groupMember g on g.groupId = m.chatId
               where g.userId = ? and g.quit = 0 and m.onlyFor is null order by m.id`,
            )
            .pluck()
            .all(userId);
          return { ...pull, ids: [...new Set([...pull.ids, ...all])].sort((a, b) => a - b) };
        },
      }),
  },
  {
    name: "the end of a pull is not reported",
    bus: (bus, simulation) =>
      withoutPushesOf(bus, '"content":"false"', () => simulation.random.isTrueWithProbability(0.1)),
  },
  {
    name: "a read position is not sent to one's other devices",
    bus: (bus) => withoutPushesOf(bus, `"type":${MessageType.READED},`),
  },
  {
    name: "a read position is missing in the change feed",
    store: (store) =>
      withReplacedParts(store, {
        listChanges: async (...args): Promise<ChangeSet> => ({
          ...(await store.listChanges(...args)),
          read: [],
        }),
      }),
  },
  {
    name: "a read position moves back",
    store: (store, simulation) =>
      withTx(store, (tx) => ({
        async raisePrivateRead(...args) {
          const raised = await tx.raisePrivateRead(...args);
          void simulation.runLater(async () => {
            simulation.rawDb
              .prepare("update privateChat set readId = readId - 1 where readId > 1 and ownerId = ?")
              .run(args[0]);
          });
          return raised;
        },
      })),
  },
  {
    name: "a quote is not checked",
    store: (store, simulation) =>
      withTx(store, (tx) => ({
        async appendPrivate(message) {
          const foreign = simulation.rawDb
            .prepare<[], { id: number; sendId: number; content: string; type: number }>(
              "select id, sendId, content, type from message where chatId < 0 and type = 0 order by id desc limit 1",
            )
            .get();
          if (!message.quote || foreign === undefined) return tx.appendPrivate(message);
          return tx.appendPrivate({ ...message, quote: { ...foreign, isRecalled: false } });
        },
      })),
  },
  {
    name: "one's other devices do not get what one sends",
    bus: (bus) =>
      withPushes(bus, ({ audience, ...push }) => ({
        ...push,
        audience: {
          ...audience,
          userIds: audience.except
            ? audience.userIds.filter((id) => id !== audience.except?.userId)
            : audience.userIds,
        },
      })),
  },
  {
    name: "somebody else gets a push",
    bus: (bus, simulation) =>
      withPushes(bus, ({ audience, ...push }) => ({
        ...push,
        audience: simulation.random.isTrueWithProbability(0.02)
          ? { ...audience, userIds: [...audience.userIds, simulation.random.pick(simulation.people).id] }
          : audience,
      })),
  },
  {
    name: "a removed person is remembered as a member",
    store: (store) => withReplacedParts(store, { memberChanges: async () => Infinity }),
    bus: (bus) =>
      withReplacedParts(bus, {
        publish(event) {
          if (event.kind !== "staleGroup") bus.publish(event);
        },
      }),
  },
  { name: "an edit is not sent", bus: (bus) => withoutPushesOf(bus, `"type":${MessageType.EDIT},`) },
  { name: "a recall is not sent", bus: (bus) => withoutPushesOf(bus, `"type":${MessageType.RECALL},`) },
  {
    name: "a recall is sent and not stored",
    store: (store) => withTx(store, () => ({ recallMessage: async () => [] })),
  },
  {
    name: "an edit is sent and not stored",
    store: (store) => withTx(store, () => ({ editMessage: async () => [] })),
  },
  {
    name: "the files of a message are not kept",
    hasFiles: true,
    store: (store) => withTx(store, () => ({ nameFiles: async () => true })),
  },
  {
    name: "a reaction is not sent to one's other devices",
    hasReactions: true,
    bus: (bus) => withPushes(bus, (push) => (push.frame.includes('"mine":{"reactions"') ? null : push)),
  },
  {
    name: "reactions are missing in the change feed",
    hasReactions: true,
    store: (store) =>
      withReplacedParts(store, {
        listExtraChanges: async (...args) => ({ ...(await store.listExtraChanges(...args)), changes: [] }),
      }),
  },
  {
    name: "an older state of reactions replaces a newer one",
    hasReactions: true,
    bus: (bus, simulation) =>
      withPushes(bus, ({ frame, ...push }) => ({
        ...push,
        frame: simulation.random.isTrueWithProbability(0.1)
          ? frame.replace(/"extra":\{"v":\d+/, '"extra":{"v":9007199254740000')
          : frame,
      })),
  },
  { name: "the database of a device drops messages and keeps the cursor", losesMessages: true },
];
