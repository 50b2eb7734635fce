import { describe, expect, test } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { FRIEND_CHAT, ME } from "../testing/builders.ts";
import { createDraftStash } from "./draft-stash.ts";

const TYPED = {
  key: FRIEND_CHAT,
  text: "half a thought",
  mentions: [{ userId: 7, from: 0, to: 4 }],
  edit: { id: 5, text: "better" },
};

function setUp() {
  const clock = createFakeClock();
  const storage = createMemoryStorage();
  let page = clock.branch();
  const stash = createDraftStash({ clock: page, storage });
  const afterReload = () => {
    // The timers of a page end with it.
    page.stop();
    page = clock.branch();
    return createDraftStash({ clock: page, storage: storage.tab(true) });
  };
  return { clock, storage, stash, afterReload };
}

describe("the draft stash", () => {
  test("gives the page after a reload what was typed just before it", () => {
    const { stash, afterReload } = setUp();
    stash.save(ME, { ...TYPED, text: "half" });
    stash.save(ME, TYPED);
    expect(afterReload().load(ME)).toEqual(TYPED);
  });

  test("is dropped when another person logs in", () => {
    const { stash, afterReload } = setUp();
    stash.save(ME, TYPED);
    expect(afterReload().load(ME + 1)).toBe(null);
    expect(afterReload().load(ME)).toBe(null);
  });

  test("is empty 2 s after a reload, because what the next page shows is in the database", () => {
    const { clock, stash, afterReload } = setUp();
    stash.save(ME, TYPED);
    afterReload().load(ME);
    clock.advance(1_999);
    expect(afterReload().load(ME)).toEqual(TYPED);
    clock.advance(2_000);
    expect(afterReload().load(ME)).toBe(null);
  });

  test("is empty once the database has the draft", () => {
    const { clock, stash, afterReload } = setUp();
    stash.save(ME, TYPED);
    clock.advance(2_000);
    expect(afterReload().load(ME)).toBe(null);
  });

  test("is dropped when another tab changes the draft", () => {
    const { stash, afterReload } = setUp();
    stash.save(ME, TYPED);
    stash.remove(FRIEND_CHAT);
    expect(afterReload().load(ME)).toBe(null);
  });

  test("is dropped when the draft changes elsewhere after a reload", () => {
    const { stash, afterReload } = setUp();
    stash.save(ME, TYPED);
    const next = afterReload();
    next.load(ME);
    next.remove(FRIEND_CHAT);
    expect(afterReload().load(ME)).toBe(null);
  });

  test("is dropped at a logout after a reload", () => {
    const { stash, afterReload } = setUp();
    stash.save(ME, TYPED);
    const next = afterReload();
    next.load(ME);
    next.signedOut();
    expect(afterReload().load(ME)).toBe(null);
  });

  test("does not reach other tabs", () => {
    const { clock, storage, stash } = setUp();
    stash.save(ME, TYPED);
    expect(createDraftStash({ clock, storage: storage.tab(false) }).load(ME)).toBe(null);
  });
});
