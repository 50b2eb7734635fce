import { describe, expect, test } from "vitest";
import type { State } from "@parley/core/model/state";
import { chatOfLink } from "./signed-in-parts.tsx";

const FRIEND = 12;
const GROUP = 3;
const ME = 7;

/** The state of somebody with one friend and one group. */
function stateWith({
  isLoaded = true,
  kind = "active",
}: { isLoaded?: boolean; kind?: "active" | "restoring" } = {}) {
  return {
    session: { kind, userId: ME },
    contacts: { order: [FRIEND], isLoaded },
    groups: { order: [GROUP], isLoaded },
  } as unknown as Pick<State, "session" | "contacts" | "groups">;
}

const to = (chat: "private" | "group", id: number) => ({ kind: "chat", chat, id }) as const;

describe("DT10 the chat of a link", () => {
  test.each([
    ["of a friend", to("private", FRIEND), `PRIVATE:${FRIEND}`],
    ["of a group", to("group", GROUP), `GROUP:${GROUP}`],
    ["of oneself", to("private", ME), `PRIVATE:${ME}`],
    ["of a stranger", to("private", GROUP), "refused"],
    ["of a group in which one is not", to("group", FRIEND), "refused"],
    ["of a group with one's own number", to("group", ME), "refused"],
  ])("%s", (_, link, expected) => {
    expect(chatOfLink(link, stateWith())).toBe(expected);
  });

  test("nobody is refused before friends and groups are loaded, but people who are known already are shown", () => {
    const state = stateWith({ isLoaded: false });
    expect(chatOfLink(to("private", 99), state)).toBe("unknown");
    expect(chatOfLink(to("private", FRIEND), state)).toBe(`PRIVATE:${FRIEND}`);
  });

  test("nothing is opened before the local database is read", () => {
    expect(chatOfLink(to("private", FRIEND), stateWith({ kind: "restoring" }))).toBe("unknown");
  });
});
