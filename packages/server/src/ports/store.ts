/**
 * The truth: everything that outlives the process. One interface for SQLite and PostgreSQL, with the contract
 * suite `testing/contracts/store-contract.ts`.
 *
 * Rules for every adapter:
 * 1. A promise of a write resolves after its commit is on disk (SQLite: WAL, synchronous=FULL), never before.
 * 2. Writes that arrive while a commit runs share the next one; one that fails is undone alone and rejects
 *    alone.
 * 3. Message ids and seqNos are given under the lock of the commit, so id order is commit order, on every
 *    node. sendTime never decreases with the id; receivedAt says when a message was received if that was earlier.
 * 4. (sendId, tmpId) is unique among private messages, and among group messages, for ever: a repeated send returns
 *    the first row and writes nothing.
 * 5. Time comes in as an argument (epoch ms). Ids are numbers below 2^53.
 * 6. Reads see every write whose promise has resolved, and nothing of one that is not committed.
 * 7. When the disk fails a commit, all of its writes reject and `onFatal` is called; nothing is retried
 *    silently. With a full disk they reject too, but that is not fatal: the commit is rolled back, and later
 *    writes are tried as usual.
 */
import type { AccountReads, AccountWrites } from "./account-store.ts";
import type { AcquaintanceReads, AcquaintanceWrites } from "./acquaintance-store.ts";
import type { AdminReads, AdminWrites } from "./admin-store.ts";
import type { CallReads, CallWrites } from "./call-store.ts";
import type { ChangeReads, ChangeWrites } from "./change-store.ts";
import type { ChatPrefReads, ChatPrefWrites } from "./chat-pref-store.ts";
import type { ContactReads, ContactWrites } from "./contact-store.ts";
import type { FirstChatReads } from "./first-chats-store.ts";
import type { FileReads, FileWrites } from "./file-store.ts";
import type { MessageExtraReads, MessageExtraWrites } from "./message-extra-store.ts";
import type { MessageReads, MessageStore, MessageWrites } from "./message-store.ts";
import type { GroupMessageReads, GroupMessageStore, GroupMessageWrites } from "./group-message-store.ts";
import type { GroupReads, GroupRequestReads, GroupRequestWrites, GroupWrites } from "./group-store.ts";
import type { JobLeaseReads, JobLeaseWrites } from "./job-lease-store.ts";
import type { MessageTimeReads, MessageTimeWrites } from "./message-time-store.ts";
import type { MissedPushReads } from "./missed-push-store.ts";
import type { NoticeReads, NoticeWrites } from "./notice-store.ts";
import type { PrivateMessageReads, PrivateMessageWrites } from "./private-message-store.ts";
import type { ReportReads, ReportWrites } from "./report-store.ts";
import type { ServerStateReads, ServerStateWrites } from "./server-state-store.ts";
import type { StatisticsReads } from "./statistics-store.ts";
import type { SavedMessageReads, SavedMessageWrites } from "./saved-message-store.ts";
import type { SystemMessageReads, SystemMessageWrites } from "./system-message-store.ts";
import type { WebPushKeyReads, WebPushKeyWrites, WebPushReads, WebPushWrites } from "./web-push-store.ts";

/** Everything that can be read, inside and outside of a transaction. Each area has its own part. */
export interface Reads
  extends
    AccountReads,
    AdminReads,
    ContactReads,
    AcquaintanceReads,
    MessageReads,
    MessageExtraReads,
    PrivateMessageReads,
    GroupReads,
    GroupRequestReads,
    GroupMessageReads,
    SystemMessageReads,
    NoticeReads,
    ChangeReads,
    ChatPrefReads,
    SavedMessageReads,
    FirstChatReads,
    FileReads,
    WebPushReads,
    WebPushKeyReads,
    CallReads,
    JobLeaseReads,
    MessageTimeReads,
    MissedPushReads,
    ReportReads,
    ServerStateReads,
    StatisticsReads {}

/** One transaction. */
export interface Tx
  extends
    Reads,
    AccountWrites,
    AdminWrites,
    ContactWrites,
    AcquaintanceWrites,
    MessageWrites,
    MessageExtraWrites,
    PrivateMessageWrites,
    GroupWrites,
    GroupRequestWrites,
    GroupMessageWrites,
    SystemMessageWrites,
    NoticeWrites,
    ChangeWrites,
    ChatPrefWrites,
    SavedMessageWrites,
    FileWrites,
    WebPushWrites,
    WebPushKeyWrites,
    CallWrites,
    JobLeaseWrites,
    MessageTimeWrites,
    ReportWrites,
    ServerStateWrites {
  /** Gives the store another epoch, from its next opening on. */
  renewEpoch(): Promise<void>;
}

/** Runs transactions. A module asks for the parts that it needs: `Transactions<ContactReads & ContactWrites>`. */
export interface Transactions<T> {
  /**
   * Runs `work` as one transaction. If it throws, only this transaction is rolled back, and the promise rejects.
   * It must not wait for anything but `tx`, or it is rejected, because everybody's writes wait for it.
   */
  write<R>(work: (tx: T) => Promise<R>): Promise<R>;
}

/** The database of the server. */
export interface Store extends Reads, Transactions<Tx>, MessageStore, GroupMessageStore {
  /** Random, created with the database and changed by a restore. Clients that know another epoch pull from 0. */
  readonly epoch: string;
  /** Whether reads and writes work at this moment (`/readyz`). */
  isReady(): Promise<boolean>;
  /** Finishes the running writes and closes. */
  close(): Promise<void>;
}
