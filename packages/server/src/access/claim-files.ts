import { ApiError } from "../calls/api-error.ts";
import type { FileWrites } from "../ports/file-store.ts";

/** Marks the files as used by an account or a group. Throws if this server did not issue one of them or no longer has it. */
export async function claimFiles(
  tx: Pick<FileWrites, "claimFile">,
  urls: readonly (string | null | undefined)[],
): Promise<void> {
  for (const url of urls) if (url != null && !(await tx.claimFile(url))) throw new ApiError("file.notIssued");
}
