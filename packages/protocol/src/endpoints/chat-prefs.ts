import * as z from "zod/mini";
import { prefChange, versionedPrefs } from "../chat-prefs.ts";
import { CHAT_TYPES } from "../codes.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../text.ts";

export const setChatPrefs = endpoint({
  method: "PUT",
  path: "/chat/prefs",
  auth: "token",
  summary:
    "Set prefs of a chat for me, on all my terminals; what is left out stays as it is, and again is the same",
  /** `targetId`: the other person or the group; 0 in the system chat. */
  body: z.object({ type: z.enum(CHAT_TYPES), targetId: id(), set: prefChange }),
  answer: versionedPrefs,
});
