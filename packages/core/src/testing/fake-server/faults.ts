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
  "noReadPush",
  /** The friend is not told how far one has read. */
  "noReceipt",
  /** `/user/changes` answers nothing. */
  "noChanges",
  /** A receipt names a message that was not read. */
  "receiptTooFar",
  /** The acting client hears its own message again, under another id and without its tmpId. */
  "echoesToSender",
  /** A stored message is lost after it was acknowledged. */
  "losesAcknowledged",
  /** The client's disk drops messages but keeps cursors. */
  "losesMessages",
  /** A recalled message is returned as it was. */
  "recallNotKept",
  /** A recall is not pushed to anybody. */
  "recallNotPushed",
  /** An edited message is returned as it was. */
  "editNotKept",
  /** One's other clients do not hear of messages that were deleted for oneself. */
  "deletionNotPushed",
  /** The others in a group do not hear of its changes. */
  "groupChangeNotPushed",
  /** Who is removed from a group does not hear of it. */
  "groupLeaveNotPushed",
  /** Those who lead a group do not hear that a request was answered. */
  "groupRequestNotPushed",
  /** What goes with somebody who was removed from a group is told to nobody. */
  "moderatorRemovalNotPushed",
  /** Nobody hears that a message of a group was read, but by the changes. */
  "groupReceiptNotPushed",
  /** The network drops some pushes of a socket that stays open. */
  "dropsPushes",
] as const;
export type Fault = (typeof FAULTS)[number];
