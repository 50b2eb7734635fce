import type { MessageReads, MessageWrites } from "../../ports/message-store.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import type { CallReads, CallWrites } from "../../ports/call-store.ts";
import type { ContactReads } from "../../ports/contact-store.ts";
import type { GroupReads } from "../../ports/group-store.ts";
import type { MessageTimeWrites } from "../../ports/message-time-store.ts";
import type { Transactions } from "../../ports/store.ts";

/** What calls read. */
export type CallsReads = CallReads &
  Pick<AccountReads, "findUser" | "findUsers"> &
  Pick<ContactReads, "findFriend" | "isBlocked" | "listBlockers"> &
  Pick<GroupReads, "findGroup" | "findGroupMember">;

/** A transaction of calls. The record of a private call is a private message, and the call of a group leaves tips in it. */
export type CallsTx = CallsReads &
  CallWrites &
  Pick<MessageWrites, "appendPrivate" | "appendGroup"> &
  Pick<MessageReads, "listHistory"> &
  Pick<MessageTimeWrites, "messageAge">;

/** The parts of the store that calls need. */
export type CallsStore = CallsReads & Transactions<CallsTx>;
