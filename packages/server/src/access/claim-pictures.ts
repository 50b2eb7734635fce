import { ApiError, malformedField } from "../api/api-error.ts";
import type { FileWrites } from "../ports/file-store.ts";
import { isEncodedPicture } from "./picture-urls.ts";

/** The picture of an account or a group, and its thumbnail. */
export interface HeadImages {
  headImage?: string | null | undefined;
  headImageThumb?: string | null | undefined;
}

/**
 * Marks the pictures as used by an account or a group. Throws if this server did not issue one of them or no longer has it, and if one is no
 * picture.
 */
export async function claimPictures(
  tx: Pick<FileWrites, "claimFile">,
  { headImage, headImageThumb }: HeadImages,
): Promise<void> {
  for (const [field, url] of Object.entries({ headImage, headImageThumb })) {
    if (url == null) continue;
    if (!(await tx.claimFile(url))) throw new ApiError("file.notIssued");
    if (!isEncodedPicture(url)) throw malformedField(field, "must be a picture of this server");
  }
}
