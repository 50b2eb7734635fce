import { ApiError } from "../../ports/call.ts";
import type { Tx } from "../../ports/store.ts";

/** Marks the files as used by an account. Throws if this server did not issue one of them or no longer has it. */
export async function claimAccountFiles(tx: Tx, urls: readonly string[]): Promise<void> {
  for (const url of urls) if (!(await tx.claimFile(url))) throw new ApiError("file.notIssued");
}
