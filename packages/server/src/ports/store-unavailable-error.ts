/**
 * Nothing can be stored now, but perhaps later. `full`: the disk is full. `busy`: another program locks the database. `unreachable`: there
 * is no connection to the database; then nothing can be read either. `files`: the storage of files cannot be used; the message of the cause,
 * which must hold no secret, says why.
 */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  readonly reason: keyof typeof REASONS;

  constructor(reason: keyof typeof REASONS, cause: unknown) {
    super(
      reason === "files" && cause instanceof Error ? `${REASONS.files}: ${cause.message}` : REASONS[reason],
      {
        cause,
      },
    );
    this.reason = reason;
  }
}

const REASONS = {
  full: "the disk is full",
  busy: "another program keeps the database",
  unreachable: "the database cannot be reached",
  files: "the storage of files cannot be used",
};
