/** A real store in a temporary folder. A test can delay the result of a read until it is out of date. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore } from "../adapters/store/open-store.ts";
import type { Reads, Store } from "../ports/store.ts";

/** Opens a store that is closed and removed when the current test ends. */
export async function openTestStore(): Promise<Store> {
  const path = await mkdtemp(join(tmpdir(), "parley-store-"));
  const onFatal = (error: unknown): never => {
    throw error;
  };
  const store = await openStore({ url: join(path, "parley.sqlite"), onFatal });
  onTestFinished(async () => {
    await store.close();
    await rm(path, { recursive: true, force: true });
  });
  return store;
}

interface PausedRead {
  /** Resolves when the next read of this name has its result. */
  reached: Promise<void>;
  /** Lets the read return its result. Later reads are not delayed. */
  release(): void;
}

/** Delays the next read of this name after it has its result and before it returns it. */
export function pauseRead(store: Store, name: keyof Reads): PausedRead {
  const [reached, reach] = createSignal();
  const [released, release] = createSignal();
  const original = store[name] as (...args: unknown[]) => Promise<unknown>;
  const paused = async (...args: unknown[]) => {
    const result = await original(...args);
    reach();
    await released;
    return result;
  };
  Object.assign(store, { [name]: paused });
  return {
    reached,
    release() {
      Object.assign(store, { [name]: original });
      release();
    },
  };
}

function createSignal(): [Promise<void>, () => void] {
  let resolveSignal = (): void => undefined;
  const signal = new Promise<void>((resolve) => (resolveSignal = resolve));
  return [signal, resolveSignal];
}
