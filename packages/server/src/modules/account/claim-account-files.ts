import { ApiError } from "../../ports/call.ts";
import type { Tx } from "../../ports/store.ts";

/** From now on an account names these files. Refuses what this server did not issue, or no longer has. */
export async function claimAccountFiles(tx: Tx, urls: readonly string[]): Promise<void> {
  for (const url of urls) if (!(await tx.claimFile(url))) throw new ApiError("file.notIssued");
}
