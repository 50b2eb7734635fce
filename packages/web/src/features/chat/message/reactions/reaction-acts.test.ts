import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "@parley/core/client-api";
import type { ChatMessage, State } from "@parley/core/model/state";
import { INITIAL_STATE } from "@parley/core/state-store";
import { FRIEND, FRIEND_CHAT, ME, localEcho } from "@parley/core/testing/builders";
import type { Translate } from "../../../../kit/i18n/i18n.ts";
import { setPreferenceStore } from "../../../../kit/settings/preferences.ts";
import { createConversationUi } from "../conversation-ui.ts";
import { joinFirstReaction, quickReactions, reactorNames, toggleReaction } from "./reaction-acts.ts";

const words: Translate = (id, params = {}) => [id, ...Object.values(params)].join(" ");

describe("RE4 who has reacted", () => {
  const nameOf = (id: number) => `P${id}`;
  const names = (first: number[], count: number, isMine: boolean) =>
    reactorNames({ first, count, isMine, key: "👍" }, ME, nameOf, words);

  test("are all named up to three", () => {
    expect(names([2], 1, false)).toBe("P2");
    expect(names([2, 3], 2, false)).toBe("names.last P2 P3");
  });

  test("begin with oneself, also if others were first", () => {
    expect(names([ME], 1, true)).toBe("names.you");
    expect(names([2, ME], 2, true)).toBe("names.last names.you P2");
    expect(names([2, 3, 4], 9, true)).toBe("names.andOthers names.younames.betweenP2names.betweenP3 6");
  });

  test("end with the number of those who are not named", () => {
    expect(names([2, 3, 4], 4, false)).toBe("names.andOthers P2names.betweenP3names.betweenP4 1");
  });
});

describe("reacting", () => {
  const MESSAGE: ChatMessage = {
    ...localEcho("t"),
    id: 7,
    tmpId: null,
    sending: null,
    extra: {
      v: 2,
      reactions: [
        { key: "😂", count: 1, first: [FRIEND] },
        { key: "👍", count: 1, first: [ME] },
      ],
      mine: { reactions: ["👍"] },
      ownV: 1,
    },
  };
  const react = vi.fn(() => Promise.resolve({ ok: true, value: null }));
  const state = { ...INITIAL_STATE, session: { kind: "loggedIn", userId: ME } } as unknown as State;
  const client = { getState: () => state, chats: { react } } as unknown as Client;
  const context = { client, ui: createConversationUi(FRIEND_CHAT) };
  const stored = new Map<string, string>();

  beforeEach(() => {
    setPreferenceStore({
      get: (key) => stored.get(key) ?? null,
      set: (key, value) => void stored.set(key, value),
      remove: (key) => void stored.delete(key),
    });
  });
  afterEach(() => {
    react.mockClear();
    stored.clear();
  });

  test("RE2 takes back what one has chosen, and adds what one has not", () => {
    toggleReaction(MESSAGE, "👍", context);
    expect(react).toHaveBeenLastCalledWith(FRIEND_CHAT, 7, "👍", false);
    toggleReaction(MESSAGE, "😂", context);
    expect(react).toHaveBeenLastCalledWith(FRIEND_CHAT, 7, "😂", true);
  });

  test("RE7 joins the first reaction, and does nothing without one", () => {
    joinFirstReaction({ ...MESSAGE, extra: undefined }, context);
    expect(react).not.toHaveBeenCalled();
    joinFirstReaction(MESSAGE, context);
    expect(react).toHaveBeenLastCalledWith(FRIEND_CHAT, 7, "😂", true);
  });

  test("RE6 the reactions that were used last are offered first, six in all", () => {
    expect(quickReactions()).toEqual(["👍", "❤️", "😂", "😮", "😢", "🙏"]);
    for (const reaction of ["🎉", "#开心;", "😂", "🎉"])
      toggleReaction({ ...MESSAGE, extra: undefined }, reaction, context);
    expect(quickReactions()).toEqual(["🎉", "😂", "#开心;", "👍", "❤️", "😮"]);
    stored.set("parley.reactions", "nonsense 🎉");
    expect(quickReactions()[0]).toBe("🎉");
  });
});
