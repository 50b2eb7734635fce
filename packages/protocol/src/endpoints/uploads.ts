import { endpoint } from "../endpoint.ts";
import { imageUpload } from "../entities.ts";
import { IMAGE_MAX_BYTES } from "../limits.ts";

/** Without a token only the avatar of a registration: at most 5 MiB, jpeg, png or webp, limited per address. */
export const uploadImage = endpoint({
  method: "POST",
  path: "/image/upload",
  auth: "optional",
  summary: "Upload a picture; it is re-encoded without metadata",
  upload: { maxBytes: IMAGE_MAX_BYTES },
  answer: imageUpload,
});
