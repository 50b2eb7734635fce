/** Nothing can be stored now, but perhaps later. `full`: the disk is full. `busy`: another program locks the database. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  readonly reason: "full" | "busy";

  constructor(reason: "full" | "busy", cause: unknown) {
    super(reason === "full" ? "the disk is full" : "another program keeps the database", { cause });
    this.reason = reason;
  }
}
