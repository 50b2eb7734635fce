import type { MessageWrites } from "../../ports/message-store.ts";
import type { AcquaintancesReads } from "../../access/acquaintance.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import type { ContactReads, ContactWrites } from "../../ports/contact-store.ts";
import type { GroupReads } from "../../ports/group-store.ts";
import type { Transactions } from "../../ports/store.ts";
import type { SystemMessageReads, SystemMessageWrites } from "../../ports/system-message-store.ts";

/** What contacts read. Members of the same group may see each other's presence. */
export type ContactsReads = AccountReads &
  ContactReads &
  AcquaintancesReads &
  Pick<SystemMessageReads, "systemReadPosition" | "findSystemByRequest"> &
  Pick<GroupReads, "listGroupPeers">;

/** A transaction of contacts. Tips of a friendship are private messages, and requests are also system messages. */
export type ContactsTx = ContactsReads &
  ContactWrites &
  Pick<SystemMessageWrites, "appendSystem" | "updateSystem"> &
  Pick<MessageWrites, "appendPrivate">;

/** The parts of the store that contacts need. */
export type ContactsStore = ContactsReads & Transactions<ContactsTx>;
