/** The list of all accounts for the command line. */
import type { AccountReads, UserRow } from "../../ports/account-store.ts";

const LIST_BATCH = 1_000;

/** Returns one line for each person: id, user name, nickname, time and device of the registration, state. */
export async function listAccounts(store: Pick<AccountReads, "listUsers">): Promise<string[]> {
  const lines: string[] = [];
  for (let after = 0; ;) {
    const users = await store.listUsers(after, LIST_BATCH);
    lines.push(...users.map(describeUser));
    const last = users.at(-1);
    if (last === undefined) return lines;
    after = last.id;
  }
}

function describeUser(user: UserRow): string {
  const state =
    user.unregisteredAt !== null
      ? "unregistered"
      : user.banReason !== null
        ? `banned: ${user.banReason}`
        : user.isAdmin
          ? "administrator"
          : "";
  const registered = new Date(user.registeredAt).toISOString();
  // A client sent this text. Without tabs and line breaks it stays in its column.
  const device = (user.registerDevice ?? "").replace(/\s+/g, " ");
  return [user.id, user.userName, user.nickName, registered, device, state].join("\t").trimEnd();
}
