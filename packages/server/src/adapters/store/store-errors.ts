/** Another process works on this store. */
export class StoreLockedError extends Error {
  override name = "StoreLockedError";
  /** `what`: the data folder or database; `advice`: what else the operator can do than to stop the other server, if anything. */
  constructor(what: string, advice?: string) {
    const choice = advice === undefined ? "" : `, or ${advice}`;
    super(`${what} is in use by another Parley server; stop that one first${choice}.`);
  }
}

/** The database cannot be opened: damaged, not a database, made by a newer server, or not accessible. */
export class StoreUnusableError extends Error {
  override name = "StoreUnusableError";
  constructor(path: string, reason: string, cause: unknown) {
    super(`The database ${path} cannot be opened: ${reason}.`, { cause });
  }
}

/** A database cannot be copied. The message is one sentence for the operator, without values of rows. */
export class StoreCopyError extends Error {
  override name = "StoreCopyError";
}
