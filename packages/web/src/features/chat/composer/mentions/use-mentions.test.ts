import { expect, test } from "vitest";
import type { State } from "@parley/core/model/state";
import { GroupRole } from "@parley/protocol/codes";
import { mentionsToSend } from "./use-mentions.ts";

const GROUP = 9;

function state(role: GroupRole): Pick<State, "groups"> {
  const byId = { [GROUP]: { id: GROUP, role, quit: false, dissolve: false, isBanned: false } };
  const members = {
    [GROUP]: { byId: { 7: { quit: false }, 8: { quit: true } }, order: [7], state: "loaded" },
  };
  return { groups: { byId, members } } as unknown as Pick<State, "groups">;
}

const send = (text: string, userId: number, from: number, to: number, role: GroupRole = GroupRole.MEMBER) =>
  mentionsToSend(state(role), GROUP, text, [{ userId, from, to }]);

test("trimming the text shifts mention ranges", () =>
  expect(send("  @Bo Li  ", 7, 2, 8)).toEqual([{ userId: 7, from: 0, to: 6 }]));

test("a mention whose end is trimmed away is dropped", () => expect(send("@Bo ", 7, 0, 4)).toEqual([]));

test("a former member is not mentioned, an unknown user is", () => {
  expect(send("@Li", 8, 0, 3)).toEqual([]);
  expect(send("@Li", 99, 0, 3)).toHaveLength(1);
});

test("everyone is mentioned only by a member with that right", () => {
  expect(send("@all", -1, 0, 4)).toEqual([]);
  expect(send("@all", -1, 0, 4, GroupRole.ADMIN)).toHaveLength(1);
});
