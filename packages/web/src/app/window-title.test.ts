import { expect, test } from "vitest";
import type { State } from "@parley/core/model/state";
import { windowTitle } from "./window-title.tsx";

type TitleState = Pick<State, "session" | "me" | "chats" | "firstChats" | "chatPrefs" | "unsentPrefs">;

const stateWith = (
  unread: number,
  me: object | null = { nickName: "沈知远", userName: "shen" },
): TitleState =>
  ({
    session: { kind: "active", userId: 1 },
    me,
    chats: { byKey: { "PRIVATE:2": { type: "PRIVATE", msgRemind: 1, unread } } },
    firstChats: null,
    chatPrefs: {},
    unsentPrefs: {},
  }) as unknown as TitleState;

test("the title is the nickname, else the user name", () => {
  expect(windowTitle(stateWith(0), "Parley")).toBe("沈知远");
  expect(windowTitle(stateWith(0, { nickName: "", userName: "shen" }), "Parley")).toBe("shen");
});

test("the unread count comes before the name", () => {
  expect(windowTitle(stateWith(3), "Parley")).toBe("(3) 沈知远");
  expect(windowTitle(stateWith(120), "Parley")).toBe("(120) 沈知远");
});

test("the title is the product name while nobody is signed in or the user is not known", () => {
  expect(windowTitle(stateWith(0, null), "Parley")).toBe("Parley");
  expect(windowTitle({ ...stateWith(5), session: { kind: "anonymous", ended: null } }, "Parley")).toBe(
    "Parley",
  );
});
