/** Whether somebody still has an account, and whether two people are friends. */
import { ApiError } from "../api/api-error.ts";
import type { UserRow } from "../ports/account-store.ts";
import type { FriendRow } from "../ports/contact-store.ts";

/** Returns the user, or throws if there is none or the account is closed. */
export function requireOpenAccount(user: UserRow | undefined): UserRow {
  if (user === undefined || user.unregisteredAt !== null) throw new ApiError("user.notFound");
  return user;
}

/** Whether the account is neither banned nor closed. */
export function isAccountActive(user: Pick<UserRow, "banReason" | "unregisteredAt">): boolean {
  return user.banReason === null && user.unregisteredAt === null;
}

/** Whether this is an administrator who can act. */
export function isActiveAdmin(user: UserRow | undefined): user is UserRow {
  return user !== undefined && user.isAdmin && isAccountActive(user);
}

/** Whether the row is that of a friend. The rows of former friends stay, marked as deleted. */
export function isFriend(row: FriendRow | undefined): row is FriendRow {
  return row !== undefined && !row.isDeleted;
}
