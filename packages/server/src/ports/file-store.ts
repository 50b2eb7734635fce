/** What is known about uploaded files: the part of `store.ts` for them. Their bytes are in `blobs.ts`. */

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
  /** Keeps a file because an account, a group or a message uses it. False if this server did not issue it or has deleted it. */
  claimFile(url: string): Promise<boolean>;
  /**
   * Marks files created before this time that no write has claimed, so that they cannot be claimed any more. Returns their urls, also of
   * those marked earlier.
   */
  markFilesForDeletion(before: number, limit: number): Promise<string[]>;
  /** Deletes the rows of files after their bytes are deleted. */
  deleteFileRows(urls: readonly string[]): Promise<void>;
}
