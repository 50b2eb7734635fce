import type { ChangeField } from "@parley/protocol/endpoints/changes";
import { CHANGE_FIELDS } from "./tables.ts";

/** Planted faults of the server, the network or the client that scenarios have to detect. */
export const FAULTS = [
  /** A repeated send creates a second row. */
  "forgetsTmpId",
  /** A pull omits its last row and ends normally. */
  "lossyPull",
  /** LOADING "false" is sent before the rows of a pull. */
  "endsPullEarly",
  /** A message is not pushed to the sender's other clients. */
  "ownClientsNotPushed",
  /** Read positions are not pushed to the user's other clients. */
  "noReadPush",
  /** Read receipts are not pushed to the friend. */
  "noReceipt",
  /** `/user/changes` contains no changes. */
  "noChanges",
  /** A receipt names a message that was not read. */
  "receiptTooFar",
  /** A message is pushed back to its sending client, with another id and without its tmpId. */
  "echoesToSender",
  /** A stored message is lost after it was acknowledged. */
  "losesAcknowledged",
  /** The client's database loses messages but keeps cursors. */
  "losesMessages",
  /** A recalled message is stored unchanged. */
  "recallNotStored",
  /** A recall is not pushed to anybody. */
  "recallNotPushed",
  /** An edited message is stored unchanged. */
  "editNotStored",
  /** Deletions for oneself are not pushed to the user's other clients. */
  "deletionNotPushed",
  /** Changes of a group are not pushed to its other members. */
  "groupChangeNotPushed",
  /** The removal from a group is not pushed to the removed member. */
  "groupLeaveNotPushed",
  /** The answer to a request is not pushed to owner and admins. */
  "groupRequestNotPushed",
  /** Messages removed with their sender are neither pushed nor in the changes. */
  "moderatorRemovalNotPushed",
  /** Receipts of group messages are not pushed and appear only in the changes. */
  "groupReceiptNotPushed",
  /** The network drops some pushes of a socket that stays open. */
  "dropsPushes",
] as const;

/** The name of a planted fault. `omits`: answers of the change feed after the first one leave this field out. */
export type Fault = (typeof FAULTS)[number] | `omits ${ChangeField}`;

/**
 * Each field of the change feed omitted. Not `system`: few system messages are sent in a scenario, so the rows that a pull repeats contain
 * all that have changed.
 */
export const FIELD_FAULTS: readonly Fault[] = CHANGE_FIELDS.filter((field) => field !== "system").map(
  (field) => `omits ${field}` as const,
);
