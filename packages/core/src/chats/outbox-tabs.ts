import type { OutboxEntry } from "../model/state.ts";
import type { Ports } from "../ports.ts";
import { broadcastToTabs, listenToOwnTabs, tabLockName } from "../storage/tab-messages.ts";

/**
 * Which tab of this browser sends a message. All tabs have one outbox in the local database, but only the tab in which a file was chosen
 * can upload it, and what waits behind the file must not overtake it. A tab that is opened leaves these messages to that tab; when a tab
 * is closed, or crashes, another one takes its messages over.
 */
export interface OutboxTabs {
  /** From now on the other tabs notice when this one ends, and this one when they do. */
  start(): void;
  /** Asks which messages other tabs send. */
  ask(): void;
  /** The page is closed and all is saved: another tab may send what this one has not sent. */
  handOver(): void;
  /** The person does not want this message sent; other tabs may show it as failed. */
  discarded(tmpId: string): void;
}

/** What the tabs tell each other about, and where they report to. */
export interface OutboxTabsDeps {
  readonly ports: Pick<Ports, "tabs">;
  /** The id of the person signed in. */
  readonly me: number;
  /** The name of this tab. */
  readonly tab: string;
  entries(): readonly OutboxEntry[];
  /** Whether this tab has the file of the message. */
  hasFile(tmpId: string): boolean;
  /** Whether this tab has read the message from the local database, and not written it. */
  isRestored(tmpId: string): boolean;
  /** Another tab sends these messages. */
  onLeft(entries: readonly OutboxEntry[]): void;
  /** The person has discarded these messages in another tab. */
  onDiscarded(entries: readonly OutboxEntry[]): void;
  /** The tab that would have sent these messages of the local database is gone. */
  takeOver(isLeft: (entry: OutboxEntry) => boolean): Promise<void>;
}

/** Listens to the other tabs. */
export function createOutboxTabs(deps: OutboxTabsDeps): OutboxTabs {
  const { ports, me, tab, entries, hasFile, isRestored } = deps;
  /** The tabs whose end is noticed, and this one. */
  const alive = new Set([tab]);

  /** The messages that only this tab can send in their order: those with files, and what it has written behind them. */
  function ownTmpIds(): string[] {
    const withFiles = entries().filter(({ tmpId }) => hasFile(tmpId));
    const waitingChats = new Set(withFiles.filter(({ failed }) => !failed).map(({ chatKey }) => chatKey));
    return entries()
      .filter(
        ({ tmpId, chatKey, failed }) =>
          hasFile(tmpId) || (!failed && !isRestored(tmpId) && waitingChats.has(chatKey)),
      )
      .map(({ tmpId }) => tmpId);
  }

  const named = (tmpIds: readonly string[]) => entries().filter(isIn(tmpIds));

  function watch(other: string): void {
    if (alive.has(other)) return;
    alive.add(other);
    ports.tabs.afterLife(tabLockName(other), async () => {
      alive.delete(other);
      // It may have been about to send what a tab before it had left.
      await deps.takeOver((entry) => !alive.has(entry.tab));
    });
  }

  function tellAlive(isNew: boolean): void {
    broadcastToTabs(ports.tabs, { kind: "tabAlive", userId: me, tab, isNew });
  }

  listenToOwnTabs(ports.tabs, me, "tabAlive", (message) => {
    watch(message.tab);
    if (message.isNew) tellAlive(false);
  });
  listenToOwnTabs(ports.tabs, me, "uploadsAsked", () => {
    const tmpIds = ownTmpIds();
    if (tmpIds.length > 0) broadcastToTabs(ports.tabs, { kind: "uploading", userId: me, tmpIds });
  });
  listenToOwnTabs(ports.tabs, me, "uploading", ({ tmpIds }) =>
    deps.onLeft(named(tmpIds).filter(({ tmpId }) => isRestored(tmpId))),
  );
  listenToOwnTabs(ports.tabs, me, "discarded", ({ tmpIds }) =>
    deps.onDiscarded(named(tmpIds).filter(({ failed }) => failed)),
  );
  listenToOwnTabs(ports.tabs, me, "outboxLeft", ({ tmpIds }) => void deps.takeOver(isIn(tmpIds)));

  return {
    start: () => void ports.tabs.live(tabLockName(tab), () => tellAlive(true)),
    ask: () => broadcastToTabs(ports.tabs, { kind: "uploadsAsked", userId: me }),
    discarded: (tmpId) => broadcastToTabs(ports.tabs, { kind: "discarded", userId: me, tmpIds: [tmpId] }),
    handOver() {
      const tmpIds = entries().map(({ tmpId }) => tmpId);
      if (tmpIds.length > 0) broadcastToTabs(ports.tabs, { kind: "outboxLeft", userId: me, tmpIds });
    },
  };
}

const isIn =
  (tmpIds: readonly string[]) =>
  ({ tmpId }: OutboxEntry) =>
    tmpIds.includes(tmpId);
