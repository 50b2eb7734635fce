import type { Exclusive } from "./browser-tabs.ts";

/** Who wants to enter waits this long for an objection. */
const OBJECTION_MS = 80;
/** Asks again after this, for a holder that died tells nobody. */
const ASK_AGAIN_MS = 500;

type MutexMessage =
  | { readonly kind: "want"; readonly name: string; readonly tab: string; readonly since: number }
  | { readonly kind: "wait"; readonly name: string; readonly to: string }
  | { readonly kind: "free"; readonly name: string };

interface Claim {
  readonly since: number;
  isHeld: boolean;
  isRefused: boolean;
  /** Wakes the one who waits before his time. */
  wake: (() => void) | null;
}

/**
 * A mutex of tabs that can only talk. Whoever wants in says so; a holder, or somebody who has wanted in for longer (equal times: the
 * smaller tab id), answers "wait". No answer in time means the way is free. Inside one tab calls queue.
 */
export function channelMutex(
  channel: BroadcastChannel | null,
  tab: string,
  now: () => number = Date.now,
): Exclusive {
  const claims = new Map<string, Claim>();
  const queues = new Map<string, Promise<unknown>>();
  const send = (mutexMessage: MutexMessage) => channel?.postMessage(mutexMessage);

  channel?.addEventListener("message", (event: MessageEvent<MutexMessage>) => {
    const mutexMessage = event.data;
    const claim = claims.get(mutexMessage.name);
    if (claim === undefined) return;
    if (mutexMessage.kind === "free") claim.wake?.();
    else if (mutexMessage.kind === "wait" && mutexMessage.to === tab) {
      claim.isRefused = true;
    } else if (mutexMessage.kind === "want") {
      const isMine =
        claim.isHeld ||
        claim.since < mutexMessage.since ||
        (claim.since === mutexMessage.since && tab < mutexMessage.tab);
      if (isMine) send({ kind: "wait", name: mutexMessage.name, to: mutexMessage.tab });
    }
  });

  const enter = async (name: string): Promise<void> => {
    const claim: Claim = { since: now(), isHeld: false, isRefused: false, wake: null };
    claims.set(name, claim);
    for (;;) {
      claim.isRefused = false;
      send({ kind: "want", name, tab, since: claim.since });
      await pause(OBJECTION_MS);
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

  const run = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (channel !== null) await enter(name);
    try {
      return await work();
    } finally {
      claims.delete(name);
      send({ kind: "free", name });
    }
  };

  return (name, work) => {
    const before = queues.get(name) ?? Promise.resolve();
    const mine = before.then(
      () => run(name, work),
      () => run(name, work),
    );
    queues.set(name, mine);
    return mine;
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
