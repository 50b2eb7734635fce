import { ApiError } from "../../calls/api-error.ts";
import type { AccountsTx } from "./accounts-store.ts";

/** Marks the files as used by an account. Throws if this server did not issue one of them or no longer has it. */
export async function claimAccountFiles(tx: AccountsTx, urls: readonly string[]): Promise<void> {
  for (const url of urls) if (!(await tx.claimFile(url))) throw new ApiError("file.notIssued");
}
