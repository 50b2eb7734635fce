import { reportEndedClient } from "@parley/protocol/endpoints/calls";
import { type Api, isUnanswered } from "../connection/api.ts";
import type { Result } from "../model/state.ts";
import type { Ports } from "../ports.ts";
import { LOCAL_KEYS, readJson, writeValue } from "../storage/key-value-storage.ts";
import { tabLockName } from "../storage/tab-messages.ts";
import { PROMPT } from "./repeat-unanswered.ts";

/**
 * Which clients of this browser the server may have in a call. A page that crashes hangs up nowhere, and neither does one that is closed
 * without a network: then this person would be busy until the server misses the heartbeats. The next page, or another tab, tells it earlier.
 */
export interface CallMarks {
  /** Whether this client is in a call, or has asked the server for one. */
  update(isInCall: boolean): void;
  /** The end of a call was sent to the server. Until it answers, it may not know that the call is over. */
  told(answer: Promise<Result<null>>, call: NamedCall): void;
  /** The server has let this client into a call that is over here already. */
  enteredLate(call: NamedCall): void;
  /** Call it when the socket has logged in: reports the clients that are no longer in a call. */
  report(): void;
  /** Resolves when the server has answered all reports that are being sent; null if there are none. */
  reporting(): Promise<unknown> | null;
}

/** The call with a person, or that of a group. */
export type NamedCall = { readonly uid: number } | { readonly groupId: number };

/** What marks need of the session. */
export interface CallMarksDeps {
  readonly ports: Pick<Ports, "storage" | "tabs">;
  readonly api: Api;
  readonly me: number;
  readonly clientId: string;
}

/** A browser that does not tell of pages that are gone would collect marks for ever. */
const MARKS_MAX = 10;

/** Creates the marks of a session. Those of earlier pages are in the storage. */
export function createCallMarks({ ports, api, me, clientId }: CallMarksDeps): CallMarks {
  const { local } = ports.storage;
  const key = `${LOCAL_KEYS.calls}${me}`;
  const watched = new Set<string>();
  let isInCall = false;
  /** The ends of which the server may not know, one for each that it was told. */
  const owed = new Set<{ readonly call: NamedCall }>();
  const reports = new Set<Promise<void>>();

  function read(): string[] {
    const stored = readJson(local, key);
    return Array.isArray(stored) ? stored.filter((value) => typeof value === "string") : [];
  }

  function change(client: string, isMarked: boolean): void {
    const others = read().filter((one) => one !== client);
    const marked = isMarked ? [...others, client].slice(-MARKS_MAX) : others;
    writeValue(local, key, marked.length > 0 ? JSON.stringify(marked) : null);
  }

  async function tellGone(client: string): Promise<void> {
    // This client may be in another call when a late report arrives.
    const ends = client === clientId ? [...owed] : [];
    const calls = new Map(ends.map(({ call }) => [JSON.stringify(call), call]));
    const named: readonly (NamedCall | undefined)[] = calls.size > 0 ? [...calls.values()] : [undefined];
    for (const call of named) {
      const result = await api.call(reportEndedClient, { query: { clientId: client, ...call } }, PROMPT);
      // Otherwise the next login of the socket tries again.
      if (!hasAnswered(result)) return;
    }
    for (const end of ends) owed.delete(end);
    if (client === clientId && owed.size > 0) return;
    if (client !== clientId || !isInCall) change(client, false);
  }

  function report(client: string): void {
    const answer: Promise<void> = tellGone(client).finally(() => reports.delete(answer));
    reports.add(answer);
  }

  return {
    update(isNowInCall) {
      if (isNowInCall === isInCall) return;
      isInCall = isNowInCall;
      change(clientId, isInCall || owed.size > 0);
    },
    told(answer, call) {
      const end = { call };
      owed.add(end);
      // Mark it even if the call was already over here: the server may have let this client in just now, and has to undo that.
      change(clientId, true);
      void answer.then((result) => {
        if (!hasAnswered(result)) return;
        owed.delete(end);
        if (!isInCall && owed.size === 0) change(clientId, false);
      });
    },
    enteredLate(call) {
      if (isInCall) return;
      owed.add({ call });
      change(clientId, true);
      report(clientId);
    },
    report() {
      for (const client of read()) {
        if (client === clientId) {
          if (!isInCall) report(client);
        } else if (!watched.has(client)) {
          watched.add(client);
          ports.tabs.afterLife(tabLockName(client), async () => {
            watched.delete(client);
            // Not awaited: others wait for the same end, to send what that tab has left.
            if (read().includes(client)) report(client);
          });
        }
      }
    },
    reporting: () => (reports.size > 0 ? Promise.all(reports) : null),
  };
}

/** Whether the server has accepted it, or will never do so. */
const hasAnswered = (result: Result<null>): boolean =>
  result.ok || !(isUnanswered(result.failure) || result.failure.kind === "loggedOut");
