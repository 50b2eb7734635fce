import { reportEndedClient } from "@parley/protocol/endpoints/calls";
import { type Api, isUnanswered } from "../connection/api.ts";
import type { Result } from "../model/state.ts";
import type { Ports } from "../ports.ts";
import { LOCAL_KEYS, readJson, writeValue } from "../storage/key-value-storage.ts";
import { tabLockName } from "../storage/tab-messages.ts";
import { SHORT_TIMEOUT } from "./repeat-unanswered.ts";

/**
 * The clients of this browser that the server may still have in a call although they are in none. A page that crashes, or that is closed without a
 * network, hangs up nowhere, and its person would be busy until the server misses the heartbeats. The next page, or another tab, reports it earlier.
 */
export interface StaleCalls {
  /** Whether this client is in a call, or has asked the server for one. */
  update(isInCall: boolean): void;
  /** The end of a call was sent to the server. Until it answers, it may not know that the call is over. */
  trackEnd(answer: Promise<Result<null>>, call: NamedCall): void;
  /** The server has let this client into a call that is over here already: reports its end. */
  reportLateEntry(call: NamedCall): void;
  /** Call it when the socket has logged in: reports the clients that are no longer in a call. */
  report(): void;
  /** Resolves when the server has answered all reports that are being sent; null if there are none. */
  pendingReports(): Promise<unknown> | null;
}

/** The call with a person, or that of a group. */
export type NamedCall = { readonly uid: number } | { readonly groupId: number };

/** What stale calls need of the session. */
export interface StaleCallsDeps {
  readonly ports: Pick<Ports, "storage" | "tabs">;
  readonly api: Api;
  readonly me: number;
  readonly clientId: string;
}

/** A browser that does not report the end of pages would collect clients for ever. */
const CLIENTS_MAX = 10;

/** Creates the stale calls of a session. The clients of earlier pages are in the storage. */
export function createStaleCalls({ ports, api, me, clientId }: StaleCallsDeps): StaleCalls {
  const { local } = ports.storage;
  const key = `${LOCAL_KEYS.calls}${me}`;
  const watched = new Set<string>();
  let isInCall = false;
  /** The ends that were sent and that the server has not confirmed. */
  const unconfirmedEnds = new Set<{ readonly call: NamedCall }>();
  const reports = new Set<Promise<void>>();

  function storedClients(): string[] {
    const stored = readJson(local, key);
    return Array.isArray(stored) ? stored.filter((value) => typeof value === "string") : [];
  }

  function store(client: string, mayBeInCall: boolean): void {
    const others = storedClients().filter((one) => one !== client);
    const clients = mayBeInCall ? [...others, client].slice(-CLIENTS_MAX) : others;
    writeValue(local, key, clients.length > 0 ? JSON.stringify(clients) : null);
  }

  async function sendReport(client: string): Promise<void> {
    // This client may be in another call when a late report arrives.
    const ends = client === clientId ? [...unconfirmedEnds] : [];
    const calls = new Map(ends.map(({ call }) => [JSON.stringify(call), call]));
    const named: readonly (NamedCall | undefined)[] = calls.size > 0 ? [...calls.values()] : [undefined];
    for (const call of named) {
      const result = await api.call(
        reportEndedClient,
        { query: { clientId: client, ...call } },
        SHORT_TIMEOUT,
      );
      // Otherwise the next login of the socket tries again.
      if (!hasAnswered(result)) return;
    }
    for (const end of ends) unconfirmedEnds.delete(end);
    if (client === clientId && unconfirmedEnds.size > 0) return;
    if (client !== clientId || !isInCall) store(client, false);
  }

  function report(client: string): void {
    const answer: Promise<void> = sendReport(client).finally(() => reports.delete(answer));
    reports.add(answer);
  }

  return {
    update(isNowInCall) {
      if (isNowInCall === isInCall) return;
      isInCall = isNowInCall;
      store(clientId, isInCall || unconfirmedEnds.size > 0);
    },
    trackEnd(answer, call) {
      const end = { call };
      unconfirmedEnds.add(end);
      // Store it even if the call was already over here: the server may have let this client in just now, and has to undo that.
      store(clientId, true);
      void answer.then((result) => {
        if (!hasAnswered(result)) return;
        unconfirmedEnds.delete(end);
        if (!isInCall && unconfirmedEnds.size === 0) store(clientId, false);
      });
    },
    reportLateEntry(call) {
      if (isInCall) return;
      unconfirmedEnds.add({ call });
      store(clientId, true);
      report(clientId);
    },
    report() {
      for (const client of storedClients()) {
        if (client === clientId) {
          if (!isInCall) report(client);
        } else if (!watched.has(client)) {
          watched.add(client);
          ports.tabs.afterLife(tabLockName(client), async () => {
            watched.delete(client);
            // Not awaited: others wait for the same end, to send what that tab has left.
            if (storedClients().includes(client)) report(client);
          });
        }
      }
    },
    pendingReports: () => (reports.size > 0 ? Promise.all(reports) : null),
  };
}

/** Whether the server has accepted it, or will never do so. */
const hasAnswered = (result: Result<null>): boolean =>
  result.ok || !(isUnanswered(result.failure) || result.failure.kind === "loggedOut");
