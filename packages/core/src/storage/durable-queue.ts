import { isUnanswered } from "../connection/api.ts";
import type { Failure } from "../model/state.ts";
import type { Ports } from "../ports.ts";

/**
 * Entries for the server, kept on this device until the server has acknowledged or refused them. Entries of one lane are sent one
 * after another, lanes do not wait for each other. Without an answer an entry is sent again, so sending it twice must be harmless.
 */
export interface DurableQueue<Entry> {
  entries(): readonly Entry[];
  get(id: string): Entry | undefined;
  /** Reads the entries that waited before a reload; those added while they are read come after them. Sends nothing. */
  restore(): Promise<void>;
  /**
   * Saves an entry, in the place of the one with the same id if there is one, and sends what is first in its lane. Resolves after this
   * attempt: with the failure if the server has refused, else with null.
   */
  put(entry: Entry): Promise<Failure | null>;
  /** The server has these, or the person does not want them sent. */
  remove(ids: readonly string[]): void;
  /** Forgets these here; the local database keeps them for the tab that sends them. */
  leaveTo(ids: readonly string[]): void;
  /** The network may be back: sends all that wait. */
  retry(): void;
  /** Saves all entries again: the local database has been cleared. */
  saveAll(): void;
  /** Forgets all entries. The local database has been cleared already. */
  drop(): void;
}

/** What differs between queues. */
export interface DurableQueueOptions<Entry> {
  ports: Pick<Ports, "clock" | "environment" | "log">;
  idOf(entry: Entry): string;
  /** Otherwise each entry has a lane of its own. */
  laneOf?(entry: Entry): string;
  /** How long an entry waits for a newer one that replaces it; otherwise it is sent at once. */
  delayMs?: number;
  /** False: the entry stays in the queue without being sent. */
  isWaiting?(entry: Entry): boolean;
  load(): Promise<readonly Entry[]>;
  save(changed: readonly Entry[], removedIds: readonly string[]): void;
  /** Tells the server; returns why it failed. */
  send(entry: Entry): Promise<Failure | null>;
  /** No answer: the entry is sent again. */
  onUnanswered?(entry: Entry): void;
  /** Returns what stays in the place of the refused entry and must not wait, or null. */
  onRefused?(entry: Entry, failure: Failure): Entry | null;
}

const RETRY_MS = 5_000;
const HTTP_TOO_MANY_REQUESTS = 429;

/** Creates a queue; `restore` loads what a reload interrupted. */
export function createDurableQueue<Entry>(options: DurableQueueOptions<Entry>): DurableQueue<Entry> {
  const { idOf, laneOf = idOf, save, delayMs = 0 } = options;
  const { clock, environment } = options.ports;
  let entries = new Map<string, Entry>();
  const inFlight = new Set<string>();
  const scheduled = new Set<string>();

  const isWaiting = (entry: Entry) => options.isWaiting?.(entry) ?? true;

  const firstIn = (lane: string) =>
    [...entries.values()].find((entry) => laneOf(entry) === lane && isWaiting(entry));

  function wake(lane: string): Promise<Failure | null> {
    if (delayMs === 0) return sendNext(lane);
    if (!inFlight.has(lane) && firstIn(lane) !== undefined) schedule(lane, delayMs);
    return Promise.resolve(null);
  }

  function schedule(lane: string, ms: number): void {
    if (scheduled.has(lane)) return;
    scheduled.add(lane);
    clock.after(ms, () => {
      scheduled.delete(lane);
      void sendNext(lane);
    });
  }

  async function sendNext(lane: string): Promise<Failure | null> {
    if (inFlight.has(lane) || !environment.hasNetwork()) return null;
    const entry = firstIn(lane);
    if (entry === undefined) return null;
    inFlight.add(lane);
    let failure: Failure | null;
    try {
      failure = await options.send(entry);
    } catch (error) {
      // The entry waits like one without an answer; the lane must not wait for ever.
      options.ports.log.warn("an entry could not be sent", { reason: String(error) });
      failure = { kind: "network", reason: "unreadable" };
    } finally {
      inFlight.delete(lane);
    }
    // It may have been acknowledged, dropped or replaced since.
    const isCurrent = entries.get(idOf(entry)) === entry;
    if (isCurrent && failure !== null && mayPass(failure)) {
      options.onUnanswered?.(entry);
      schedule(lane, RETRY_MS);
      return null;
    }
    if (isCurrent) finish(entry, failure);
    void wake(lane);
    return isCurrent ? failure : null;
  }

  function finish(entry: Entry, failure: Failure | null): void {
    const rest = failure === null ? null : options.onRefused?.(entry, failure);
    if (rest) store(rest);
    else remove([idOf(entry)]);
  }

  function store(entry: Entry): void {
    entries.set(idOf(entry), entry);
    save([entry], []);
  }

  function remove(ids: readonly string[]): void {
    const removedIds = ids.filter((id) => entries.delete(id));
    if (removedIds.length > 0) save([], removedIds);
  }

  return {
    entries: () => [...entries.values()],
    get: (id) => entries.get(id),
    async restore() {
      const stored = await options.load();
      const added = [...entries.values()];
      entries = new Map([...stored, ...added].map((entry) => [idOf(entry), entry]));
      // Entries that were added while the database was being opened are not saved yet.
      if (added.length > 0) save(added, []);
    },
    put(entry) {
      store(entry);
      return wake(laneOf(entry));
    },
    remove,
    leaveTo(ids) {
      for (const id of ids) entries.delete(id);
    },
    retry() {
      for (const lane of new Set([...entries.values()].map(laneOf))) void wake(lane);
    },
    saveAll: () => save([...entries.values()], []),
    drop() {
      entries = new Map();
    },
  };
}

/** Whether the same request may succeed later. A refusal stays the same however often it is sent. */
export function mayPass(failure: Failure): boolean {
  const isTooEarly = failure.kind === "http" && failure.status === HTTP_TOO_MANY_REQUESTS;
  return isUnanswered(failure) || failure.kind === "loggedOut" || isTooEarly;
}
