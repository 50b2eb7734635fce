/** Accounts, their sessions and the invite codes: the part of `store.ts` for them. */
import type { FindableBy } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";

/** An account. */
export interface UserRow {
  id: number;
  userName: string;
  nickName: string;
  passwordHash: string;
  sex: number | null;
  signature: string | null;
  birthday: string | null;
  mobile: string | null;
  email: string | null;
  headImage: string | null;
  headImageThumb: string | null;
  isManualApprove: boolean;
  /** By what a search finds this person. */
  findableBy: FindableBy;
  /** Whether others are told what this person has read in private chats, and this person what they have. */
  readReceipts: boolean;
  /** Whether friends are told when this person was last seen, and this person when they were. */
  lastSeenShown: boolean;
  /** Why the account is banned; null if it is not. */
  banReason: string | null;
  unregisteredAt: number | null;
  registeredAt: number;
  registerDevice: string | null;
  /** Whether the person has the role of an administrator. */
  isAdmin: boolean;
}

/** A session: what a login creates. */
export interface SessionRow {
  id: string;
  userId: number;
  terminal: number;
  deviceNo: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  /** Serial of the newest refresh token; it rises by one with each rotation. */
  refreshSerial: number;
  /** When `refreshSerial` was issued. */
  refreshedAt: number;
  createdAt: number;
  lastSeenAt: number;
  /** The network address of the newest login, refresh or socket; null if it began before addresses were kept and was not used since. */
  address: string | null;
  expiresAt: number;
  endedAt: number | null;
  /** Why it ended; null if it has not ended or the reason is unknown. */
  endReason: LogoutReason | null;
}

/** When a session was used, and from where if that is known. */
export type SessionUse = readonly [id: string, at: number, address: string | null];

/** A session, and what decides whether its account may be used. */
export interface SessionWithAccount {
  session: SessionRow;
  account: Pick<UserRow, "banReason" | "unregisteredAt">;
}

/** What is read about accounts and sessions. */
export interface AccountReads extends SessionReads {
  findUser(id: number): Promise<UserRow | undefined>;
  /** Compares case-insensitively. */
  findUserByName(userName: string): Promise<UserRow | undefined>;
  /** By id; unknown ids are left out. Any number of ids. */
  findUsers(ids: readonly number[]): Promise<Map<number, UserRow>>;
  /**
   * People with the part in their user name or nickname, by id, as far as their `findableBy` allows. Case-insensitive, without wildcards,
   * and without banned or deregistered people.
   */
  searchUsers(part: string, limit: number): Promise<UserRow[]>;
  /** Everybody, banned and deregistered people too: ids above `after`, ascending. */
  listUsers(after: number, limit: number): Promise<UserRow[]>;
  /** 0 if there are no people. */
  newestUserId(): Promise<number>;
}

/** What is read about sessions. */
export interface SessionReads {
  findSession(id: string): Promise<SessionRow | undefined>;
  findSessionWithAccount(id: string): Promise<SessionWithAccount | undefined>;
  /** By id; unknown ids are left out. Any number of ids. */
  findSessionsWithAccounts(ids: readonly string[]): Promise<Map<string, SessionWithAccount>>;
  /** Only sessions that have neither ended nor expired. */
  listSessions(userId: number, now: number): Promise<SessionRow[]>;
}

export type NewUser = Omit<
  UserRow,
  | "id"
  | "isManualApprove"
  | "findableBy"
  | "readReceipts"
  | "lastSeenShown"
  | "banReason"
  | "unregisteredAt"
  | "isAdmin"
  | "sex"
  | "signature"
  | "birthday"
  | "mobile"
  | "email"
>;

export type ProfilePatch = Partial<
  Pick<
    UserRow,
    "nickName" | "sex" | "signature" | "birthday" | "mobile" | "email" | "headImage" | "headImageThumb"
  >
>;

/** What a transaction writes about accounts, sessions and invite codes. */
export interface AccountWrites extends SessionWrites {
  /** Undefined if the name is taken (case-insensitively). */
  insertUser(user: NewUser): Promise<UserRow | undefined>;
  updateUser(id: number, patch: ProfilePatch): Promise<void>;
  setPasswordHash(id: number, hash: string): Promise<void>;
  setManualApprove(id: number, enabled: boolean): Promise<void>;
  setFindableBy(id: number, by: FindableBy): Promise<void>;
  setReadReceipts(id: number, enabled: boolean): Promise<void>;
  setLastSeenShown(id: number, enabled: boolean): Promise<void>;
  /** Null lifts the ban. */
  setBanReason(id: number, reason: string | null): Promise<void>;
  /** Closes the account, and removes what the person has saved. */
  setUnregistered(id: number, at: number): Promise<void>;
  /** False if the code is unknown, used up or expired. */
  useInviteCode(code: string, now: number): Promise<boolean>;
  insertInviteCode(code: string, uses: number, expiresAt: number | null): Promise<void>;
}

/** What a transaction writes about sessions. */
export interface SessionWrites {
  /** Does nothing if the session is stored already. */
  insertSession(session: SessionRow): Promise<void>;
  updateSession(
    id: string,
    patch: Partial<
      Pick<
        SessionRow,
        "refreshSerial" | "refreshedAt" | "lastSeenAt" | "address" | "expiresAt" | "endedAt" | "endReason"
      >
    >,
  ): Promise<void>;
  /** Ends all sessions of a person but one, expired ones too, because their sockets may still be open. Returns the ended ids. */
  endSessions(userId: number, exceptId: string | null, reason: LogoutReason, now: number): Promise<string[]>;
  /** Deletes sessions that ended or expired before this time and gave no sign of life since. Returns how many. */
  forgetSessions(before: number, limit: number): Promise<number>;
  /**
   * Moves `lastSeenAt` of these sessions, each named once, up to the given times, never down. With an address, the
   * newest that was seen, it is stored along with it; null keeps the one before.
   */
  touchSessions(uses: readonly SessionUse[]): Promise<void>;
}
