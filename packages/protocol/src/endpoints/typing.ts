import * as z from "zod/mini";
import { ChatType } from "../codes.ts";
import { endpoint } from "../endpoint.ts";
import { TYPING_KINDS } from "../signal.ts";
import { id } from "../text.ts";

export const tellTyping = endpoint({
  method: "POST",
  path: "/message/typing",
  writes: false,
  auth: "token",
  summary: "Tell the others in a chat that I am writing or recording, or no longer am; stored nowhere",
  body: z.object({
    type: z.enum([ChatType.PRIVATE, ChatType.GROUP]),
    /** The other person, or the group. */
    targetId: id(),
    what: z.enum(TYPING_KINDS),
    /** False: I have stopped. */
    on: z.optional(z.boolean()),
  }),
  answer: z.null(),
});
