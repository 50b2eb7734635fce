/** What two people have in common beside a friendship: the part of `store.ts` that says who may know of whom. */

/** What is read about it. */
export interface AcquaintanceReads {
  /** Whether two people were in a group at the same time, now or earlier. */
  haveSharedGroup(userId: number, otherId: number): Promise<boolean>;
  /** Whether this person was sent a card of the other that is not recalled, by a friend or in a group while they were in it. */
  hasReceivedCard(userId: number, personId: number): Promise<boolean>;
  /** Whether one person has ever asked the other to be friends. */
  hasRequested(sendId: number, recvId: number): Promise<boolean>;
  /** Whether this person has found the other by their complete user name since then. */
  hasFound(finderId: number, personId: number, since: number): Promise<boolean>;
}

/** What a transaction writes about it. */
export interface AcquaintanceWrites {
  /** Remembers that this person has found the other, and forgets whom anybody found before `since`. */
  rememberFound(finderId: number, personId: number, now: number, since: number): Promise<void>;
}
