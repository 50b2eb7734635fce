import { accessSync, constants, existsSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";

/** Another process works on this store. */
export class StoreLockedError extends Error {
  override name = "StoreLockedError";
  /** `what`: the data folder or database; `advice`: what else the operator can do than to stop the other server, if anything. */
  constructor(what: string, advice?: string) {
    const choice = advice === undefined ? "" : `, or ${advice}`;
    super(`${what} is in use by another Parley server; stop that one first${choice}.`);
  }
}

/** The database cannot be opened: damaged, not a database, made by a newer server, or not accessible. The message is one sentence for the operator. */
export class StoreUnusableError extends Error {
  override name = "StoreUnusableError";
}

/** The error of a database that cannot be opened. */
export function cannotOpen(path: string, reason: string, cause: unknown): StoreUnusableError {
  return new StoreUnusableError(`The database ${path} cannot be opened: ${reason}.`, { cause });
}

/** A database cannot be copied. The message is one sentence for the operator, without values of rows. */
export class StoreCopyError extends Error {
  override name = "StoreCopyError";
}

const REFUSED = /^(SQLITE_(CANTOPEN|READONLY|PERM|AUTH)|EACCES|EPERM|EROFS)/;

/** Whether this account may write to an existing file or folder. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether an error means that this account may not write to the file at this path. */
export function isAccessRefused(error: unknown, path: string): boolean {
  if (!(error instanceof Error && "code" in error && REFUSED.test(String(error.code)))) return false;
  return existsSync(dirname(path)) && (!isWritable(dirname(path)) || (existsSync(path) && !isWritable(path)));
}

/** The account that runs this process, for a sentence. */
function accountName(): string {
  try {
    return `the account ${userInfo().username}`;
  } catch {
    // An account that has only a number, such as one of a container.
    return `the account with the number ${process.getuid?.() ?? "unknown"}`;
  }
}

/** The error of a file that cannot be written because of the rights of its folder. */
export function cannotUseFolder(path: string, cause: unknown): StoreUnusableError {
  return new StoreUnusableError(
    `The data folder ${dirname(path)} cannot be used, because ${accountName()} may not write to ${path}: give the folder and all in it to that account, run this as the account of the server, or set another DATA_DIR.`,
    { cause },
  );
}
