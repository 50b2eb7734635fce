import type { AcquaintancesReads } from "../../access/acquaintance.ts";
import type { AccountReads } from "../../ports/account-store.ts";
import type { ChangeWrites } from "../../ports/change-store.ts";
import type { ContactReads } from "../../ports/contact-store.ts";
import type { FileReads, FileWrites } from "../../ports/file-store.ts";
import type {
  GroupMessageReads,
  GroupMessageStore,
  GroupMessageWrites,
} from "../../ports/group-message-store.ts";
import type { MessageExtraReads, MessageExtraWrites } from "../../ports/message-extra-store.ts";
import type { MessageReads, MessageStore, MessageWrites } from "../../ports/message-store.ts";
import type { MessageTimeWrites } from "../../ports/message-time-store.ts";
import type { GroupReads } from "../../ports/group-store.ts";
import type { PrivateMessageReads, PrivateMessageWrites } from "../../ports/private-message-store.ts";
import type { Transactions } from "../../ports/store.ts";
import type { SavedMessageReads, SavedMessageWrites } from "../../ports/saved-message-store.ts";
import type { SystemMessageReads, SystemMessageWrites } from "../../ports/system-message-store.ts";

/** What messages read. Friendships and memberships decide who may write and read. */
export type MessagesReads = MessageReads &
  MessageExtraReads &
  SavedMessageReads &
  PrivateMessageReads &
  GroupMessageReads &
  SystemMessageReads &
  Pick<AccountReads, "findUser" | "findUsers"> &
  Pick<ContactReads, "findFriend" | "isBlocked"> &
  AcquaintancesReads &
  Pick<FileReads, "findFile"> &
  Pick<GroupReads, "findGroup" | "findGroupMember" | "listGroupMembers" | "listGroupStays">;

/** A transaction of messages. */
export type MessagesTx = MessagesReads &
  MessageWrites &
  MessageExtraWrites &
  SavedMessageWrites &
  PrivateMessageWrites &
  GroupMessageWrites &
  ChangeWrites &
  Pick<MessageTimeWrites, "messageAge" | "nudgeAge"> &
  Pick<SystemMessageWrites, "raiseSystemRead"> &
  Pick<FileWrites, "nameFiles">;

/** The parts of the store that messages need. */
export type MessagesStore = MessagesReads & MessageStore & GroupMessageStore & Transactions<MessagesTx>;
