import type { ErrorKey } from "@parley/protocol/errors";

/** An error of a handler, which the fake server answers with its key. */
export class ApiError extends Error {
  readonly key: ErrorKey;
  constructor(key: ErrorKey) {
    super(key);
    this.key = key;
  }
}
