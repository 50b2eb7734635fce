import { describe, expect, onTestFinished, test, vi } from "vitest";
import { guardedKeyValue } from "./key-value.ts";
import { browserRandom } from "./browser-random.ts";
import { readAgent } from "./user-agent.ts";

test("random ids have the form of a UUID of version 7 and do not repeat", () => {
  const ids = Array.from({ length: 1_000 }, () => browserRandom.id());
  expect(
    ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toEqual([]);
  expect(new Set(ids).size).toBe(1_000);
});

test("random ids that are made later sort after earlier ones", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const ids = [
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00.001Z",
    "2026-01-02T00:00:00Z",
    "2040-01-01T00:00:00Z",
  ].map((time) => {
    vi.setSystemTime(new Date(time));
    return browserRandom.id();
  });
  expect(ids.toSorted()).toEqual(ids);
});

describe("the key-value storage", () => {
  test("stores values in the browser's storage", () => {
    const map = new Map<string, string>();
    const area = {
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => void map.set(key, value),
      removeItem: (key: string) => void map.delete(key),
    } as unknown as Storage;
    const values = guardedKeyValue(() => area);
    values.set("a", "1");
    expect([map.get("a"), values.get("a")]).toEqual(["1", "1"]);
    values.remove("a");
    expect(values.get("a")).toBeNull();
  });

  test("holds values in memory where the browser refuses storage", () => {
    const values = guardedKeyValue(() => {
      throw new DOMException("denied", "SecurityError");
    });
    expect(values.get("a")).toBeNull();
    values.set("a", "1");
    expect(values.get("a")).toBe("1");
    values.remove("a");
    expect(values.get("a")).toBeNull();
  });
});

describe("readAgent", () => {
  test.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
      "Windows",
      "Edge 141",
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
      "Linux",
      "Chrome 141",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15",
      "macOS",
      "Safari 19",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
      "iOS",
      "Safari 19",
    ],
    ["Mozilla/5.0 (Android 16; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0", "Android", "Firefox 144"],
    ["curl/8", "Unknown", "Unknown"],
  ])("finds system and browser in %s", (agent, os, browser) => {
    expect(readAgent(agent)).toEqual({ os, browser });
  });
});
