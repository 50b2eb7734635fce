/**
 * Ways to build the product wrongly that the simulation must find. Each takes the place of something between the parts (the store, the
 * bus, the disk of a device), never of the product's own code.
 */
import { MessageType } from "@parley/protocol/codes";
import type { Bus, BusEvent } from "../../ports/bus.ts";
import type { ChangeSet, PrivateRow, Store, Tx } from "../../ports/store.ts";
import type { Simulation } from "./simulation.ts";

export interface PlantedBug {
  readonly name: string;
  /** Of each node, made anew when it starts again. */
  store?(store: Store, simulation: Simulation): Store;
  bus?(bus: Bus, simulation: Simulation): Bus;
  /** The disks of devices drop messages and keep the rest of the same write. */
  readonly losesMessages?: boolean;
}

/** `base`, with some of its parts replaced. */
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

/** Only what is pushed; `null` keeps it back. */
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

function withoutPushesOf(bus: Bus, mark: string, isDropped: () => boolean = () => true): Bus {
  return withPushes(bus, (push) => (push.frame.includes(mark) && isDropped() ? null : push));
}

let suffixes = 0;
/** A tmpId that no other row has: as if the store had no unique index. */
function unbound<M extends { tmpId: string | null }>(message: M): M {
  return message.tmpId === null ? message : { ...message, tmpId: `${message.tmpId}~${++suffixes}` };
}

function withoutUnique(store: Store): Store {
  return withReplacedParts(store, {
    async appendPrivate(message) {
      const { row, isNew } = await store.appendPrivate(unbound(message));
      return { row: { ...row, tmpId: message.tmpId }, isNew };
    },
    async appendGroup(message) {
      const { row, isNew } = await store.appendGroup(unbound(message));
      return { row: { ...row, tmpId: message.tmpId }, isNew };
    },
  });
}

/** A row as it would be, were it stored now. */
function guessedRow(simulation: Simulation, message: Parameters<Store["appendPrivate"]>[0]): PrivateRow {
  const newest =
    simulation.probe.prepare<[], number>("select max(id) from privateMessage").pluck().get() ?? 0;
  const nothing = { tip: null, act: null, onlyFor: null, quote: null, editedAt: null, noticeId: null };
  return { ...nothing, ...message, id: newest + 1 };
}

/** Longer than a pull looks back. */
const LATE_MS = 60_000;

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: "a message is told before it is committed",
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
    name: "a message is acknowledged and not kept",
    store: (store, simulation) =>
      withReplacedParts(store, {
        appendGroup: async (message) => {
          if (!simulation.random.isTrueWithProbability(0.05)) return store.appendGroup(message);
          // The commit fails behind its answer: what was appended is undone.
          const appended = await store.appendGroup(message);
          simulation.probe.prepare("delete from groupMessage where id = ?").run(appended.row.id);
          return appended;
        },
      }),
  },
  { name: "(sendId, tmpId) is not unique", store: (store) => withoutUnique(store) },
  {
    name: "repeats are known by the memory of a node alone",
    store(store) {
      const open = withoutUnique(store);
      const known = new Map<string, Awaited<ReturnType<Store["appendPrivate"]>>["row"]>();
      return withReplacedParts(open, {
        async appendPrivate(message) {
          const key = `${message.sendId} ${message.tmpId}`;
          const row = known.get(key);
          if (row !== undefined) return { row, isNew: false };
          const appended = await open.appendPrivate(message);
          known.set(key, appended.row);
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
    name: "an id is given before the lock of the commit",
    store(store, simulation) {
      const late = new Set<number>();
      const isThere = ({ id }: PrivateRow) => !late.has(id);
      return withReplacedParts(store, {
        async appendPrivate(message) {
          const appended = await store.appendPrivate(message);
          if (!simulation.random.isTrueWithProbability(0.05)) return appended;
          late.add(appended.row.id);
          // Nothing moves until the clock does.
          simulation.delays.inFlight--;
          await new Promise<void>((resolve) => {
            simulation.clock.after(LATE_MS, resolve);
          });
          simulation.delays.inFlight++;
          late.delete(appended.row.id);
          return appended;
        },
        listPrivate: async (...args) => (await store.listPrivate(...args)).filter(isThere),
        privateHistory: async (...args) => (await store.privateHistory(...args)).filter(isThere),
      });
    },
  },
  {
    name: "a pull does not look back",
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
    name: "a pull shows what was said before one came",
    store: (store, simulation) =>
      withReplacedParts(store, {
        async startGroupPull(userId, window) {
          const pull = await store.startGroupPull(userId, window);
          const all = simulation.probe
            .prepare<[number], number>(
              `select m.id from groupMessage m join groupMember g on g.groupId = m.groupId
               where g.userId = ? and g.quit = 0 and m.onlyFor is null order by m.id`,
            )
            .pluck()
            .all(userId);
          return { ...pull, ids: [...new Set([...pull.ids, ...all])].sort((a, b) => a - b) };
        },
      }),
  },
  {
    name: "the end of a pull is forgotten",
    bus: (bus, simulation) =>
      withoutPushesOf(bus, '"content":"false"', () => simulation.random.isTrueWithProbability(0.1)),
  },
  {
    name: "a read position is not told to one's other devices",
    bus: (bus) => withoutPushesOf(bus, `"type":${MessageType.READED},`),
  },
  {
    name: "changes leave out what was read",
    store: (store) =>
      withReplacedParts(store, {
        listChanges: async (...args): Promise<ChangeSet> => ({
          ...(await store.listChanges(...args)),
          read: [],
        }),
      }),
  },
  {
    name: "a read position goes back",
    store: (store, simulation) =>
      withTx(store, (tx) => ({
        async raisePrivateRead(...args) {
          const raised = await tx.raisePrivateRead(...args);
          void simulation.runLater(async () => {
            simulation.probe
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
          const foreign = simulation.probe
            .prepare<[], { id: number; sendId: number; content: string; type: number }>(
              "select id, sendId, content, type from privateMessage where type = 0 order by id desc limit 1",
            )
            .get();
          if (!message.quote || foreign === undefined) return tx.appendPrivate(message);
          return tx.appendPrivate({ ...message, quote: { ...foreign, isRecalled: false } });
        },
      })),
  },
  {
    name: "one's other devices do not hear what one sends",
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
    name: "somebody else hears",
    bus: (bus, simulation) =>
      withPushes(bus, ({ audience, ...push }) => ({
        ...push,
        audience: simulation.random.isTrueWithProbability(0.02)
          ? { ...audience, userIds: [...audience.userIds, simulation.random.pick(simulation.people).id] }
          : audience,
      })),
  },
  {
    name: "who was removed is remembered as a member",
    store: (store) => withReplacedParts(store, { memberChanges: async () => Infinity }),
    bus: (bus) =>
      withReplacedParts(bus, {
        publish(event) {
          if (event.kind !== "staleGroup") bus.publish(event);
        },
      }),
  },
  { name: "an edit is not told", bus: (bus) => withoutPushesOf(bus, `"type":${MessageType.EDIT},`) },
  { name: "a recall is not told", bus: (bus) => withoutPushesOf(bus, `"type":${MessageType.RECALL},`) },
  {
    name: "a recall is told and not kept",
    store: (store) => withTx(store, () => ({ recallPrivate: async () => undefined })),
  },
  {
    name: "an edit is told and not kept",
    store: (store) => withTx(store, () => ({ editPrivate: async () => undefined })),
  },
  { name: "the disk of a device drops messages and keeps the cursor", losesMessages: true },
];
