import type { NewPrivateMessage, NewSystemMessage, NewUser, Store, UserRow } from "../../ports/store.ts";

/** A fresh, empty store of the adapter under test. */
export interface StoreSubject {
  store: Store;
  /** Closes the store and opens what it left. */
  reopen(): Promise<Store>;
  /** Closes the store and removes everything. */
  dispose(): Promise<void>;
  /** Commits since it was opened. */
  commits(): number;
}

/** What the rules work with: the store of the running test and people in it. */
export interface StoreContext {
  readonly subject: StoreSubject;
  readonly store: Store;
  /** Inserts this many people; their ids ascend. */
  people(count: number): Promise<UserRow[]>;
}

/** The value, which the rule under test promises to be there. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("nothing was found where the rule promises something");
  return value;
}

/** A moment to count from. */
export const NOON = 1_700_000_000_000;

export function newUser(userName: string, patch: Partial<NewUser> = {}): NewUser {
  return {
    userName,
    nickName: `nick of ${userName}`,
    passwordHash: "hash",
    headImage: null,
    headImageThumb: null,
    registeredAt: NOON,
    registerDevice: null,
    ...patch,
  };
}

export function newMessage(
  sendId: number,
  recvId: number,
  patch: Partial<NewPrivateMessage> = {},
): NewPrivateMessage {
  return {
    tmpId: null,
    type: 0,
    sendId,
    recvId,
    sendNickName: "nick",
    content: "text",
    sendTime: NOON,
    ...patch,
  };
}

export function newNotice(userId: number, patch: Partial<NewSystemMessage> = {}): NewSystemMessage {
  return {
    userId,
    type: 53,
    title: null,
    intro: null,
    coverUrl: null,
    content: "content",
    sendTime: NOON,
    ...patch,
  };
}
