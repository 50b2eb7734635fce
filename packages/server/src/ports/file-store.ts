/** What is known about uploaded files: the part of `store.ts` for them. Their bytes are in `blobs.ts`. */
import type { ChatKind } from "./stored-message.ts";

/** A stored message that names files. */
export interface NamingMessage {
  chatType: ChatKind;
  id: number;
  sendId: number;
}

/** What one person may upload from a time on. */
export interface UploadQuota {
  since: number;
  maxBytes: number;
}

/** What is known of a file when all of it is stored. */
export interface CompleteFile {
  url: string;
  bytes: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
}

/** A file that this server issued and still has. */
export interface IssuedFile {
  bytes: number;
  /** Whether an account or a group uses it or has used it; then it is never deleted. */
  isKeptForEver: boolean;
}

/** What is read about uploaded files. */
export interface FileReads {
  /** Bytes this person has uploaded since a time, deleted or not, with those set aside for files that are still being uploaded. */
  uploadedBytes(userId: number, since: number): Promise<number>;
  /** Undefined if this server did not issue the url (`/files/...`) or is deleting the file, and while the file is being uploaded. */
  findFile(url: string): Promise<IssuedFile | undefined>;
  /** Urls of files that are marked for deletion, in their order, beginning after this one. */
  listMarkedFiles(limit: number, after?: string): Promise<string[]>;
  /**
   * Looks at the next private messages with files after this id. Returns those that neither of both people will ever see again: both have
   * hidden or cleared the message and every message that quotes it. `next` is where to go on; null: those were the last.
   */
  listUnseenFileMessages(after: number): Promise<{ ids: number[]; next: number | null }>;
}

/** What a transaction writes about uploaded files. */
export interface FileWrites {
  /**
   * Announces a file before its bytes arrive, and sets bytes aside for it: as many of `most` as the quota leaves. Returns how many; null, and
   * nothing is announced, if that is less than `least`. Until `completeFiles` nothing can claim the file.
   */
  reserveFile(
    file: { url: string; userId: number | null; createdAt: number },
    bytes: { least: number; most: number },
    quota: UploadQuota | null,
  ): Promise<number | null>;
  /** Ends the upload of files whose bytes are stored. False if one of them is not being uploaded any more; then nothing may be committed. */
  completeFiles(files: readonly CompleteFile[]): Promise<boolean>;
  /** Marks files for deletion whose upload began before this time and has not ended. */
  abandonUploads(before: number): Promise<void>;
  /** Keeps a file for ever because an account or a group uses it. False if this server did not issue it or has deleted it. */
  claimFile(url: string): Promise<boolean>;
  /**
   * Keeps files as long as this message names them. False if this server did not issue one of them or has deleted it; then the transaction
   * must not be committed. `recallPrivate`, `recallGroup`, `removeMessagesOfMember` and `releaseFiles` end it, and mark for deletion what no
   * message, account, group or open report (`insertReport`) keeps any more.
   */
  nameFiles(message: NamingMessage, urls: readonly string[]): Promise<boolean>;
  /** Ends for these private messages that they keep their files. */
  releaseFiles(privateIds: readonly number[]): Promise<void>;
  /**
   * Marks files created before this time that no write has claimed or named, so that they cannot be claimed any more. Returns their urls,
   * also of those marked earlier, in their order, beginning after this one.
   */
  markFilesForDeletion(before: number, limit: number, after?: string): Promise<string[]>;
  /** Deletes the rows of files after their bytes are deleted. `uploadedBytes` goes on counting those whose upload had ended. */
  deleteFileRows(urls: readonly string[]): Promise<void>;
  /** `uploadedBytes` is not asked any more about deleted files that were uploaded before this time. */
  forgetDeletedUploads(before: number): Promise<void>;
}
