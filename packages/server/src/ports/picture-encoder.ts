/** The types of pictures that can be encoded again, as file extensions. */
export const READABLE_TYPES = ["jpg", "png", "webp", "gif", "avif"] as const;
export type ReadableType = (typeof READABLE_TYPES)[number];

/** The types of the pictures that come out: those that every browser and every client shows. */
export type WrittenType = Exclude<ReadableType, "avif">;

/** An encoded picture with its thumbnail. */
export interface EncodedPicture {
  data: Buffer;
  /** The extension for the file name. */
  extension: WrittenType;
  width: number;
  height: number;
  /** The thumbnail, as WebP. */
  thumb: Buffer;
  /** A picture of a few pixels, as base64 of a WebP. */
  placeholder: string;
}

/** A picture to be encoded. */
export interface PictureJob {
  data: Buffer;
  /** The type, by its first bytes. */
  type: ReadableType;
  /** Pixels of all frames together. */
  pixelsMax: number;
  /** `small`: give up a picture that needs more than a moment. Its time is shorter, and its priority for the processor higher. */
  effort: "small" | "large";
}

/**
 * What became of a picture. `tooLong`: it needed more time or memory than allowed. `large`: it was to be small, and needs more than a moment.
 */
export type PictureOutcome =
  | { kind: "encoded"; picture: EncodedPicture }
  | { kind: "broken" }
  | { kind: "tooManyPixels" }
  | { kind: "tooLong" }
  | { kind: "large" };

/**
 * Encodes pictures outside of the server, because a picture may crash or occupy what decodes it. Runs as many at once as it is called for:
 * callers limit that.
 */
export interface PictureEncoder {
  /** When this has ended, in whatever way, the picture uses no processor and no memory any more. Rejects with the reason of an aborted signal. */
  encode(job: PictureJob, signal: AbortSignal): Promise<PictureOutcome>;
  /** Ends everything that runs, and its processes. */
  close(): Promise<void>;
}
