import type { OutboxEntry } from "../model/state.ts";
import type { Ports } from "../ports.ts";
import { broadcastToTabs, isTabMessage, tabLockName } from "../storage/tab-messages.ts";

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

  function named(tmpIds: unknown): OutboxEntry[] {
    return entries().filter(isIn(textsOf(tmpIds)));
  }

  function watch(other: unknown): void {
    if (typeof other !== "string" || alive.has(other)) return;
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

  ports.tabs.listen((message) => {
    if (isTabMessage(message, "tabAlive") && message["userId"] === me) {
      watch(message["tab"]);
      if (message["isNew"] === true) tellAlive(false);
    }
    if (isTabMessage(message, "uploadsAsked") && message["userId"] === me) {
      const tmpIds = ownTmpIds();
      if (tmpIds.length > 0) broadcastToTabs(ports.tabs, { kind: "uploading", userId: me, tmpIds });
    }
    if (isTabMessage(message, "uploading") && message["userId"] === me)
      deps.onLeft(named(message["tmpIds"]).filter(({ tmpId }) => isRestored(tmpId)));
    if (isTabMessage(message, "discarded") && message["userId"] === me)
      deps.onDiscarded(named(message["tmpIds"]).filter(({ failed }) => failed));
    if (isTabMessage(message, "outboxLeft") && message["userId"] === me)
      void deps.takeOver(isIn(textsOf(message["tmpIds"])));
  });

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

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
