import { ApiError } from "../../ports/call.ts";
import type { Tx } from "../../ports/store.ts";

/** From now on a group names these files. Refuses what this server did not issue, or no longer has. */
export async function claimGroupFiles(tx: Tx, urls: readonly (string | null)[]): Promise<void> {
  for (const url of urls) {
    if (url !== null && !(await tx.claimFile(url))) throw new ApiError("file.notIssued");
  }
}
