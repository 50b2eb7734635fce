import type { Tabs } from "@parley/core/ports";
import { whenNeverGranted } from "./stuck-lock.ts";

/** Runs `work` while no other tab runs work of the same name. */
export type Exclusive = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const CHANNEL = "parley";

/** The other tabs of this origin. Without Web Locks (plain http) a mutex over channels is used; without channels a tab acts as the only one. */
export function browserTabs(randomId: () => string): Tabs {
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(CHANNEL) : null;
  const locks = "locks" in navigator ? (navigator.locks as LockManager | undefined) : undefined;
  const exclusive: Exclusive =
    locks !== undefined ? (name, work) => withLock(locks, `parley.${name}`, work) : lazyMutex(randomId());
  return {
    broadcast(message) {
      channel?.postMessage(message);
    },
    listen(listener) {
      const handleMessage = ({ data }: MessageEvent<unknown>) => listener(withOwnFiles(data));
      channel?.addEventListener("message", handleMessage);
      return () => channel?.removeEventListener("message", handleMessage);
    },
    exclusive,
    ...(locks === undefined ? NO_SIGNS_OF_LIFE : signsOfLife(locks)),
  };
}

/** A browser lets a page upload no file of the disk that was chosen in another one, but a part of it, which may be the whole. */
function withOwnFiles(message: unknown): unknown {
  if (typeof message !== "object" || message === null) return message;
  const own = (value: unknown) => (value instanceof File ? new File([value], value.name, value) : value);
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, own(value)]));
}

/** Only the browser itself can tell that a page has crashed. */
const NO_SIGNS_OF_LIFE: Pick<Tabs, "live" | "afterLife"> = {
  live: () => () => undefined,
  afterLife: () => () => undefined,
};

/** Signs of life are Web Locks, which the browser releases when their page is gone. */
function signsOfLife(locks: LockManager): Pick<Tabs, "live" | "afterLife"> {
  function request(name: string, work: () => Promise<void>): AbortController {
    const waiting = new AbortController();
    let isStarted = false;
    const turn = locks.request(`parley.alive.${name}`, { signal: waiting.signal }, () => {
      isStarted = true;
      return work();
    });
    turn.catch((error: unknown) => {
      // Otherwise the wait was ended, or the browser gives no locks to a page without storage.
      if (isStarted) throw error;
    });
    return waiting;
  }

  return {
    live(name, onAlive) {
      const life = new AbortController();
      const waiting = request(name, () => {
        onAlive();
        return new Promise((resolve) => life.signal.addEventListener("abort", () => resolve()));
      });
      return () => {
        waiting.abort();
        life.abort();
      };
    },
    afterLife(name, work) {
      const waiting = request(name, work);
      return () => waiting.abort();
    },
  };
}

/** The mutex for browsers without Web Locks; few need it, so its code is loaded lazily. */
function lazyMutex(tab: string): Exclusive {
  let mutex: Promise<Exclusive> | null = null;
  return async (name, work) => {
    mutex ??= import("./channel-mutex.ts").then(({ channelMutex }) =>
      channelMutex("BroadcastChannel" in globalThis ? new BroadcastChannel(`${CHANNEL}.mutex`) : null, tab),
    );
    return (await mutex)(name, work);
  };
}

/**
 * Runs `work` under a Web Lock. It runs without one if the browser refuses, as some do in a page without storage, or if it does not grant a
 * lock that nobody holds.
 */
async function withLock<T>(locks: LockManager, name: string, work: () => Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const stopLooking = whenNeverGranted(locks, name, () => waiting.abort());
  let isStarted = false;
  try {
    return await locks.request(name, { signal: waiting.signal }, () => {
      stopLooking();
      isStarted = true;
      return work();
    });
  } catch (error) {
    if (isStarted) throw error;
    return work();
  } finally {
    stopLooking();
  }
}
