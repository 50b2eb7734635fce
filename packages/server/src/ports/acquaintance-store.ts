/** What two people have in common: the part of `store.ts` that says who may know of whom. */

/** What is read about it. */
export interface AcquaintanceReads {
  /**
   * Whether two people have to do with each other, in a way that the first one knows of: they are or were friends, the other has ever asked to
   * be, this person's own request is not answered yet or they block the other; they were in a group at the same time, or this person can
   * answer or has made the other's pending request to join one; or they were sent the other's card, which is not recalled, by a friend or in a
   * group while they were in it.
   */
  haveCommonGround(userId: number, otherId: number): Promise<boolean>;
  /** Whether this person has found the other by their complete user name since then. */
  hasFound(finderId: number, personId: number, since: number): Promise<boolean>;
}

/** What a transaction writes about it. */
export interface AcquaintanceWrites {
  /** Remembers that this person has found the others, of whom there is at least one, and forgets whom they found before `since`. */
  rememberFound(finderId: number, personIds: readonly number[], now: number, since: number): Promise<void>;
}
