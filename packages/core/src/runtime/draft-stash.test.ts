import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { FRIEND_CHAT, ME } from "../testing/builders.ts";
import { createDraftStash } from "./draft-stash.ts";

function stashes() {
  const clock = createFakeClock();
  const storage = createMemoryStorage();
  const stash = createDraftStash({ clock, storage });
  const afterReload = () => createDraftStash({ clock, storage: storage.tab(true) });
  return { clock, storage, stash, afterReload };
}

describe("the draft stash", () => {
  it("gives the page after a reload what was typed at the last moment", () => {
    const { stash, afterReload } = stashes();
    stash.put(ME, FRIEND_CHAT, "half");
    stash.put(ME, FRIEND_CHAT, "half a thought");
    expect(afterReload().find(ME)).toEqual({ key: FRIEND_CHAT, text: "half a thought" });
    expect(afterReload().find(ME + 1)).toBe(null);
  });

  it("holds nothing once the database has it", () => {
    const { clock, stash, afterReload } = stashes();
    stash.put(ME, FRIEND_CHAT, "half a thought");
    clock.advance(2_000);
    expect(afterReload().find(ME)).toBe(null);
  });

  it("yields to another tab", () => {
    const { stash, afterReload } = stashes();
    stash.put(ME, FRIEND_CHAT, "half a thought");
    stash.drop(FRIEND_CHAT);
    expect(afterReload().find(ME)).toBe(null);
  });

  it("does not reach other tabs", () => {
    const { clock, storage, stash } = stashes();
    stash.put(ME, FRIEND_CHAT, "half a thought");
    expect(createDraftStash({ clock, storage: storage.tab(false) }).find(ME)).toBe(null);
  });
});
