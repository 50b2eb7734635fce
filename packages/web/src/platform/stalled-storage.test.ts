import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  afterRequest,
  deleteIndexedDb,
  openIndexedDb,
  requestResult,
  transactionDone,
} from "./indexed-db.ts";
import { hasSharedContent, takeSharedContent } from "./shared-content.ts";
import { whenNeverGranted } from "./stuck-lock.ts";
import { becomeLeader } from "./system-notification.ts";
import { withinTime } from "./time-limit.ts";

const NO_ANSWER = "the database does not answer";

/** A request that the browser leaves without an answer until a test answers it. */
function silentRequest(): IDBOpenDBRequest & { answer(type: string, result?: unknown): void } {
  const target = new EventTarget();
  return Object.assign(target, {
    result: undefined,
    error: null,
    answer(type: string, result?: unknown) {
      Object.assign(target, { result });
      target.dispatchEvent(Object.assign(new Event(type), { oldVersion: 0 }));
    },
  }) as never;
}

/** What became of a promise: "waits", or its result or the text of its error. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = promise.then(
    (value) => value,
    (error: unknown) => (error instanceof Error ? error.message : error),
  );
  return Promise.race([outcome, Promise.resolve().then(() => Promise.resolve().then(() => "waits"))]);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("I110 a database that neither opens nor fails", () => {
  const open = () => openIndexedDb("stalled", { version: 1, upgrade: () => undefined });

  test("is given up after some seconds, and closed if it opens later", async () => {
    const request = silentRequest();
    vi.spyOn(indexedDB, "open").mockReturnValue(request);
    const opened = open();
    opened.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await outcomeOf(opened)).toBe("waits");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await outcomeOf(opened)).toBe(NO_ANSWER);
    const close = vi.fn();
    request.answer("success", { close });
    expect(close).toHaveBeenCalledOnce();
  });

  test("may take longer while it gets a newer schema", async () => {
    const request = silentRequest();
    vi.spyOn(indexedDB, "open").mockReturnValue(request);
    const opened = open();
    opened.catch(() => undefined);
    request.answer("upgradeneeded");
    await vi.advanceTimersByTimeAsync(100_000);
    expect(await outcomeOf(opened)).toBe("waits");
    const database = new EventTarget();
    request.answer("success", database);
    expect(await outcomeOf(opened)).toBe(database);
  });

  test("waits for another tab to close an older version, and is given up if that tab does not", async () => {
    const request = silentRequest();
    vi.spyOn(indexedDB, "open").mockReturnValue(request);
    const opened = openIndexedDb("stalled", { version: 2, upgrade: () => undefined, blockedMs: 60_000 });
    opened.catch(() => undefined);
    request.answer("blocked");
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await outcomeOf(opened)).toBe("waits");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcomeOf(opened)).toBe("another tab keeps an older version of the database open");
    const close = vi.fn();
    request.answer("success", { close });
    expect(close).toHaveBeenCalledOnce();
  });

  test("is not waited for when it is to be deleted", async () => {
    vi.spyOn(indexedDB, "deleteDatabase").mockReturnValue(silentRequest());
    const deleted = deleteIndexedDb("stalled");
    deleted.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await outcomeOf(deleted)).toBe(NO_ANSWER);
  });
});

describe("I110 a request that is never answered", () => {
  test("is given up when nothing else is answered either", async () => {
    const read = requestResult(silentRequest());
    read.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(13_000);
    expect(await outcomeOf(read)).toBe("waits");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await outcomeOf(read)).toBe(NO_ANSWER);
  });

  test("waits as long as a longer write goes on, which it may be behind", async () => {
    const read = requestResult(silentRequest());
    read.catch(() => undefined);
    for (let batch = 0; batch < 5; batch++) {
      await vi.advanceTimersByTimeAsync(10_000);
      const written = silentRequest();
      afterRequest(written, () => undefined);
      written.answer("success");
    }
    expect(await outcomeOf(read)).toBe("waits");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await outcomeOf(read)).toBe(NO_ANSWER);
  });

  test("is not given up because the page was suspended", async () => {
    const request = silentRequest();
    const read = requestResult(request);
    // A page that sleeps for an hour finds one timer due when it wakes up.
    await vi.advanceTimersByTimeAsync(2_000);
    request.answer("success", "row");
    expect(await outcomeOf(read)).toBe("row");
  });

  test("a transaction that is given up is aborted, so that it cannot overtake a later one", async () => {
    const abort = vi.fn();
    const transaction = Object.assign(new EventTarget(), { error: null, abort }) as never;
    const done = transactionDone(transaction);
    done.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await outcomeOf(done)).toBe(NO_ANSWER);
    expect(abort).toHaveBeenCalledOnce();
  });
});

describe("I111 a lock that is never granted", () => {
  const locksWith = (held: readonly string[] | null) => {
    const query = () =>
      held === null ? new Promise(() => {}) : Promise.resolve({ held: held.map((name) => ({ name })) });
    return { query, request: () => new Promise(() => {}) } as unknown as LockManager;
  };

  test.each([
    ["held by nobody", [] as string[], 1],
    ["held under another name", ["other"], 1],
    ["held by another tab", ["mine"], 0],
    ["the browser does not say", null, 1],
  ])("%s", async (_, held, count) => {
    const onStuck = vi.fn();
    const stop = whenNeverGranted(locksWith(held), "mine", onStuck);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onStuck).toHaveBeenCalledTimes(count);
    stop();
  });

  test("is no longer checked once it was granted", async () => {
    const onStuck = vi.fn();
    whenNeverGranted(locksWith([]), "mine", onStuck)();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onStuck).not.toHaveBeenCalled();
  });

  test("lets this tab show the notifications", async () => {
    vi.stubGlobal("navigator", { locks: locksWith([]) });
    const onLeader = vi.fn();
    becomeLeader("notifier", onLeader);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(onLeader).toHaveBeenCalledOnce();
  });
});

describe("W12 a cache that never answers", () => {
  test("holds nothing that another app has shared", async () => {
    const never = () => new Promise(() => {});
    vi.stubGlobal("caches", { has: never, open: never });
    const found = hasSharedContent();
    const taken = takeSharedContent(0);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await outcomeOf(found)).toBe(false);
    expect(await outcomeOf(taken)).toBeNull();
  });

  test.each([
    ["an answer in time", Promise.resolve("saved"), "saved"],
    ["none in time", new Promise<string>(() => {}), "fetched"],
  ])("%s", async (_, work, expected) => {
    const result = withinTime(work, 3_000, () => "fetched");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await result).toBe(expected);
  });

  test("a failure stays a failure", async () => {
    const failing = withinTime(Promise.reject(new Error("full")), 3_000, () => "fetched");
    expect(await outcomeOf(failing)).toBe("full");
  });
});
