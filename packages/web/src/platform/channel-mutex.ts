import type { Exclusive } from "./browser-tabs.ts";

/** How long a tab that wants the mutex waits for an objection. */
const OBJECTION_MS = 80;
/** When to ask again, because a tab that was closed while holding the mutex does not release it. */
const ASK_AGAIN_MS = 500;

type MutexMessage =
  | { readonly kind: "want"; readonly name: string; readonly tab: string; readonly since: number }
  | { readonly kind: "wait"; readonly name: string; readonly to: string }
  | { readonly kind: "free"; readonly name: string };

interface Claim {
  readonly since: number;
  isHeld: boolean;
  isRefused: boolean;
  /** Ends the wait for the next request early. */
  wake: (() => void) | null;
}

/**
 * A mutex for tabs over a BroadcastChannel. A tab that wants it sends "want"; the holder, or a tab that has wanted it for longer (at equal
 * times the one with the smaller id), answers "wait". Without an answer in time the tab has the mutex. Calls inside one tab are queued.
 */
export function channelMutex(
  channel: BroadcastChannel | null,
  tab: string,
  now: () => number = Date.now,
): Exclusive {
  const claims = new Map<string, Claim>();
  const queues = new Map<string, Promise<unknown>>();
  const send = (message: MutexMessage) => channel?.postMessage(message);

  channel?.addEventListener("message", (event: MessageEvent<MutexMessage>) => {
    const message = event.data;
    const claim = claims.get(message.name);
    if (claim === undefined) return;
    if (message.kind === "free") claim.wake?.();
    else if (message.kind === "wait" && message.to === tab) {
      claim.isRefused = true;
    } else if (message.kind === "want") {
      const hasPriority =
        claim.isHeld || claim.since < message.since || (claim.since === message.since && tab < message.tab);
      if (hasPriority) send({ kind: "wait", name: message.name, to: message.tab });
    }
  });

  const acquire = async (name: string): Promise<void> => {
    const claim: Claim = { since: now(), isHeld: false, isRefused: false, wake: null };
    claims.set(name, claim);
    for (;;) {
      claim.isRefused = false;
      send({ kind: "want", name, tab, since: claim.since });
      await sleep(OBJECTION_MS);
      if (!claim.isRefused) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ASK_AGAIN_MS);
        claim.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      claim.wake = null;
    }
    claim.isHeld = true;
  };

  const runExclusive = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (channel !== null) await acquire(name);
    try {
      return await work();
    } finally {
      claims.delete(name);
      send({ kind: "free", name });
    }
  };

  return (name, work) => {
    const previous = queues.get(name) ?? Promise.resolve();
    const current = previous.then(
      () => runExclusive(name, work),
      () => runExclusive(name, work),
    );
    queues.set(name, current);
    return current;
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
