/** What is known about uploaded files: the part of `store.ts` for them. Their bytes are in `blobs.ts`. */
import type { ChatType } from "@parley/protocol/codes";

/** A stored message that names files. */
export interface NamingMessage {
  chatType: typeof ChatType.PRIVATE | typeof ChatType.GROUP;
  id: number;
  sendId: number;
}

/** What is read about uploaded files. */
export interface FileReads {
  /** Bytes this person has uploaded since a time. */
  uploadedBytes(userId: number, since: number): Promise<number>;
  /** Whether this server issued the url (`/files/...`) and still has the file. */
  isIssuedFile(url: string): Promise<boolean>;
}

/** What a transaction writes about uploaded files. */
export interface FileWrites {
  insertFile(file: { url: string; userId: number | null; bytes: number; createdAt: number }): Promise<void>;
  /** Keeps a file for ever because an account or a group uses it. False if this server did not issue it or has deleted it. */
  claimFile(url: string): Promise<boolean>;
  /**
   * Keeps files as long as this message names them. False if this server did not issue one of them or has deleted it; then the transaction
   * must not be committed. `recallPrivate`, `recallGroup` and `removeMessagesOfMember` end it, and mark for deletion what no message,
   * account or group keeps any more.
   */
  nameFiles(message: NamingMessage, urls: readonly string[]): Promise<boolean>;
  /**
   * Marks files created before this time that no write has claimed or named, so that they cannot be claimed any more. Returns their urls,
   * also of those marked earlier.
   */
  markFilesForDeletion(before: number, limit: number): Promise<string[]>;
  /** Deletes the rows of files after their bytes are deleted. */
  deleteFileRows(urls: readonly string[]): Promise<void>;
}
