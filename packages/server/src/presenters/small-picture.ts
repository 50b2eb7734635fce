/** A person or a group with a picture. */
interface PictureOwner {
  headImage: string | null;
  headImageThumb: string | null;
}

/** The URL of the small picture, else of the whole one; null: there is none. */
export function smallPicture({ headImage, headImageThumb }: PictureOwner): string | null {
  return headImageThumb ?? headImage;
}
