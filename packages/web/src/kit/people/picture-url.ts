import type { Client } from "@parley/core/client-api";

/** A person or a group with a picture, as the server sends both. */
interface PictureOwner {
  readonly headImage: string | null;
  readonly headImageThumb: string | null;
}

/** The URL of the small picture of a person or a group, else of the whole one; null: there is none. */
export function smallPictureUrl(
  client: Pick<Client, "fileUrl">,
  owner: PictureOwner | undefined,
): string | null {
  const picture = owner?.headImageThumb || owner?.headImage;
  return picture ? client.fileUrl(picture) : null;
}
