import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { channelMutex } from "./channel-mutex.ts";

/** A channel whose messages arrive in the next task, as a BroadcastChannel's do. */
class FakeChannel extends EventTarget {
  static readonly all = new Set<FakeChannel>();
  isDead = false;
  constructor() {
    super();
    FakeChannel.all.add(this);
  }
  postMessage(data: unknown): void {
    if (this.isDead) return;
    for (const other of FakeChannel.all) {
      if (other === this || other.isDead) continue;
      setTimeout(() => !other.isDead && other.dispatchEvent(new MessageEvent("message", { data })), 1);
    }
  }
}

const createTab = (name: string, channel = new FakeChannel()) => ({
  channel,
  exclusive: channelMutex(channel as unknown as BroadcastChannel, name, () => Date.now()),
});

describe("a tab mutex over BroadcastChannel", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    FakeChannel.all.clear();
  });
  afterEach(() => vi.useRealTimers());

  test("runs the work of one tab at a time, and eventually of every tab", async () => {
    const tabs = ["a", "b", "c", "d"].map((name) => createTab(name));
    let inside = 0;
    let maxInside = 0;
    const order: number[] = [];
    const all = Promise.all(
      tabs.map(({ exclusive }, index) =>
        exclusive("refresh", async () => {
          maxInside = Math.max(maxInside, ++inside);
          await new Promise((resolve) => setTimeout(resolve, 300));
          inside--;
          order.push(index);
        }),
      ),
    );
    await vi.advanceTimersByTimeAsync(20_000);
    await all;
    expect(maxInside).toBe(1);
    expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  });

  test("does not wait for work with another name", async () => {
    const [first, second] = [createTab("a"), createTab("b")];
    const held = first.exclusive("x", () => new Promise(() => undefined));
    void held;
    const done = vi.fn(() => Promise.resolve("done"));
    const result = second.exclusive("y", done);
    await vi.advanceTimersByTimeAsync(200);
    expect(await result).toBe("done");
  });

  test("is released when the tab that holds it is closed", async () => {
    const [first, second] = [createTab("a"), createTab("b")];
    void first.exclusive("x", () => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(100);
    const done = vi.fn(() => Promise.resolve());
    const waiting = second.exclusive("x", done);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(done).not.toHaveBeenCalled();
    first.channel.isDead = true;
    await vi.advanceTimersByTimeAsync(1_000);
    await waiting;
    expect(done).toHaveBeenCalledOnce();
  });

  test("is released after a failure and rejects with the error", async () => {
    const { exclusive } = createTab("a");
    const failing = exclusive("x", () => Promise.reject(new Error("no"))).catch(
      (error: Error) => error.message,
    );
    const after = exclusive("x", () => Promise.resolve("yes"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failing).toBe("no");
    expect(await after).toBe("yes");
  });

  test("queues work inside one tab without a channel", async () => {
    const exclusive = channelMutex(null, "a");
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} in`);
      await Promise.resolve();
      log.push(`${name} out`);
    };
    await Promise.all([exclusive("x", work("1")), exclusive("x", work("2"))]);
    expect(log).toEqual(["1 in", "1 out", "2 in", "2 out"]);
  });
});
