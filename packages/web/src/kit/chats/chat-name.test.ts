import { expect, test } from "vitest";
import { friendVO, groupVO, ME, userInfo } from "@parley/core/testing/builders";
import { EMPTY_CONTACTS, EMPTY_GROUPS } from "@parley/core/model/signed-out-state";
import { chatNameOf } from "./chat-name.ts";
import type { Translate } from "../i18n/i18n.ts";

const t: Translate = (id, params) => `${id} ${String(params?.["id"] ?? "")}`.trim();

test("P3 a chat is called by its person or group; the system and notes to oneself have names of their own", () => {
  const state = {
    contacts: { ...EMPTY_CONTACTS, friends: { 3: friendVO({ id: 3, nickName: "Ann" }) } },
    groups: { ...EMPTY_GROUPS, byId: { 9: groupVO({ id: 9, name: "Alpha" }) } },
    me: userInfo(),
  };
  expect(chatNameOf("PRIVATE:3", state, t)).toBe("Ann");
  expect(chatNameOf("PRIVATE:77", state, t)).toBe("person.unknown 77");
  expect(chatNameOf(`PRIVATE:${ME}`, state, t)).toBe("chat.self");
  expect(chatNameOf("GROUP:9", state, t)).toBe("Alpha");
  expect(chatNameOf("GROUP:99", state, t)).toBe("chat.group 99");
  expect(chatNameOf("SYSTEM:0", state, t)).toBe("chat.system");
});
