import { ApiError } from "../../calls/api-error.ts";
import type { GroupsTx } from "./groups-store.ts";

/** Marks the files as used by a group. Throws if this server did not issue one of them or no longer has it. */
export async function claimGroupFiles(tx: GroupsTx, urls: readonly (string | null)[]): Promise<void> {
  for (const url of urls) {
    if (url !== null && !(await tx.claimFile(url))) throw new ApiError("file.notIssued");
  }
}
