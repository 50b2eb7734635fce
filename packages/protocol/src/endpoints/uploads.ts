import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { imageUpload, videoUpload } from "../entities.ts";
import { IMAGE_MAX_BYTES } from "../limits.ts";

/** Without a token only the avatar of a registration: at most 5 MiB, jpeg, png or webp, limited per address. */
export const uploadImage = endpoint({
  method: "POST",
  path: "/image/upload",
  auth: "optional",
  summary: "Upload a picture; it is re-encoded without metadata",
  upload: { maxBytes: IMAGE_MAX_BYTES, fields: ["file"] },
  answer: imageUpload,
});

/** The answer is the url alone (spec §7). */
export const uploadFile = endpoint({
  method: "POST",
  path: "/file/upload",
  auth: "token",
  summary: "Upload a file of any type, or a voice message; the answer is its url",
  upload: { maxBytes: null, fields: ["file"] },
  answer: z.string(),
});

/** The client makes the picture in `cover`, a frame of the video. Without one the server makes a plain dark one. */
export const uploadVideo = endpoint({
  method: "POST",
  path: "/video/upload",
  auth: "token",
  summary: "Upload a video (mp4, webm or mov) and, in the field cover, a frame of it (jpeg, png or webp)",
  upload: { maxBytes: null, fields: ["file", "cover"] },
  answer: videoUpload,
});
