/** A real store in a folder of its own whose reads a test can hold up: what they found comes late, when it may be old. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore } from "../adapters/store/open-store.ts";
import type { Reads, Store } from "../ports/store.ts";

/** Closed and removed when the test that runs is over. */
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
  /** The next such read has found its answer. */
  reached: Promise<void>;
  /** The answer comes; later reads are not held. */
  release(): void;
}

/** Holds the next read of this name between finding its answer and giving it. */
export function pauseRead(store: Store, name: keyof Reads): PausedRead {
  const [reached, reach] = createSignal();
  const [released, release] = createSignal();
  const original = store[name] as (...args: unknown[]) => Promise<unknown>;
  const late = async (...args: unknown[]) => {
    const found = await original(...args);
    reach();
    await released;
    return found;
  };
  Object.assign(store, { [name]: late });
  return {
    reached,
    release() {
      Object.assign(store, { [name]: original });
      release();
    },
  };
}

function createSignal(): [Promise<void>, () => void] {
  let give = (): void => undefined;
  const signal = new Promise<void>((resolve) => (give = resolve));
  return [signal, give];
}
