import type { UserInfo } from "@parley/protocol/entities";

/** The contact details of a person, with the names of their rows: only what the server tells, which depends on who asks. */
export function contactRows(
  user: Pick<UserInfo, "mobile" | "email"> | undefined,
): readonly (readonly ["profile.mobile" | "profile.email", string])[] {
  const rows = [
    ["profile.mobile", user?.mobile?.trim() ?? ""],
    ["profile.email", user?.email?.trim() ?? ""],
  ] as const;
  return rows.filter(([, value]) => value !== "");
}
