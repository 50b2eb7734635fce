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
const check = (
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
/** Results for member, admin and owner. */
const resultsByRole = (
  action: GroupAction,
  state: Partial<GroupState> = {},
  more: { isMuted?: boolean } = {},
) => ROLES.map((role) => check(action, role, state, more));

const NO = "noRight";

describe("rights in a group", () => {
  test.each<[GroupAction, string[]]>([
    ["speak", ["ok", "ok", "ok"]],
    ["edit", ["ok", "ok", "ok"]],
    ["recallOwn", ["ok", "ok", "ok"]],
    ["askReceipt", ["ok", "ok", "ok"]],
    ["react", ["ok", "ok", "ok"]],
    ["mentionAll", [NO, "ok", "ok"]],
    ["setOwnRemarks", ["ok", "ok", "ok"]],
    ["changeSettings", [NO, NO, "ok"]],
    ["handleRequests", [NO, "ok", "ok"]],
    ["muteAll", [NO, "ok", "ok"]],
    ["manageAdmins", [NO, NO, "ok"]],
    ["transfer", [NO, NO, "ok"]],
    ["dissolve", [NO, NO, "ok"]],
    ["quit", ["ok", "ok", "ownerStays"]],
  ])("%s depends on the role", (action, results) => {
    expect(resultsByRole(action)).toEqual(results);
  });

  test.each([
    ["invite", "inviteRole"],
    ["editInfo", "editRole"],
    ["pin", "editRole"],
    ["editAttributes", "attrRole"],
  ] as const)("%s depends on its setting", (action, setting) => {
    expect(resultsByRole(action, { [setting]: 1 })).toEqual(["ok", "ok", "ok"]);
    expect(resultsByRole(action, { [setting]: 2 })).toEqual([NO, "ok", "ok"]);
  });

  test("actions on a member depend on both roles", () => {
    const table = (action: GroupAction) =>
      ROLES.map((role) => ROLES.map((target) => check(action, role, {}, { target })));
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

  test("while all members are muted only the owner may speak, edit and recall, and a muted member may not either", () => {
    for (const action of ["speak", "edit", "recallOwn"] as const) {
      expect(resultsByRole(action, { isAllMuted: true })).toEqual(["allMuted", "allMuted", "ok"]);
      expect(resultsByRole(action, {}, { isMuted: true })).toEqual(["muted", "muted", "ok"]);
    }
    expect(resultsByRole("invite", { isAllMuted: true }, { isMuted: true })).toEqual(["ok", "ok", "ok"]);
  });

  test("while all members are muted everybody may react, but a member who is muted may not", () => {
    expect(resultsByRole("react", { isAllMuted: true })).toEqual(["ok", "ok", "ok"]);
    expect(resultsByRole("react", {}, { isMuted: true })).toEqual(["muted", "muted", "ok"]);
    expect(resultsByRole("react", { isAllMuted: true }, { isMuted: true })).toEqual(["muted", "muted", "ok"]);
  });

  test.each(GROUP_ACTIONS)(
    "%s: not allowed to non-members and in a dissolved group; a banned group can only be left or dissolved, and own remarks set",
    (action) => {
      for (const role of ROLES) {
        expect(check(action, role, { dissolve: true })).toBe("dissolved");
        expect(check(action, role, {}, { quit: true })).toBe("notMember");
        const isAllowedWhenBanned = action === "quit" || action === "setOwnRemarks" || action === "dissolve";
        expect(check(action, role, { isBanned: true }) === "banned").toBe(!isAllowedWhenBanned);
      }
      expect(checkGroupAction(action, undefined, open)).toBe("notMember");
    },
  );
});
