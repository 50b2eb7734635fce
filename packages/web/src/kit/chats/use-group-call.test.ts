import { expect, test } from "vitest";
import { GroupRole } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import { setGroups } from "@parley/core/model/groups/groups-state";
import { EMPTY_GROUPS } from "@parley/core/model/signed-out-state";
import type { State } from "@parley/core/model/state";
import { GROUP, groupVO } from "@parley/core/testing/builders";
import { groupCallState } from "./use-group-call.ts";

/** What a member can do in a group like this. */
function stateIn(part: Partial<GroupVO>, call: unknown = null) {
  const group = groupVO({ role: GroupRole.MEMBER, ...part });
  return groupCallState({ groups: setGroups(EMPTY_GROUPS, [group]), call } as State, GROUP);
}

test("a member starts a call where none is running, and joins one that is", () => {
  expect(stateIn({})).toBe("start");
  expect(stateIn({ rtcInfo: { isChating: true } })).toBe("join");
});

test("a person in a call on this page cannot start or join another one", () => {
  expect(stateIn({ rtcInfo: { isChating: true } }, { kind: "private" })).toBe("inCall");
});

test("people who may not speak may not call, and only the owner calls where everybody is muted", () => {
  expect(stateIn({ isMuted: true, rtcInfo: { isChating: true } })).toBe("muted");
  expect(stateIn({ isAllMuted: true })).toBe("allMuted");
  expect(stateIn({ isAllMuted: true, role: GroupRole.OWNER })).toBe("start");
});

test("nobody calls in a group that is banned, dissolved, left or unknown", () => {
  for (const part of [{ isBanned: true }, { dissolve: true }, { quit: true }, { id: GROUP + 1 }])
    expect(stateIn(part)).toBe("never");
});
