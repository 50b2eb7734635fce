/** The list of all accounts for the command line. */
import type { AccountReads, UserRow } from "../../ports/account-store.ts";

const PAGE = 1_000;

/** One line for each person: id, user name, nickname, time and device of the registration, state. Reads a page when it is asked for. */
export async function* listAccounts(store: Pick<AccountReads, "listUsers">): AsyncGenerator<string[]> {
  for (let after = 0; ;) {
    const users = await store.listUsers(after, PAGE);
    const last = users.at(-1);
    if (last === undefined) return;
    yield users.map(describeUser);
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
