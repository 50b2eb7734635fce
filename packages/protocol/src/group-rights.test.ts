import { describe, expect, test } from "vitest";
import { GroupRole } from "./codes.ts";
import { type GroupAction, GROUP_ACTIONS, type GroupState, checkGroupAction } from "./group-rights.ts";

const { MEMBER, ADMIN, OWNER } = GroupRole;
const ROLES = [MEMBER, ADMIN, OWNER] as const;
const open: GroupState = {
  isAllMuted: false,
  inviteRole: 1,
  editRole: 2,
  attrRole: 2,
  isBanned: false,
  dissolve: false,
};
const judge = (
  action: GroupAction,
  role: GroupRole,
  state: Partial<GroupState> = {},
  more: { isMuted?: boolean; quit?: boolean; target?: GroupRole } = {},
) =>
  checkGroupAction(
    action,
    { role, isMuted: more.isMuted ?? false, quit: more.quit ?? false },
    { ...open, ...state },
    more.target === undefined ? undefined : { role: more.target },
  );
/** Verdicts of member, admin, owner. */
const row = (action: GroupAction, state: Partial<GroupState> = {}, more: { isMuted?: boolean } = {}) =>
  ROLES.map((role) => judge(action, role, state, more));

const NO = "noRight";

describe("rights in a group", () => {
  test.each<[GroupAction, string[]]>([
    ["speak", ["ok", "ok", "ok"]],
    ["edit", ["ok", "ok", "ok"]],
    ["recallOwn", ["ok", "ok", "ok"]],
    ["askReceipt", ["ok", "ok", "ok"]],
    ["mentionAll", [NO, "ok", "ok"]],
    ["setOwnRemarks", ["ok", "ok", "ok"]],
    ["changeSettings", [NO, NO, "ok"]],
    ["handleRequests", [NO, "ok", "ok"]],
    ["muteAll", [NO, "ok", "ok"]],
    ["manageAdmins", [NO, NO, "ok"]],
    ["transfer", [NO, NO, "ok"]],
    ["dissolve", [NO, NO, "ok"]],
    ["quit", ["ok", "ok", "ownerStays"]],
  ])("%s by role", (action, verdicts) => {
    expect(row(action)).toEqual(verdicts);
  });

  test.each([
    ["invite", "inviteRole"],
    ["editInfo", "editRole"],
    ["editAttributes", "attrRole"],
  ] as const)("%s follows its setting", (action, setting) => {
    expect(row(action, { [setting]: 1 })).toEqual(["ok", "ok", "ok"]);
    expect(row(action, { [setting]: 2 })).toEqual([NO, "ok", "ok"]);
  });

  test("what is done to a member goes by both roles", () => {
    const table = (action: GroupAction) =>
      ROLES.map((role) => ROLES.map((target) => judge(action, role, {}, { target })));
    expect(table("mute")).toEqual([
      [NO, NO, NO],
      ["ok", "ok", NO],
      ["ok", "ok", NO],
    ]);
    expect(table("remove")).toEqual([
      [NO, NO, NO],
      ["ok", NO, "ownerStays"],
      ["ok", "ok", "ownerStays"],
    ]);
    expect(table("recallOthers")).toEqual([
      [NO, NO, NO],
      ["ok", NO, NO],
      ["ok", "ok", "ok"],
    ]);
  });

  test("under global mute only the owner may speak, edit and recall; a muted one neither", () => {
    for (const action of ["speak", "edit", "recallOwn"] as const) {
      expect(row(action, { isAllMuted: true })).toEqual(["allMuted", "allMuted", "ok"]);
      expect(row(action, {}, { isMuted: true })).toEqual(["muted", "muted", "ok"]);
    }
    expect(row("invite", { isAllMuted: true }, { isMuted: true })).toEqual(["ok", "ok", "ok"]);
  });

  test.each(GROUP_ACTIONS)(
    "%s: refused to non-members and in a dissolved group; in a banned group only leaving is allowed",
    (action) => {
      for (const role of ROLES) {
        expect(judge(action, role, { dissolve: true })).toBe("dissolved");
        expect(judge(action, role, {}, { quit: true })).toBe("notMember");
        const mayLeave = action === "quit" || action === "setOwnRemarks" || action === "dissolve";
        expect(judge(action, role, { isBanned: true }) === "banned").toBe(!mayLeave);
      }
      expect(checkGroupAction(action, undefined, open)).toBe("notMember");
    },
  );
});
