/** What administrators see and do: the part of `store.ts` for them. */
import type { PeopleState } from "@parley/protocol/admin-entities";
import type { UserRow } from "./account-store.ts";
import type { GroupMemberRow, GroupRow } from "./group-store.ts";
import type { NoticeRow } from "./notice-store.ts";

/** Which rows of a list. */
export interface PageOptions {
  offset: number;
  limit: number;
}

/** The rows of a page, and how many there are on all pages. */
export interface Page<Row> {
  total: number;
  rows: Row[];
}

/** An invite code. */
export interface InviteCodeRow {
  code: string;
  usesLeft: number;
  expiresAt: number | null;
}

/** One act of an administrator. Rows are never changed or deleted; the database refuses both. */
export interface AuditRow {
  id: number;
  at: number;
  /** Null: the command line. */
  actorId: number | null;
  action: string;
  /** Whether the call changes nothing. */
  isLook: boolean;
  /** An `AuditTarget`. */
  targetKind: string | null;
  targetId: number | null;
  targetName: string | null;
  /** Null: the command line. */
  address: string | null;
  /** `done`, or the key of the refusal. */
  outcome: string;
}

/** Which acts to list; what is left out is not compared. `actorId` null: the command line. */
export interface AuditFilter {
  actorId?: number | null;
  action?: string;
  isLook?: boolean;
}

/** What is read for administrators. Every page is found by an index. */
export interface AdminReads {
  /**
   * People, newest first. `query` is the beginning of a user name or nickname in any case, or a whole id; "" for everybody. A page of everybody
   * is a range of ids, so that no row before it is read.
   */
  listPeoplePage(query: string, state: PeopleState, page: PageOptions): Promise<Page<UserRow>>;
  /** The last stored sign of life of these people; those without a session are left out. */
  listLastSeen(userIds: readonly number[]): Promise<Map<number, number>>;
  /** How many administrators can act: those neither banned nor deregistered. */
  countActiveAdmins(): Promise<number>;
  /** Whether anybody has the role whose account is not closed. */
  hasAdmin(): Promise<boolean>;
  /** Groups, newest first, dissolved ones too. `query` is the beginning of a name, or a whole id. */
  listGroupsPage(query: string, page: PageOptions): Promise<Page<GroupRow>>;
  /** Current members: owner, admins, then the others by id. */
  listMembersPage(
    groupId: number,
    page: PageOptions,
  ): Promise<Page<Pick<GroupMemberRow, "userId" | "role" | "isMuted">>>;
  /** By code. */
  listInviteCodes(page: PageOptions): Promise<Page<InviteCodeRow>>;
  /** Newest first. */
  listNotices(page: PageOptions): Promise<Page<NoticeRow>>;
  /** Newest first. */
  listAudit(filter: AuditFilter, page: PageOptions): Promise<Page<AuditRow>>;
  /** The hash of the token of the one-time link; undefined if there is none. */
  findSetupHash(): Promise<string | undefined>;
}

/** What a transaction writes for administrators. */
export interface AdminWrites {
  setAdmin(userId: number, isAdmin: boolean): Promise<void>;
  insertAudit(row: Omit<AuditRow, "id">): Promise<void>;
  /** Replaces the hash of the link before; null removes it. */
  setSetupHash(hash: string | null): Promise<void>;
  /** False if there is no such code. */
  deleteInviteCode(code: string): Promise<boolean>;
}
