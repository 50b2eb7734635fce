import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { idParam, text } from "../text.ts";

/** What calls between two people and in groups have in common. */

export const reportEndedClient = endpoint({
  method: "POST",
  path: "/webrtc/gone",
  auth: "token",
  summary: "Say that a client of mine is gone for good, so that the call ends in which it is",
  query: z.object({
    clientId: text(64, 1),
    /** Only the call with this person or in this group ends: a late report must not end another one, in which the client is by now. */
    uid: z.optional(idParam()),
    groupId: z.optional(idParam()),
  }),
  answer: z.null(),
});
