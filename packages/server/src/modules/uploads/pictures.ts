/** Checks uploaded pictures and has them encoded again, so that nobody waits for the pictures of somebody else. */
import { availableParallelism } from "node:os";
import { AVATAR_MAX_PIXELS, IMAGE_MAX_PIXELS } from "@parley/protocol/limits";
import { ApiError } from "../../api/api-error.ts";
import { FairQueue } from "../../concurrency/fair-queue.ts";
import {
  type EncodedPicture,
  type PictureEncoder,
  type PictureOutcome,
  READABLE_TYPES,
  type ReadableType,
} from "../../ports/picture-encoder.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";

/** A type of pictures that the server accepts, as file extension. */
export type PictureType = ReadableType;
export const PICTURE_TYPES: readonly PictureType[] = READABLE_TYPES;

/** How many small pictures are encoded at once. A moment each, so that a small one waits for hardly anything. */
const SMALL_AT_ONCE = 2;
/** Each large picture needs some hundred MB and one processor, and the server needs one for people's messages. */
const LARGE_AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));
/** In a longer queue, clients would time out before their turn. */
const WAITING_MAX = 500;
/** A picture of more bytes is a large one, whatever its pixels. */
const SMALL_MAX_BYTES = 4_194_304;
const RETRY_SECONDS = 5;
/** A plain dark picture, for a video without a cover. */
export const PLAIN_COVER: Omit<EncodedPicture, "thumb"> = {
  data: Buffer.from("UklGRi4AAABXRUJQVlA4TCEAAAAvf8JZAAfQkX40pf8BIUHi//FWIvqf8Z///Oc///nP/wsA", "base64"),
  extension: "webp",
  width: 640,
  height: 360,
  placeholder: "UklGRigAAABXRUJQVlA4IBwAAABQAQCdASoQAAkABABoJZwABAAAAP7wUxbcUAAA",
};

/** A picture that has arrived. */
export interface ArrivedPicture {
  bytes: number;
  /** By its first bytes. */
  type: PictureType;
  /** May be called again. */
  load(): Promise<Buffer>;
}

/** The person who sends a picture, and the network they use. */
export interface PictureSender {
  /** null: nobody who has an account. */
  userId: number | null;
  network: string;
  /** Aborts when nobody waits for the picture; its reason is an error for the caller. */
  signal: AbortSignal;
}

/** Checks and encodes pictures. */
export interface Pictures {
  /**
   * Encodes a picture again. Refuses one that is too large, broken or needs too long. Loads it when its turn has come, so that pictures that
   * wait need no memory.
   */
  process(picture: ArrivedPicture, sender: PictureSender): Promise<EncodedPicture>;
  /** How many pictures wait for their turn. */
  waiting(): number;
}

export function createPictures(encoder: PictureEncoder, rateLimiter: Pick<RateLimiter, "begin">): Pictures {
  const queueOf = (runningMax: number) =>
    new FairQueue({
      runningMax,
      runningOfSourceMax: 1,
      waitingMax: WAITING_MAX,
      full: () => new ApiError("server.unavailable"),
    });
  const queues = { small: queueOf(SMALL_AT_ONCE), large: queueOf(LARGE_AT_ONCE) };
  /** Returns how to leave. */
  const enter = ({ userId, network }: PictureSender): (() => void) => {
    if (userId !== null) return () => undefined;
    const leave = rateLimiter.begin("anonymousPictures", network);
    if (leave === null) throw new ApiError("request.tooMany", { seconds: RETRY_SECONDS });
    return leave;
  };

  const process: Pictures["process"] = async (picture, sender) => {
    const { userId, network, signal } = sender;
    const source = userId === null ? `network ${network}` : `person ${userId}`;
    const pixelsMax = userId === null ? AVATAR_MAX_PIXELS : IMAGE_MAX_PIXELS;
    const encodeAs = (effort: "small" | "large") =>
      queues[effort].run(
        source,
        async () => {
          const data = await picture.load();
          return encoder.encode({ data, type: picture.type, pixelsMax, effort }, signal);
        },
        signal,
      );
    const leave = enter(sender);
    try {
      let outcome: PictureOutcome = { kind: "large" };
      if (picture.bytes <= SMALL_MAX_BYTES) outcome = await encodeAs("small");
      if (outcome.kind === "large") outcome = await encodeAs("large");
      return encodedOf(outcome);
    } finally {
      leave();
    }
  };

  return {
    process,
    waiting: () => queues.small.waiting + queues.large.waiting,
  };
}

function encodedOf(outcome: PictureOutcome): EncodedPicture {
  switch (outcome.kind) {
    case "encoded":
      return outcome.picture;
    case "tooManyPixels":
      throw new ApiError("upload.tooManyPixels");
    case "large":
    case "tooLong":
      throw new ApiError("upload.tooComplex");
    case "broken":
      throw new ApiError("upload.broken");
  }
}
