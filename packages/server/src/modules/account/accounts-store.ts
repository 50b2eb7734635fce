import type { AcquaintancesReads } from "../../access/acquaintance.ts";
import type { AccountReads, AccountWrites } from "../../ports/account-store.ts";
import type { AcquaintanceWrites } from "../../ports/acquaintance-store.ts";
import type { AdminReads, AdminWrites } from "../../ports/admin-store.ts";
import type { ContactReads } from "../../ports/contact-store.ts";
import type { FileReads, FileWrites } from "../../ports/file-store.ts";
import type { GroupReads } from "../../ports/group-store.ts";
import type { Transactions } from "../../ports/store.ts";

/** What accounts read. Friends and members of the same group may see a person's presence. */
export type AccountsReads = AccountReads &
  AdminReads &
  ContactReads &
  AcquaintancesReads &
  Pick<GroupReads, "listGroupPeers"> &
  Pick<FileReads, "findFile">;

/** A transaction of accounts. */
export type AccountsTx = AccountsReads &
  AccountWrites &
  AcquaintanceWrites &
  AdminWrites &
  Pick<FileWrites, "claimFile">;

/** The parts of the store that accounts need. */
export type AccountsStore = AccountsReads & Transactions<AccountsTx>;
