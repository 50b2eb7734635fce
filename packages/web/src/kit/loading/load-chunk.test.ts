import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CHUNK_LOAD_TIMEOUT_MS, ChunkError, loadChunk } from "./load-chunk.ts";

describe("a chunk", () => {
  const storage = new Map<string, string>();
  const reload = vi.fn();
  beforeEach(() => {
    vi.useFakeTimers();
    storage.clear();
    reload.mockClear();
    vi.stubGlobal("location", { reload, pathname: "/home/chat" });
    vi.stubGlobal("fetch", () => Promise.resolve({ ok: true }));
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  let isAvailable = false;
  /** Always the same function, because its source text identifies the chunk. */
  const load = () =>
    loadChunk(() => (isAvailable ? Promise.resolve("part") : Promise.reject(new Error("404"))));
  beforeEach(() => {
    isAvailable = false;
  });

  test("that fails reloads the page by itself, once", async () => {
    const settled = vi.fn();
    void load().then(settled, settled);
    await vi.advanceTimersByTimeAsync(1);
    expect(reload).toHaveBeenCalledOnce();
    expect(settled).not.toHaveBeenCalled();
    await expect(load()).rejects.toBeInstanceOf(ChunkError);
    expect(reload).toHaveBeenCalledOnce();
  });

  test("that fails permanently stays failed while other chunks load", async () => {
    void load();
    await vi.advanceTimersByTimeAsync(1);
    expect(await loadChunk(() => Promise.resolve("another part"))).toBe("another part");
    await expect(load()).rejects.toBeInstanceOf(ChunkError);
    expect(reload).toHaveBeenCalledOnce();
  });

  test("that loads again may reload the page at its next failure", async () => {
    void load();
    await vi.advanceTimersByTimeAsync(1);
    isAvailable = true;
    expect(await load()).toBe("part");
    isAvailable = false;
    void load();
    await vi.advanceTimersByTimeAsync(1);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  test("is given up after 120 s", async () => {
    const loading = loadChunk(() => new Promise(() => undefined));
    void loading;
    await vi.advanceTimersByTimeAsync(CHUNK_LOAD_TIMEOUT_MS - 1);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(reload).toHaveBeenCalledOnce();
  });

  test("fails at once without a reload while the server or network is down", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve({ ok: false }));
    await expect(load()).rejects.toBeInstanceOf(ChunkError);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(load()).rejects.toBeInstanceOf(ChunkError);
    expect(reload).not.toHaveBeenCalled();
  });

  test("never reloads when the reload cannot be recorded", async () => {
    vi.stubGlobal("sessionStorage", undefined);
    await expect(load()).rejects.toBeInstanceOf(ChunkError);
    expect(reload).not.toHaveBeenCalled();
  });
});
