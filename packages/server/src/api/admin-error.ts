import type { ErrorParams } from "@parley/protocol/envelope";
import type { ErrorKey } from "@parley/protocol/errors";
import { ApiError } from "./api-error.ts";

/** An act of an administrator that cannot be carried out. The message is one sentence for the command line that says why. */
export class AdminError extends ApiError {
  constructor(key: ErrorKey, sentence: string, params?: ErrorParams) {
    super(key, params);
    this.message = sentence;
  }
}
