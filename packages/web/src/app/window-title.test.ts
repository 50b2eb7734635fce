import { expect, test } from "vitest";
import type { State } from "@parley/core/model/state";
import { windowTitle } from "./window-title.tsx";

type Seen = Pick<State, "session" | "me" | "chats">;

const seen = (unread: number, me: object | null = { nickName: "沈知远", userName: "shen" }): Seen =>
  ({
    session: { kind: "active", userId: 1 },
    me,
    chats: { byKey: { "PRIVATE:2": { type: "PRIVATE", msgRemind: 1, unread } } },
  }) as unknown as Seen;

test("the title is the nickname, else the user name", () => {
  expect(windowTitle(seen(0), "Parley")).toBe("沈知远");
  expect(windowTitle(seen(0, { nickName: "", userName: "shen" }), "Parley")).toBe("shen");
});

test("the unread count comes before the name", () => {
  expect(windowTitle(seen(3), "Parley")).toBe("(3) 沈知远");
  expect(windowTitle(seen(120), "Parley")).toBe("(120) 沈知远");
});

test("the title is the product name while nobody is signed in or the user is not known", () => {
  expect(windowTitle(seen(0, null), "Parley")).toBe("Parley");
  expect(windowTitle({ ...seen(5), session: { kind: "anonymous", ended: null } }, "Parley")).toBe("Parley");
});
