import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  dropSharedContent,
  hasSharedContent,
  sharedText,
  storeSharedContent,
  takeSharedContent,
} from "../platform/shared-content.ts";
import { EVENT_LIMIT_MS, finishWithEvent } from "./saved-answer.ts";
import { SavedPictures, surplus } from "./saved-pictures.ts";
import { NOT_A_SCREEN } from "./paths.ts";

const ORIGIN = "https://chat.example";
const DAY = 24 * 3_600_000;

/** A cache of the browser in memory, for paths of one origin. */
class FakeCache {
  readonly stored = new Map<string, Response>();
  isFull = false;
  #key = (request: string | Request) =>
    new URL(typeof request === "string" ? request : request.url, ORIGIN).href;
  match = (request: string | Request) => Promise.resolve(this.stored.get(this.#key(request))?.clone());
  delete = (request: string | Request) => Promise.resolve(this.stored.delete(this.#key(request)));
  keys = () => Promise.resolve([...this.stored.keys()].map((url) => new Request(url)));
  put = (request: string | Request, response: Response) => {
    if (this.isFull) return Promise.reject(new DOMException("full", "QuotaExceededError"));
    this.stored.set(this.#key(request), response);
    return Promise.resolve();
  };
  paths = () => [...this.stored.keys()].map((url) => new URL(url).pathname).sort();
}

test("W4 work that a cache never ends does not keep a new version waiting", async () => {
  vi.useFakeTimers();
  const waitUntil = vi.fn<(work: Promise<unknown>) => void>();
  finishWithEvent({ waitUntil }, new Promise(() => {}));
  const ended = vi.fn();
  void waitUntil.mock.calls[0]?.[0].then(ended);
  await vi.advanceTimersByTimeAsync(EVENT_LIMIT_MS - 1);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalled();
  vi.useRealTimers();
});

describe("saved pictures", () => {
  let cache: FakeCache;
  let now: number;
  const create = (limits = { pictures: 3, bytes: 100 }) =>
    new SavedPictures(
      () => Promise.resolve(cache as unknown as Cache),
      limits,
      () => now,
    );
  const picture = (bytes: number) =>
    new Response(new Uint8Array(bytes), { headers: { "content-type": "image/png", "x-private": "1" } });
  beforeEach(() => {
    cache = new FakeCache();
    now = 0;
  });

  test("W8 are found with their type, also by the next service worker", async () => {
    const saved = create();
    await saved.save("/files/a/a.png", picture(10), saved.beginLoading());
    const found = await create().find("/files/a/a.png");
    expect([found?.headers.get("content-type"), (await found?.blob())?.size]).toEqual(["image/png", 10]);
    expect(found?.headers.has("x-private")).toBe(false);
    expect(await create().all()).toEqual([{ url: "/files/a/a.png", bytes: 10, seenAt: 0 }]);
    expect(await saved.find("/files/b/b.png")).toBeUndefined();
  });

  test("W8 that were not seen for longest are removed when there are too many, also those of the worker before", async () => {
    for (const name of ["/1", "/2", "/3"]) {
      now += DAY;
      await create().save(name, picture(10), 0);
    }
    now += DAY;
    // Seen again.
    await create().save("/1", picture(10), 0);
    now += DAY;
    await create().save("/4", picture(10), 0);
    expect(cache.paths()).toEqual(["/1", "/3", "/4"]);
    now += DAY;
    await create().save("/5", picture(85), 0);
    expect(cache.paths()).toEqual(["/4", "/5"]);
  });

  test("W8 the ones to remove are decided by number and by size", () => {
    const all = [
      { url: "old", bytes: 1, seenAt: 1 },
      { url: "new", bytes: 5, seenAt: 3 },
      { url: "middle", bytes: 4, seenAt: 2 },
    ];
    expect(surplus(all, { pictures: 3, bytes: 10 })).toEqual([]);
    expect(surplus(all, { pictures: 3, bytes: 9 })).toEqual(["old"]);
    expect(surplus(all, { pictures: 1, bytes: 10 })).toEqual(["middle", "old"]);
    expect(surplus(all, { pictures: 3, bytes: 4 })).toEqual(["new", "middle", "old"]);
  });

  test("W8 a picture that is seen again within a day is not written again", async () => {
    const saved = create();
    await saved.save("/1", picture(10), 0);
    cache.isFull = true;
    now = DAY - 1;
    await saved.save("/1", picture(10), 0);
    expect(cache.paths()).toEqual(["/1"]);
  });

  test("W8 a browser that refuses more room gets all of it back, and can be asked again", async () => {
    const saved = create();
    await saved.save("/1", picture(10), 0);
    cache.isFull = true;
    await saved.save("/2", picture(10), 0);
    expect([cache.paths(), await saved.all()]).toEqual([[], []]);
    cache.isFull = false;
    await saved.save("/2", picture(10), 0);
    expect(cache.paths()).toEqual(["/2"]);
  });

  test("W8 a removed picture is no longer found", async () => {
    const saved = create();
    await saved.save("/1", picture(10), 0);
    await saved.remove("/1");
    expect([await saved.find("/1"), await saved.all()]).toEqual([undefined, []]);
  });

  test("W9 a sign-out removes all, and what began to load before it is not saved", async () => {
    const saved = create();
    await saved.save("/1", picture(10), saved.beginLoading());
    const loading = saved.beginLoading();
    await Promise.all([saved.clear(), saved.save("/2", picture(10), loading)]);
    expect(cache.paths()).toEqual([]);
    await saved.save("/3", picture(10), saved.beginLoading());
    expect(cache.paths()).toEqual(["/3"]);
  });

  test("a failed change does not stop the next one", async () => {
    const saved = create();
    const broken = new Response(new ReadableStream({ start: (stream) => stream.error(new Error("cut")) }));
    await expect(saved.save("/1", broken, 0)).rejects.toThrow("cut");
    await saved.save("/2", picture(10), 0);
    expect(cache.paths()).toEqual(["/2"]);
  });
});

test.each([
  "/api/x",
  "/api",
  "/im",
  "/files/a/b.png",
  "/assets/x.js",
  "/service-worker.js",
  "/readyz",
  "/emoticons/1.gif",
  "/third-party-licences.txt",
  "/robots.txt",
  "/favicon.ico",
  "/apiary",
  "/.well-known/security.txt",
  "/homes",
])("W2 %s is no screen of the program", (path) => expect(NOT_A_SCREEN.test(path)).toBe(true));

test.each([
  "/",
  "/?a=/x",
  "/login",
  "/register?code=1",
  "/admin",
  "/home/chat",
  "/home/chat/PRIVATE:5",
  "/home/files",
])("W7 %s is a screen of the program", (path) => expect(NOT_A_SCREEN.test(path)).toBe(false));

test.each([
  [["A page", "", "https://a.example/x"], "A page\nhttps://a.example/x"],
  [["A page", "See https://a.example/x", "https://a.example/x"], "A page\nSee https://a.example/x"],
  [["A page", "A page: the end", ""], "A page: the end"],
  [["", "  only text  ", ""], "only text"],
  [["same", "same", "same"], "same"],
  [["", "", ""], ""],
])("W11 title, text and address %j are the text %j", (parts, text) => {
  expect(sharedText(parts)).toBe(text);
});

describe("W11 what another app shares", () => {
  beforeEach(() => {
    const all = new Map<string, FakeCache>();
    const open = (name: string) => {
      const cache = all.get(name) ?? new FakeCache();
      all.set(name, cache);
      return Promise.resolve(cache);
    };
    const has = (name: string) => Promise.resolve(all.has(name));
    vi.stubGlobal("caches", { open, has, delete: (name: string) => Promise.resolve(all.delete(name)) });
    return () => vi.unstubAllGlobals();
  });
  const form = (text: string, ...files: File[]) => {
    const data = new FormData();
    data.set("text", text);
    for (const file of files) data.append("files", file);
    return data;
  };

  test("can be taken once, with the names and types of its files", async () => {
    expect(await hasSharedContent()).toBe(false);
    await storeSharedContent(form("hi", new File(["abc"], "相片.png", { type: "image/png" })), 1_000);
    expect(await hasSharedContent()).toBe(true);
    const content = await takeSharedContent(2_000);
    expect(content?.text).toBe("hi");
    const [file] = content?.files ?? [];
    expect([file?.name, file?.type, await file?.text()]).toEqual(["相片.png", "image/png", "abc"]);
    expect(await hasSharedContent()).toBe(false);
    expect(await takeSharedContent(2_000)).toBeNull();
  });

  test("replaces what nobody took", async () => {
    await storeSharedContent(form("first", new File(["a"], "a.txt")), 1_000);
    await storeSharedContent(form("second"), 1_000);
    expect(await takeSharedContent(1_000)).toEqual({ text: "second", files: [] });
  });

  test("is forgotten after an hour, and by a sign-out", async () => {
    await storeSharedContent(form("late"), 0);
    expect(await takeSharedContent(3_600_000)).toBeNull();
    await storeSharedContent(form("private"), 0);
    await dropSharedContent();
    expect(await takeSharedContent(0)).toBeNull();
  });
});
