import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { PUSH_ENDPOINT_MAX } from "../limits.ts";
import { text } from "../text.ts";

/** Bytes as base64url without padding: `length` characters. */
const bytes = (length: number) =>
  z.string().check(z.regex(new RegExp(`^[\\w-]{${length}}$`), { error: "not the bytes of a subscription" }));

/** Repeating it changes the subscription of the session. */
export const subscribeWebPush = endpoint({
  method: "PUT",
  path: "/push/subscription",
  auth: "token",
  summary: "Have this device told of messages while no page of it is open",
  body: z.object({
    /** Where the push service of the browser takes messages for it: an https address. */
    endpoint: text(PUSH_ENDPOINT_MAX, 1),
    /** The public key of the subscription: a point of P-256. */
    p256dh: bytes(87),
    /** The secret of the subscription. */
    auth: bytes(22),
    /** Whether a push names the sender and holds the text. */
    preview: z.boolean(),
  }),
  answer: z.null(),
});

export const unsubscribeWebPush = endpoint({
  method: "DELETE",
  path: "/push/subscription",
  auth: "token",
  summary: "End the subscription of this session",
  answer: z.null(),
});
