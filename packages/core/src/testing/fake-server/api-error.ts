import type { ErrorKey } from "@parley/protocol/envelope";

/** A business refusal of the fake server. */
export class ApiError extends Error {
  readonly key: ErrorKey;
  constructor(key: ErrorKey) {
    super(key);
    this.key = key;
  }
}
