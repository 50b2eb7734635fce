/** Times of messages: the part of `store.ts` for them. */
import type { ChatKind } from "./stored-message.ts";

/** What is read about the times of messages. */
export interface MessageTimeReads {
  /** How far the newest message lies in the future, in ms; 0 if none does. */
  messagesAheadMs(now: number): Promise<number>;
}

/** What a transaction reads and writes of the times of messages. `now` is the time of this machine. */
export interface MessageTimeWrites {
  /**
   * How many ms ago a message was received, by the clock that all nodes share. If it was received by a clock that was ahead, the next message
   * that was not says when it was there at the latest; without one the result is negative.
   */
  messageAge(
    message: { id: number; sendTime: number; receivedAt: number | null },
    now: number,
  ): Promise<number>;
  /** How many ms ago this person last sent a nudge to this person or group; undefined: not within this time. */
  nudgeAge(
    kind: ChatKind,
    sendId: number,
    targetId: number,
    within: number,
    now: number,
  ): Promise<number | undefined>;
  /**
   * Gives messages whose time lies in the future the time of their receipt, in the order of their ids. Returns how many there were. No other
   * process may have the store open.
   */
  correctMessageTimes(now: number): Promise<number>;
}
