import type { ChangedRow } from "./model/chats/chat-input.ts";

/**
 * What happens between login and logout, for the services that have a part in it. `signed-in-client.ts` tells each event to all services
 * that hear it, in the order in which it lists them.
 */
export interface SessionEvents {
  /** Reads from the local database what has to be read before the chats, so that rows of another tab at most arrive twice. */
  restoreFirst(): Promise<void>;
  /** Reads from the local database, beside the chats. */
  restore(): Promise<void>;
  /** Applies what the server has not confirmed to chats that were just read from the local database, or dropped. */
  reapply(): void;
  /** What is stored is shown, and the socket connects. */
  start(): void;
  /** The login of the socket was accepted. Pushes from before it were missed. */
  wentOnline(epoch: string): void;
  /** The socket is closed. */
  wentOffline(): void;
  /** The network may be back: tries again what could not be sent or loaded. */
  retry(): void;
  /** The server has messages of this person with these tmpIds; this may be known from an answer, a push or a pull. */
  confirm(tmpIds: readonly string[]): void;
  /** Rows of the server were applied; as they are now. */
  rowsApplied(rows: readonly ChangedRow[]): void;
  /**
   * All messages were dropped, here and in the local database, and are loaded again. `isOtherServer`: the server has another database, where
   * ids belong to other messages, people and files.
   */
  reset(isOtherServer: boolean): void;
  /** The person has logged out. Not called when the page is closed. */
  signedOut(): void;
}
