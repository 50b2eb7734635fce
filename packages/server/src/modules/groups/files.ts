import { Refusal } from "../../ports/call.ts";
import type { Tx } from "../../ports/store.ts";

/** From now on a group names these files. Refuses what this server did not issue, or no longer has. */
export async function takeFiles(tx: Tx, urls: readonly (string | null)[]): Promise<void> {
  for (const url of urls) {
    if (url !== null && !(await tx.takeFile(url))) throw new Refusal("file.notIssued");
  }
}
