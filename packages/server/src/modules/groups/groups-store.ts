import type { MessageWrites } from "../../ports/message-store.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import type { CallReads } from "../../ports/call-store.ts";
import type { ContactReads } from "../../ports/contact-store.ts";
import type { FileWrites } from "../../ports/file-store.ts";
import type { GroupMessageReads } from "../../ports/group-message-store.ts";
import type {
  GroupReads,
  GroupRequestReads,
  GroupRequestWrites,
  GroupWrites,
} from "../../ports/group-store.ts";
import type { Transactions } from "../../ports/store.ts";
import type { SystemMessageReads, SystemMessageWrites } from "../../ports/system-message-store.ts";

/** What groups read. */
export type GroupsReads = AccountReads &
  ContactReads &
  GroupReads &
  GroupRequestReads &
  Pick<SystemMessageReads, "systemReadPosition" | "listSystemByGroupRequest"> &
  Pick<GroupMessageReads, "newestGroupMessageId"> &
  Pick<CallReads, "findCalls">;

/** A transaction of groups. Tips are group messages, and requests are also system messages. */
export type GroupsTx = GroupsReads &
  GroupWrites &
  GroupRequestWrites &
  Pick<SystemMessageWrites, "appendSystem" | "updateSystem"> &
  Pick<MessageWrites, "appendGroup"> &
  Pick<FileWrites, "claimFile">;

/** The parts of the store that groups need. */
export type GroupsStore = GroupsReads & Transactions<GroupsTx>;
