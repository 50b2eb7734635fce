/** Planted faults: each is a way to build a server or a client wrongly that the world must find. */
export const FAULTS = [
  /** A repeated send makes a second row. */
  "forgetsTmpId",
  /** A pull leaves its last row out and ends all the same. */
  "lossyPull",
  /** LOADING "false" is sent before the rows. */
  "endsPullEarly",
  /** The sender's other clients do not hear of a message. */
  "noOwnOthers",
  /** Read positions are not told to one's other clients. */
  "noReadTold",
  /** The friend is not told how far one has read. */
  "noReceipt",
  /** `/user/changes` answers nothing. */
  "noChanges",
  /** A read position may go back. */
  "readGoesBack",
  /** Pulls answer rows newest first. */
  "pullsBackwards",
  /** A handled request does not update its system message. */
  "staleRequests",
  /** The client's disk drops messages but keeps cursors. */
  "losesMessages",
  /** The network delivers pushes of a socket in any order, and drops some. */
  "dropsPushes",
] as const;
export type Fault = (typeof FAULTS)[number];
