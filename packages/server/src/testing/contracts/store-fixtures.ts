import { JoinMode } from "@parley/protocol/codes";
import type { MessageExtra } from "@parley/protocol/message-extra";
import type { NewUser, UserRow } from "../../ports/account-store.ts";
import type { NewGroup } from "../../ports/group-store.ts";
import type { ChosenKey } from "../../ports/message-extra-store.ts";
import type { NewPrivateMessage } from "../../ports/private-message-store.ts";
import type { Appended } from "../../ports/stored-message.ts";
import type { Store, Tx } from "../../ports/store.ts";
import type { NewSystemMessage } from "../../ports/system-message-store.ts";

/** A new, empty store of the adapter under test. */
export interface StoreSubject {
  store: Store;
  /** Closes the store and opens it again with its data. */
  reopen(): Promise<Store>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
  /** The number of commits since it was opened. */
  commits(): number;
}

/** The store of the running test, and a way to add people to it. */
export interface StoreContext {
  readonly subject: StoreSubject;
  readonly store: Store;
  /** Inserts this many people with ascending ids. */
  people(count: number): Promise<UserRow[]>;
}

/** The value, or an error if it is undefined. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a value that the tested rule requires is undefined");
  return value;
}

/** The result of an append that must not be refused. */
export function stored<Row>(result: Appended<Row> | string): Appended<Row> {
  if (typeof result === "string") throw new Error(`a message was not stored: ${result}`);
  return result;
}

/** Adds a file as its upload does. */
export async function addFile(
  tx: Tx,
  { bytes, ...file }: { url: string; userId: number | null; bytes: number; createdAt: number },
): Promise<void> {
  await tx.reserveFile(file, { least: bytes, most: bytes }, null);
  await tx.completeFiles([{ url: file.url, bytes, sha256: "00".repeat(32) }]);
}

/** The time at which the tests start. */
export const NOON = 1_700_000_000_000;

/** A group to insert. */
export function newGroup(ownerId: number, patch: Partial<NewGroup> = {}): NewGroup {
  return {
    name: "Climbers",
    ownerId,
    headImage: null,
    headImageThumb: null,
    joinMode: JoinMode.APPROVAL,
    isFindable: false,
    createdAt: NOON,
    ...patch,
  };
}

/** A user to insert. */
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

/** A private message to append. */
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

/** A system message to append. */
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

/** Pins a message or unpins it, in a transaction. */
export async function setPin(
  tx: Pick<Tx, "listExtras" | "setPin">,
  userId: number,
  messageId: number,
  isOn = true,
): Promise<MessageExtra> {
  const pin = isOn ? { by: userId, at: NOON } : null;
  return tx.setPin(messageId, pin, (await tx.listExtras(userId, [messageId])).get(messageId));
}

/** Stores or removes a choice in a transaction. */
export async function changeTally(
  tx: Pick<Tx, "listExtras" | "changeTally">,
  choice: ChosenKey,
): Promise<MessageExtra> {
  const { userId, messageId } = choice;
  return tx.changeTally(choice, (await tx.listExtras(userId, [messageId])).get(messageId));
}
