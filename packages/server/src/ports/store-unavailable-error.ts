/** What cannot be stored now and may be stored later: `full`, there is no room; `busy`, another program keeps the file. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  readonly reason: "full" | "busy";

  constructor(reason: "full" | "busy", cause: unknown) {
    super(reason === "full" ? "the disk is full" : "another program keeps the database", { cause });
    this.reason = reason;
  }
}
