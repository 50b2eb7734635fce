/** Another process works on this data folder. */
export class StoreLockedError extends Error {
  override name = "StoreLockedError";
  constructor(folder: string) {
    super(
      `The data folder ${folder} is in use by another Parley server; stop that one first, or give this one its own DATA_DIR.`,
    );
  }
}

/** The database cannot be opened: damaged, not a database, made by a newer server, or not accessible. */
export class StoreUnusableError extends Error {
  override name = "StoreUnusableError";
  constructor(path: string, reason: string, cause: unknown) {
    super(`The database ${path} cannot be opened: ${reason}.`, { cause });
  }
}
