import { expect, test } from "vitest";
import type { Typist } from "@parley/core/model/chats/typing";
import { INITIAL_STATE } from "@parley/core/state-store";
import { FRIEND, FRIEND_CHAT, GROUP, GROUP_CHAT, memberVO } from "@parley/core/testing/builders";
import { EMPTY_GROUPS } from "@parley/core/model/signed-out-state";
import { setMembers } from "@parley/core/model/groups/groups-state";
import type { TextId, TextParams } from "../i18n/i18n.ts";
import { typingText } from "./typing-text.ts";

const t = (id: TextId, params: TextParams = {}) => [id, ...Object.values(params)].join(" ");
const typist = (userId: number, what: Typist["what"] = "text"): Typist => ({
  userId,
  name: `No. ${userId}`,
  what,
});
const text = (key: typeof FRIEND_CHAT, ...typists: Typist[]) =>
  typingText(
    key,
    {
      ...INITIAL_STATE,
      groups: setMembers(EMPTY_GROUPS, GROUP, [memberVO({ userId: 11, showNickName: "小王" })]),
      typists: typists.length === 0 ? {} : { [key]: typists },
    },
    t,
  );

test("TY4 a private chat says what its other person does, without the name", () => {
  expect(text(FRIEND_CHAT)).toBeNull();
  expect(text(FRIEND_CHAT, typist(FRIEND))).toBe("chat.typing");
  expect(text(FRIEND_CHAT, typist(FRIEND, "voice"))).toBe("chat.recording");
});

test("TY4 a group names one or two people, as it names them elsewhere, and no more", () => {
  expect(text(GROUP_CHAT)).toBeNull();
  expect(text(GROUP_CHAT, typist(11))).toBe("chat.typingOne 小王");
  expect(text(GROUP_CHAT, typist(12, "voice"))).toBe("chat.recordingOne No. 12");
  expect(text(GROUP_CHAT, typist(12), typist(11, "voice"))).toBe("chat.typingTwo No. 12 小王");
  expect(text(GROUP_CHAT, typist(12), typist(11), typist(13))).toBe("chat.typingMany");
});
