import { describe, expect, it } from "vitest";
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
  const stash = createDraftStash({ clock, storage });
  const afterReload = () => createDraftStash({ clock, storage: storage.tab(true) });
  return { clock, storage, stash, afterReload };
}

describe("the draft stash", () => {
  it("gives the page after a reload what was typed just before it", () => {
    const { stash, afterReload } = setUp();
    stash.save(ME, { ...TYPED, text: "half" });
    stash.save(ME, TYPED);
    expect(afterReload().load(ME)).toEqual(TYPED);
    expect(afterReload().load(ME + 1)).toBe(null);
  });

  it("is empty once the database has the draft", () => {
    const { clock, stash, afterReload } = setUp();
    stash.save(ME, TYPED);
    clock.advance(2_000);
    expect(afterReload().load(ME)).toBe(null);
  });

  it("is dropped when another tab changes the draft", () => {
    const { stash, afterReload } = setUp();
    stash.save(ME, TYPED);
    stash.remove(FRIEND_CHAT);
    expect(afterReload().load(ME)).toBe(null);
  });

  it("does not reach other tabs", () => {
    const { clock, storage, stash } = setUp();
    stash.save(ME, TYPED);
    expect(createDraftStash({ clock, storage: storage.tab(false) }).load(ME)).toBe(null);
  });
});
