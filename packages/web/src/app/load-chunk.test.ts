import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CHUNK_LOAD_TIMEOUT_MS } from "@parley/protocol/limits";
import { ChunkError, loadChunk } from "./load-chunk.ts";

describe("a part of the program", () => {
  const marks = new Map<string, string>();
  const reload = vi.fn();
  beforeEach(() => {
    vi.useFakeTimers();
    marks.clear();
    reload.mockClear();
    vi.stubGlobal("location", { reload });
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => marks.get(key) ?? null,
      setItem: (key: string, value: string) => void marks.set(key, value),
      removeItem: (key: string) => void marks.delete(key),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const broken = () => loadChunk(() => Promise.reject(new Error("404")));

  test("that fails reloads the page by itself, once", async () => {
    const settled = vi.fn();
    void broken().then(settled, settled);
    await vi.advanceTimersByTimeAsync(1);
    expect(reload).toHaveBeenCalledOnce();
    expect(settled).not.toHaveBeenCalled();
    await expect(broken()).rejects.toBeInstanceOf(ChunkError);
    expect(reload).toHaveBeenCalledOnce();
  });

  test("that loads gives the next failure its reload back", async () => {
    void broken();
    await vi.advanceTimersByTimeAsync(1);
    await loadChunk(() => Promise.resolve("part"));
    void broken();
    await vi.advanceTimersByTimeAsync(1);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  test("is given up after 120 s", async () => {
    marks.set("parley.reloadedForChunk", "yes");
    const loading = loadChunk(() => new Promise(() => undefined)).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(CHUNK_LOAD_TIMEOUT_MS - 1);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await loading).toBeInstanceOf(ChunkError);
  });

  test("never reloads where the reload could not be remembered", async () => {
    vi.stubGlobal("sessionStorage", undefined);
    await expect(broken()).rejects.toBeInstanceOf(ChunkError);
    expect(reload).not.toHaveBeenCalled();
  });
});
